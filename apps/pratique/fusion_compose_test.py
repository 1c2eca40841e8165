#!/usr/bin/env python3
"""Independent releases as a user meets them. Run by ctest as: fusion_compose_test.py PROGRAM"""
import csv
import math
import unittest

from program_in_folder import ProgramInFolder

# Tables 3.2 and 3.4 of the thesis.
H1 = "zip,age,nationality,condition\n" + "".join(
    f"130**,{age},*,{condition}\n" for age, conditions in
    (("<30", ("AIDS", "Heart Disease", "Viral Infection", "Viral Infection")),
     (">=40", ("Cancer", "Heart Disease", "Viral Infection", "Viral Infection")),
     ("3*", ("Cancer",) * 4)) for condition in conditions)
H2 = "zip,age,nationality,condition\n" + "".join(
    f"130**,{age},*,{condition}\n" for age, conditions in
    (("<35", ("AIDS", "Tuberculosis", "Flu", "Tuberculosis", "Cancer", "Cancer")),
     (">=35", ("Cancer", "Cancer", "Cancer", "Tuberculosis", "Viral Infection", "Viral Infection")))
    for condition in conditions)


class ComposeTest(ProgramInFolder):
    def setUp(self):
        super().setUp()
        self.file("h1.csv", H1)
        self.file("h2.csv", H2)
        self.file("alice.csv", "name,zip,age,illness\nAlice,13012,28,AIDS\nBob,13012,36,Cancer\n")

    def error(self, *arguments):
        return super().error("fusion", "compose", *arguments)

    def compose(self, *more, exit_code=0):
        return self.result("fusion", "compose", "--release", "h1.csv", "--release", "h2.csv", "--targets", "alice.csv",
                           "--qi", "zip,age", "--sensitive", "condition", *more, exit_code=exit_code)

    def test_values_that_left_at_random_are_no_truth(self):
        rows = [(20 + i // 5, ["flu", "gout", "asthma"][i * 7 % 3]) for i in range(600)]
        self.file("people.csv", "age,illness\n" + "".join(f"{age},{illness}\n" for age, illness in rows))
        for name in ("one.csv", "two.csv"):
            self.result("tables", "protect", "people.csv", "--qi", "age", "--sensitive", "illness", "--k", "5", "--method",
                        "mondrian", "--rho", "0.1:0.5", "--out", name)
        attack = ["fusion", "compose", "--release", "one.csv", "--release", "two.csv", "--targets", "people.csv", "--qi", "age",
                  "--sensitive", "illness"]
        found = self.result(*attack)
        # rho2 (1 - rho1) / (rho1 (1 - rho2)); no value is ruled out.
        self.assertAlmostEqual(found["by_release"][0]["gamma"], 9, delta=0.01)
        self.assertEqual((found["perfect_breach"], found["contradicted"]), (0, 0))
        self.assertEqual(found["effective_anonymity"]["posterior"], 3)
        # Nor is anybody told from the difference: those who are in both do not cancel.
        self.assertEqual(found["differenced_people"], 0)

    def test_the_example_of_the_thesis(self):
        composed = self.compose("--truth-column", "illness")
        self.assertEqual((composed["releases"], composed["targets"], composed["located"]), (2, 2, 1))
        # Alice has AIDS; Bob is in his thirties, where all have cancer.
        self.assertEqual(composed["perfect_breach"], 1)
        self.assertEqual(composed["correct"], 1)
        self.assertEqual(composed["breach_at"], {"1": 1, "0.5": 1, "0.333": 1, "0.25": 1})
        self.assertEqual(composed["effective_anonymity"], {"prior": [2, 3.5], "posterior": 1})
        self.assertEqual(composed["mean_drop"], 1)  # 3 - 1 and 1 - 1
        self.assertEqual(composed["ideal_drop"], 3)  # 4 - 1
        rows = [2, 2, 6, 10, 3, 1]
        self.assertAlmostEqual(composed["entropy_of_sensitive"], -sum(n / 24 * math.log2(n / 24) for n in rows))
        self.assertEqual([r["k"] for r in composed["by_release"]], [4, 6])
        self.assertEqual([r["perfect_breach"] for r in composed["by_release"]], [0.5, 0])

    def test_threshold_and_rows_per_target(self):
        self.compose("--max-breach", "0.99", exit_code=1)
        self.compose("--max-breach", "1", "--out", "found.csv")
        text = (self.path / "found.csv").read_text()
        rows = list(csv.DictReader(text.splitlines()))
        self.assertEqual([(row["target"], row["prior"], row["left"]) for row in rows], [("1", "3", "1"), ("2", "1", "1")])
        for secret in ("Alice", "13012", "AIDS", "Cancer"):
            self.assertNotIn(secret, text)

    def test_partial_overlap_leaves_doubt(self):
        sure = self.compose()["bayes"]
        doubt = self.compose("--overlap-probability", "2:0.5")["bayes"]
        self.assertEqual(sure["confidence"], 1)
        self.assertLess(doubt["confidence"], 1)
        more = self.compose("--overlap-probability", "2:0.9")["bayes"]
        self.assertGreater(more["confidence"], doubt["confidence"])

    def test_ranges_labels_and_sets_of_codes(self):
        self.file("tree.csv", "493.00;asthma;*\n493.01;asthma;*\n487;flu;*\n")
        self.file("a.csv", "age,dx\n20..29,(493.00|487)\n")
        self.file("b.csv", "sex,dx\nF,asthma\n")
        self.file("t.csv", "age,sex,dx\n21,F,493.00\n")
        composed = self.result("fusion", "compose", "--release", "a.csv", "--release", "b.csv", "--targets", "t.csv",
                               "--qi", "age,sex", "--sensitive", "dx", "--truth-column", "dx", "--hierarchy",
                               "dx=tree.csv")
        self.assertEqual((composed["perfect_breach"], composed["correct"]), (1, 1))
        self.assertEqual([r["columns"] for r in composed["by_release"]], [["age"], ["sex"]])

    def test_labels_of_one_release_alone(self):
        self.file("young.csv", "21;young;*\n22;young;*\n50;old;*\n")
        self.file("a.csv", "age,dx\nyoung,flu\nold,cold\n")
        self.file("b.csv", "age,dx\n20..29,flu\n50..59,cold\n")
        self.file("t.csv", "age\n21\n50\n")
        arguments = ["fusion", "compose", "--release", "a.csv", "--release", "b.csv", "--targets", "t.csv", "--qi", "age",
                     "--sensitive", "dx"]
        composed = self.result(*arguments)
        self.assertEqual(composed["located"], 0)
        self.assertIn("a.csv", composed["note"])
        self.result(*arguments, "--max-breach", "1", exit_code=1)  # an untried attack clears nothing
        self.assertEqual(self.result(*arguments, "--hierarchy-of", "1:age=young.csv")["located"], 1)

    def test_our_own_releases_end_to_end(self):
        self.result("generate", "census", "--rows", "2000", "--seed", "4", "--out", "people.csv")
        qi = ["age", "sex", "race", "education"]
        tree = ["--hierarchy", "age=interval:5,10,20"]
        releases = (("one.csv", "mondrian", ()), ("two.csv", "microaggregate", ()),
                    ("three.csv", "microaggregate", ("--centre", "range")))
        with (self.path / "people.csv").open() as file:
            others = [name for name in next(csv.reader(file)) if name not in [*qi, "occupation"]]
        for name, method, options in releases:
            self.result("tables", "protect", "people.csv", "--id", ",".join(others), "--qi", ",".join(qi), "--sensitive",
                        "occupation", *tree, "--method", method, "--k", "5", "--seed", "1", "--out", name, *options)
        composed = self.result("fusion", "compose", *(flag for name, _, _ in releases for flag in ("--release", name)),
                               "--targets", "people.csv", "--qi", ",".join(qi), "--sensitive", "occupation",
                               "--truth-column", "occupation", *tree)
        # The manifest tells centroids from ranges.
        self.assertEqual([r["located_by"] for r in composed["by_release"]], ["containing", "nearest", "containing"])
        self.assertEqual(composed["located"], 1)
        self.assertEqual([r["rows"] for r in composed["by_release"]], [2000] * 3)
        self.assertLess(composed["effective_anonymity"]["posterior"], min(composed["effective_anonymity"]["prior"]))
        # Beliefs are about as often right as they say.
        bayes = composed["bayes"]
        self.assertEqual(sum(bin_["targets"] for bin_ in bayes["calibration"]), round(2000 * bayes["believed"]))

    def test_the_study(self):
        self.result("generate", "census", "--rows", "1500", "--seed", "4", "--out", "people.csv")
        arguments = ["fusion", "compose", "--simulate", "--data", "people.csv", "--qi", "age,sex,education", "--sensitive",
                     "occupation,workclass", "--overlap", "200", "--ks", "5,10", "--methods",
                     "mondrian,microaggregate,mixed", "--l", "3", "--t", "0.5", "--releases", "2,3", "--runs", "2",
                     "--seed", "1", "--hierarchy", "age=interval:5,10,20"]
        composed = self.result(*arguments, "--out", "study")
        names = sorted(path.name for path in (self.path / "study").iterdir())
        figures = ["3.1", "3.2", "3.3", "3.4", "3.5-l", "3.5-t", "3.6-l", "3.6-t", "3.7", "3.8-breach", "3.8-drop"]
        self.assertEqual(names, sorted(["cases.csv"] + [f"figure-{f}.{e}" for f in figures for e in ("csv", "svg")]))
        self.assertEqual({case["releases"] for case in composed["cases"]}, {2, 3})
        for case in composed["cases"]:
            self.assertEqual(case["known"]["correct"], 1)
        again = self.result(*arguments)
        self.assertEqual(again["cases"], composed["cases"])
        self.assertNotEqual(self.run_program(*arguments).stdout, b"")

    def test_bad_input(self):
        base = ["--release", "h1.csv", "--targets", "alice.csv", "--qi", "zip,age", "--sensitive", "condition"]
        self.assertIn("--release", self.error("--targets", "alice.csv"))
        self.assertIn("'ages'", self.error(*base[:-4], "--qi", "zip,ages", "--sensitive", "condition"))
        self.assertIn("no release has the column 'name'", self.error(*base[:-4], "--qi", "name,age", "--sensitive", "condition"))
        self.assertIn("'illness'", self.error(*base[:-1], "illness"))
        self.assertIn("one sensitive", self.error(*base[:-2]))
        self.assertIn("no release 2", self.error(*base, "--locate", "2:nearest"))
        self.assertIn("contain or nearest", self.error(*base, "--locate", "near"))
        self.assertIn("probability", self.error(*base, "--overlap-probability", "1.5"))
        self.assertIn("probability", self.error(*base, "--overlap-probability", "0"))
        self.assertIn("N:COLUMN=SPEC", self.error(*base, "--hierarchy-of", "age=date"))
        self.assertIn("truth", self.error(*base, "--truth-column", "truth"))
        self.assertIn("--data", self.error("--simulate"))
        self.assertIn("--simulate", self.error(*base, "--simulate", "--data", "h1.csv"))
        self.assertIn("not enough", self.error("--simulate", "--data", "h1.csv", "--qi", "age", "--sensitive", "condition"))
        self.assertIn("alice.csv", self.error(*base, "--out", "alice.csv"))
        self.file("nobody.csv", "zip,age\n")
        self.assertIn("no targets", self.error(*base[:2], "--targets", "nobody.csv", *base[4:]))
        self.file("other.csv", "height,condition\n1,flu\n")
        self.assertIn("other.csv", self.error("--release", "other.csv", *base))


if __name__ == "__main__":
    unittest.main()
