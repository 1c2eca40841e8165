#!/usr/bin/env python3
"""Synthetic tables as a user meets them. Run by ctest as: synthetic_test.py PROGRAM"""
import hashlib
import json
import os
import random
import stat
import unittest

from program_in_folder import ProgramInFolder

REGIONS = ("north", "south", "west")


def people(count, seed):
    """Region follows sex in four of five rows; the day of birth follows age."""
    draw = random.Random(seed)
    rows = []
    for number in range(count):
        sex = draw.choice("FM")
        region = draw.choice(REGIONS) if draw.random() < 0.2 else REGIONS["FM".index(sex)]
        age = draw.randrange(20, 60)
        rows.append((f"p{number}", age, sex, region, f"{2020 - age}-0{draw.randrange(1, 10)}-15"))
    return rows


def table(rows):
    return "id,age,sex,region,born\n" + "".join(",".join(map(str, row)) + "\n" for row in rows)


class SyntheticTest(ProgramInFolder):
    DOMAINS = ("--domain", "age=20..59", "--domain", "sex=F|M", "--domain", "region=north|south|west",
               "--domain", "born=1955-01-01..2004-12-31:year")

    def setUp(self):
        super().setUp()
        self.people = people(3000, 7)
        self.file("people.csv", table(self.people))
        (self.path / "out").mkdir()

    def open(self, *more):
        self.result("dp", "open", "budget", "--data", "people.csv", "--epsilon", "500", "--delta", "1e-5", *more)

    def synthesize(self, *more, epsilon="100", out="out/s.csv"):
        return self.result("dp", "synthesize", "budget", "--epsilon", epsilon, *self.DOMAINS, "--out", out, *more)

    def test_a_table_like_the_data(self):
        self.open()
        made = self.synthesize()
        self.assertEqual((made["epsilon_spent"], made["epsilon_left"], made["delta_spent"]), (100, 400, 1e-6))
        self.assertTrue(made["private"])
        self.assertIn("sex+region", made["marginals"])
        rows = self.rows("out/s.csv")
        self.assertEqual(list(rows[0]), ["age", "sex", "region", "born"])
        self.assertEqual(len(rows), made["rows"])
        self.assertAlmostEqual(len(rows), 3000, delta=5)
        for region in REGIONS:
            for sex in "FM":
                truth = sum(row[2] == sex and row[3] == region for row in self.people)
                self.assertAlmostEqual(sum(row["sex"] == sex and row["region"] == region for row in rows), truth, delta=25)
        # Years of birth belong to ages: few rows break it.
        wrong = sum(int(row["born"]) != 2020 - int(row["age"]) for row in rows)
        self.assertLess(wrong, 100)
        self.assertEqual(len(self.synthesize("--rows", "123", "--columns", "sex,age", out="out/t.csv")) and
                         len(self.rows("out/t.csv")), 123)
        self.assertEqual(list(self.rows("out/t.csv")[0]), ["sex", "age"])

    def test_cuts_are_found_for_a_share_of_epsilon(self):
        self.open()
        made = self.result("dp", "synthesize", "budget", "--epsilon", "100", "--domain", "sex=F|M", "--find-cuts",
                           "age=4,born=4:date", "--out", "out/s.csv")
        self.assertEqual((made["epsilon_spent"], made["epsilon_left"]), (100, 400))
        rows = self.rows("out/s.csv")
        self.assertEqual(list(rows[0]), ["sex", "age", "born"])
        # 3,000 people of ages 20 to 59, uniformly: four parts of ten years.
        parts = sorted({row["age"] for row in rows}, key=lambda part: int(part.split("..")[0]))
        begins = [int(part.split("..")[0]) for part in parts]
        self.assertEqual(len(parts), 4)
        for begin, truth in zip(begins[1:], (30, 40, 50)):
            self.assertAlmostEqual(begin, truth, delta=2)
        for part in parts:
            self.assertAlmostEqual(sum(row["age"] == part for row in rows), 750, delta=120)
        # Days of birth, in the order of time and without holes.
        days = sorted({row["born"] for row in rows})
        self.assertEqual(len(days), 4)
        for day in days:
            low, high = day.split("..")
            self.assertLess(low, high)
            self.assertAlmostEqual(sum(row["born"] == day for row in rows), 750, delta=120)
        self.assertLess("1955", days[1])
        self.assertLess(days[3], "2000")
        self.assertEqual(self.result("verify", "out/s.csv")["claims"][0]["standing"], "attested")
        self.result("dp", "evaluate", "out/s.csv", "--original", "people.csv")

    def test_explore_and_compose_take_synthetic_tables(self):
        self.open()
        for name in ("one", "two"):
            # 30 rows: most people look like none of them, or like one.
            self.synthesize("--rows", "30", "--columns", "age,sex,region", out=f"out/{name}.csv")
        composed = self.result("fusion", "compose", "--release", "out/one.csv", "--release", "out/two.csv", "--targets",
                               "people.csv", "--qi", "sex,age", "--sensitive", "region", "--truth-column", "region",
                               "--rows-are-people")
        # Rows are nobody's: they rule no value out, however few there are.
        self.assertEqual((composed["perfect_breach"], composed["contradicted"], composed["differenced_people"]), (0, 0, 0))
        self.assertEqual([release.get("synthetic") for release in composed["by_release"]], [True, True])
        # Without its manifest the same table is taken for one of people, as any other tool's.
        for name in ("one", "two"):
            (self.path / f"out/{name}.csv.manifest.json").unlink()
        plain = self.result("fusion", "compose", "--release", "out/one.csv", "--release", "out/two.csv", "--targets",
                            "people.csv", "--qi", "sex,age", "--sensitive", "region", "--rows-are-people")
        self.assertGreater(plain["perfect_breach"] + plain["contradicted"], 0)
        self.synthesize("--columns", "age,sex,region", out="out/map.csv")
        points = self.result("tables", "explore", "out/map.csv", "--qi", "age,sex", "--sensitive", "region", "--ks", "2,5",
                             "--methods", "mondrian", "--out", "map")["points"]
        self.assertEqual([point["k"] for point in points], [2, 5])

    def test_cuts_that_cannot_be_are_refused_before_they_cost(self):
        self.open()
        for words in (["age=1"], ["age=3.5"], ["age"], ["nobody=4"], ["sex=4"], ["age=4", "--cuts-share", "7"]):
            with self.subTest(words):
                self.error("dp", "synthesize", "budget", "--epsilon", "1", "--domain", "sex=F|M", "--find-cuts", *words,
                           "--out", "out/s.csv")
        self.assertEqual(self.result("dp", "budget", "budget")["entries"], 0)

    def test_what_leaves_tells_nothing_exact_and_is_attested(self):
        self.open()
        self.synthesize(epsilon="1")
        manifest = json.loads((self.path / "out/s.csv.manifest.json").read_text())
        self.assertEqual((manifest["kind"], manifest["verb"]), ("dp", "synthesize"))
        self.assertEqual([(claim["model"], claim["standing"], claim["epsilon"], claim["delta"])
                          for claim in manifest["claims"]], [("differential-privacy", "attested", 1, 1e-6)])
        text = json.dumps(manifest)
        self.assert_tells_no_number(manifest, 3000)
        self.assertNotIn(hashlib.sha256((self.path / "people.csv").read_bytes()).hexdigest(), text)
        verified = self.result("verify", "out/s.csv")
        self.assertTrue(verified["holds"])
        self.assertEqual(verified["claims"][0]["standing"], "attested")
        self.result("report", "out/s.csv", "--purpose", "a test", "--out", "r.html")
        self.assertIn("synthetic table", (self.path / "r.html").read_text())
        self.result("ledger", "init", "releases")
        self.assertTrue(self.result("ledger", "add", "releases", "out/s.csv", "--allow-unattacked")["added"])

    def test_a_value_that_was_not_declared_is_found_by_the_verifier(self):
        self.open()
        self.synthesize()
        release = self.path / "out/s.csv"
        manifest = self.path / "out/s.csv.manifest.json"
        old = hashlib.sha256(release.read_bytes()).hexdigest()
        release.write_bytes(release.read_bytes().replace(b"south", b"Smith"))
        manifest.write_text(manifest.read_text().replace(old, hashlib.sha256(release.read_bytes()).hexdigest()))
        self.assertFalse(self.result("verify", "out/s.csv", exit_code=1)["holds"])

    def test_over_budget_and_what_does_not_fit_cost_and_write_nothing(self):
        self.open()
        said = self.error("dp", "synthesize", "budget", "--epsilon", "501", *self.DOMAINS, "--out", "s.csv", exit_code=1)
        self.assertIn("500 is left", said)
        self.error("dp", "synthesize", "budget", "--epsilon", "1", "--delta", "1e-4", *self.DOMAINS, "--out", "s.csv",
                   exit_code=1)
        large = [word for column in ("age", "born", "region") for word in ("--domain", f"{column}=0..999")]
        said = self.error("dp", "synthesize", "budget", "--epsilon", "1", *large, "--marginals", "age+born+region",
                          "--memory", "500MB", "--out", "s.csv")
        self.assertIn("age, born, region", said)
        self.assertIn("--memory", said)
        for words in (["--domain", "agee=0..9"], ["--columns", "age,sex", "--domain", "age=0..99"], [],
                      [*self.DOMAINS, "--marginals", "age"], [*self.DOMAINS, "--marginals", "age+sexx"],
                      [*self.DOMAINS, "--delta", "0"], ["--domain", "age=9..0"]):
            with self.subTest(words):
                self.error("dp", "synthesize", "budget", "--epsilon", "1", *words, "--out", "s.csv")
        self.error("dp", "synthesize", "budget", *self.DOMAINS, "--out", "s.csv")
        self.assertIn("dp open", self.error("dp", "synthesize", "bugdet", "--epsilon", "1", *self.DOMAINS, "--out", "s.csv"))
        self.assertEqual(self.result("dp", "budget", "budget")["entries"], 0)

    def test_no_row_can_stop_it(self):
        strange = ["x1,,,,", "x2,-5,Q,mars,never", 'x3,"a,b",F,north,2000-99-99', "x4,99999999999999999999,F,north,1700-01-01"]
        self.file("people.csv", table(self.people) + "\n".join(strange) + "\n")
        self.open()
        self.synthesize()
        self.assertLessEqual({row["sex"] for row in self.rows("out/s.csv")}, {"F", "M", "other"})

    def test_values_beyond_the_domain_are_the_nearest_or_other(self):
        self.open()
        self.result("dp", "synthesize", "budget", "--epsilon", "100", "--domain", "age=30..39:5", "--domain", "sex=F|X",
                    "--domain", "region=north|other", "--out", "out/s.csv")
        rows = self.rows("out/s.csv")
        self.assertEqual({row["age"] for row in rows}, {"30..34", "35..39"})
        self.assertAlmostEqual(sum(row["age"] == "30..34" for row in rows), sum(row[1] < 35 for row in self.people), delta=25)
        self.assertAlmostEqual(sum(row["sex"] == "other" for row in rows), sum(row[2] == "M" for row in self.people), delta=25)
        self.assertEqual({row["region"] for row in rows}, {"north", "other"})

    def test_rows_of_a_person_are_bounded(self):
        # One person has 2,000 rows of their own kind.
        self.file("people.csv", table(self.people) + "p0,20,F,west,2000-01-15\n" * 2000)
        self.open("--person", "id", "--max-rows", "2")
        self.synthesize()
        rows = self.rows("out/s.csv")
        self.assertAlmostEqual(len(rows), 3001, delta=30)
        self.error("dp", "synthesize", "budget", "--epsilon", "1", "--domain", "id=a|b", "--out", "out/x.csv")

    def test_from_a_histogram(self):
        self.open()
        self.result("dp", "histogram", "budget", "--columns", "sex,age", "--domain", "sex=F|M", "--domain", "age=20..59",
                    "--epsilon", "100", "--out", "out/h.csv")
        made = self.result("dp", "synthesize", "--from", "out/h.csv", "--out", "out/s.csv")
        self.assertEqual((made["epsilon_spent"], made["method"]), (0, "histogram"))
        rows = self.rows("out/s.csv")
        self.assertAlmostEqual(sum(row["sex"] == "F" and row["age"] == "30" for row in rows),
                               sum(row[2] == "F" and row[1] == 30 for row in self.people), delta=3)
        self.assertTrue(self.result("verify", "out/s.csv")["holds"])
        self.assertEqual(self.result("dp", "budget", "budget")["spent"], 100)
        self.error("dp", "synthesize", "--from", "people.csv", "--out", "out/x.csv")
        self.error("dp", "synthesize", "budget", "--from", "out/h.csv", "--out", "out/x.csv")
        self.error("dp", "synthesize", "--from", "out/h.csv", "--epsilon", "1", "--out", "out/x.csv")
        self.error("dp", "synthesize", "--out", "out/x.csv")

    def test_an_insecure_seed_repeats_and_claims_nothing(self):
        self.open()
        for out in ("out/a.csv", "out/b.csv"):
            made = self.synthesize("--insecure-seed", "3", epsilon="1", out=out)
            self.assertFalse(made["private"])
            self.assertIn("NOT PRIVATE", " ".join(made["notes"]))
        self.assertEqual((self.path / "out/a.csv").read_bytes(), (self.path / "out/b.csv").read_bytes())
        manifest = json.loads((self.path / "out/a.csv.manifest.json").read_text())
        self.assertEqual(manifest["claims"], [])
        self.result("report", "out/a.csv", "--purpose", "a test", "--out", "r.html", exit_code=1)
        self.assertRegex((self.path / "r.html").read_text(), r'class="verdict bad">[^<]*NOT PRIVATE')

    def test_an_evaluation_is_for_the_steward(self):
        self.open()
        self.synthesize()
        self.file("others.csv", table(people(500, 8)))
        judged = self.result("dp", "evaluate", "out/s.csv", "--original", "people.csv", "--others", "others.csv",
                             "--label", "region", "--out", "judged.json")
        self.assertIn("STEWARD ONLY", judged["steward_only"])
        self.assertEqual(stat.S_IMODE(os.stat(self.path / "judged.json").st_mode), 0o600)
        self.assertEqual(json.loads((self.path / "judged.json").read_text()), judged)
        self.assertEqual((judged["original_rows"], len(judged["two_way"]["each"]), len(judged["three_way"]["each"])),
                         (3000, 6, 4))
        # sex and region, counted here.
        released = self.rows("out/s.csv")
        distance = sum(abs(sum(row[2] == sex and row[3] == region for row in self.people) / 3000 -
                           sum(row["sex"] == sex and row["region"] == region for row in released) / len(released))
                       for sex in "FM" for region in REGIONS) / 2
        told = {pair["columns"]: pair["distance"] for pair in judged["two_way"]["each"]}
        self.assertAlmostEqual(told["sex+region"], distance, places=9)
        self.assertLess(judged["two_way"]["mean_distance"], 0.05)
        self.assertGreater(judged["classifier"]["trained_on_synthetic"], 0.8)
        # No question about two columns is further off than the worst distance of two.
        self.assertEqual([(row["questions"][-11:], row["epsilon"]) for row in judged["usefulness"]],
                         [("two columns", judged["two_way"]["worst_distance"]),
                          ("ree columns", judged["three_way"]["worst_distance"])])
        self.assertLess(judged["membership"]["advantage"], 0.2)
        self.assertLessEqual(judged["membership"]["advantage_at_most"], 1)
        self.assertGreaterEqual(judged["linkage"]["targets"], judged["linkage"]["linked"])
        without = self.result("dp", "evaluate", "out/s.csv", "--original", "people.csv")
        self.assertIn("not tried", without["membership"])
        self.error("dp", "evaluate", "people.csv", "--original", "people.csv")


if __name__ == "__main__":
    unittest.main()
