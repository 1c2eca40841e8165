#!/usr/bin/env python3
"""tables protect --method diffgen as a user meets it. Run by ctest as: diffgen_test.py PROGRAM"""
import hashlib
import json
import unittest

from program_in_folder import ProgramInFolder


class DiffgenTest(ProgramInFolder):
    """4,000 people: who lives in the north has flu, in the south gout; age says nothing."""

    def setUp(self):
        super().setUp()
        rows = [f"p{i},{20 + i % 40},{'abcd'[i % 4]},{'flu' if i % 4 < 2 else 'gout'}\n" for i in range(4000)]
        self.file("people.csv", "id,age,town,illness\n" + "".join(rows) + "x,999,nowhere,flu\n")
        self.file("town.csv", "a;north;*\nb;north;*\nc;south;*\nd;south;*\n")
        self.file("age.csv", "".join(f"{age};{age // 10 * 10}s;*\n" for age in range(20, 60)))
        self.file("illness.csv", "flu;*\ngout;*\nasthma;*\n")
        (self.path / "out").mkdir()
        self.result("dp", "open", "budget", "--data", "people.csv", "--epsilon", "100")

    WORDS = ("--qi", "age,town", "--sensitive", "illness", "--hierarchy", "town=town.csv", "--hierarchy", "age=age.csv",
             "--hierarchy", "illness=illness.csv", "--method", "diffgen", "--ledger", "budget")

    def protect(self, *more, epsilon="10"):
        return self.result("tables", "protect", "people.csv", *self.WORDS, "--epsilon", epsilon, "--specialisations", "1",
                           "--out", "out/r.csv", *more)

    def test_values_are_generalised_as_far_as_the_class_allows(self):
        made = self.protect()
        self.assertEqual((made["method"], made["epsilon_spent"], made["epsilon_left"]), ("diffgen", 10, 90))
        # Towns tell the illness: *, split, makes 4,000 right instead of 2,000. Ages tell nothing.
        self.assertEqual(made["values"], {"age": 1, "town": 2})
        rows = self.rows("out/r.csv")
        self.assertEqual(list(rows[0]), ["age", "town", "illness"])
        self.assertAlmostEqual(len(rows), 4000, delta=10)
        for town, illness, truth in (("north", "flu", 2000), ("north", "gout", 0), ("south", "flu", 0), ("south", "gout", 2000),
                                     ("south", "asthma", 0)):
            self.assertAlmostEqual(sum(row["town"] == town and row["illness"] == illness for row in rows), truth, delta=10)

    def test_what_leaves_is_attested_and_tells_nothing_exact(self):
        self.protect(epsilon="1")
        manifest = json.loads((self.path / "out/r.csv.manifest.json").read_text())
        self.assertEqual([(claim["model"], claim["standing"], claim["epsilon"]) for claim in manifest["claims"]],
                         [("differential-privacy", "attested", 1)])
        text = json.dumps(manifest)
        self.assert_tells_no_number(manifest, 4001)
        self.assertNotIn("nowhere", text)
        self.assertNotIn(hashlib.sha256((self.path / "people.csv").read_bytes()).hexdigest(), text)
        self.assertEqual(self.result("verify", "out/r.csv")["claims"][0]["standing"], "attested")
        # Values of the original are found under those of the release.
        judged = self.result("dp", "evaluate", "out/r.csv", "--original", "people.csv")
        self.assertLess(judged["two_way"]["worst_distance"], 0.05)

    def test_what_cannot_be_is_refused_and_costs_nothing(self):
        self.file("other.csv", "id,age,town,illness\n1,2,a,flu\n")
        protect = ["tables", "protect", "people.csv", "--out", "out/r.csv"]
        words = list(self.WORDS)
        for arguments in ([*protect, *words], [*protect, *words[:-2], "--epsilon", "1"],
                          [*protect, *words, "--epsilon", "1", "--k", "5"],
                          [*protect, *words[:-6], *words[-4:], "--epsilon", "1"],
                          [*protect, "--qi", "age", "--sensitive", "illness", "--hierarchy", "age=interval:5", "--hierarchy",
                           "illness=illness.csv", "--method", "diffgen", "--ledger", "budget", "--epsilon", "1"],
                          ["tables", "protect", "other.csv", "--out", "out/r.csv", *words, "--epsilon", "1"],
                          [*protect, "--qi", "age", "--k", "2", "--epsilon", "1"]):
            with self.subTest(arguments):
                self.error(*arguments)
        self.error(*protect, *words, "--epsilon", "101", exit_code=1)
        self.assertEqual(self.result("dp", "budget", "budget")["entries"], 0)
        self.assertEqual(list((self.path / "out").iterdir()), [])


if __name__ == "__main__":
    unittest.main()
