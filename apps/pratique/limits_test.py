#!/usr/bin/env python3
"""apps/pratique/limits_test.py PROGRAM: limits on what a column may lose, and on the risk of a value."""
import collections
import random
import unittest

from program_in_folder import ProgramInFolder


class LimitsTest(ProgramInFolder):
    def setUp(self):
        super().setUp()
        draw = random.Random(4)
        rows = [(draw.randrange(20, 60), draw.choice("FM"), draw.choice(["flu"] * 6 + ["cold"] * 3 + ["hiv"])) for _ in range(600)]
        self.file("people.csv", "age,sex,ill\n" + "".join(f"{age},{sex},{ill}\n" for age, sex, ill in rows))
        self.asked = ("tables", "protect", "people.csv", "--qi", "age,sex", "--sensitive", "ill", "--hierarchy", "age=interval:5,10,20",
                      "--seed", "1", "--out", "out.csv")

    def test_no_cell_of_the_column_loses_more(self):
        # 40 ages and two sexes: k = 90 needs ages by tens with sexes hidden, or by twenties with sexes.
        free = self.result(*self.asked, "--k", "90")
        kept = self.result(*self.asked, "--k", "90", "--max-loss", "age=0.25")
        self.assertLessEqual(kept["largest_cell_loss"]["age"], 0.25)
        self.assertEqual(kept["levels"], {"age": 2, "sex": 1})
        sexes = self.result(*self.asked, "--k", "90", "--max-loss", "sex=0")
        self.assertEqual(sexes["levels"]["sex"], 0)
        self.assertEqual(sexes["largest_cell_loss"]["sex"], 0)
        self.assertLessEqual(free["metrics"]["lm"], min(kept["metrics"]["lm"], sexes["metrics"]["lm"]))
        self.assertTrue(self.result("verify", "out.csv")["holds"])
        self.assertTrue(self.result("repeat", "out.csv")["same"])
        self.result("report", "out.csv", "--out", "report.html")
        local = self.result(*self.asked, "--k", "10", "--method", "local", "--max-loss", "age=0.25", "--suppression", "0.1")
        self.assertLessEqual(local["largest_cell_loss"]["age"], 0.25)
        self.file("settings.yaml", "max-loss:\n  - age=0.25\n")
        configured = self.result(*self.asked, "--k", "90", "--config", "settings.yaml")
        self.assertEqual(configured["levels"], kept["levels"])

    def test_what_cannot_be_held_is_said(self):
        message = self.error(*self.asked, "--k", "300", "--max-loss", "age=0.1", "--max-loss", "sex=0", exit_code=1)
        self.assertIn("--max-loss of age, sex", message)
        self.assertIn("no effect", self.error(*self.asked, "--k", "5", "--method", "mondrian", "--max-loss", "age=0.1"))
        self.assertIn("not a quasi-identifier", self.error(*self.asked, "--k", "5", "--max-loss", "ill=0.1"))
        self.assertIn("from 0 to 1", self.error(*self.asked, "--k", "5", "--max-loss", "age=2"))
        self.error(*self.asked, "--k", "5", "--method", "levels", "--levels", "age=4", "--max-loss", "age=0.5", exit_code=1)

    def test_no_cell_is_coarser_than_its_level(self):
        # Ages by tens are their second level: as with the loss above, sexes are hidden instead.
        kept = self.result(*self.asked, "--k", "90", "--max-level", "age=2")
        self.assertEqual(kept["levels"], {"age": 2, "sex": 1})
        self.assertTrue(self.result("repeat", "out.csv")["same"])
        self.result("report", "out.csv", "--out", "report.html")
        widths = {"*": 41}
        for method in ("optimal", "local"):
            self.result(*self.asked, "--k", "10", "--method", method, "--max-level", "age=1", "--suppression", "0.2")
            for row in self.rows("out.csv"):
                low, _, high = row["age"].partition("..")
                self.assertLessEqual(widths.get(low) or int(high or low) - int(low) + 1, 5, method)
        message = self.error(*self.asked, "--k", "300", "--max-level", "age=1", "--max-level", "sex=0", exit_code=1)
        self.assertIn("--max-level of age, sex", message)
        self.assertIn("no effect", self.error(*self.asked, "--k", "5", "--method", "mondrian", "--max-level", "age=1"))
        self.assertIn("not a quasi-identifier", self.error(*self.asked, "--k", "5", "--max-level", "ill=1"))
        self.assertIn("0 (as it is) to 4", self.error(*self.asked, "--k", "5", "--max-level", "age=9"))

    def test_a_column_counts_by_its_weight(self):
        # By hand: which of the two is kept is a matter of what it counts, and the loss is the weighted mean.
        for column, other in (("age", "sex"), ("sex", "age")):
            result = self.result(*self.asked, "--k", "90", "--weight", f"{column}=50")
            free = self.result(*self.asked, "--k", "90", "--weight", f"{other}=50")
            self.assertLess(result["metrics"]["column_loss"][column], free["metrics"]["column_loss"][column])
            losses = result["metrics"]["column_loss"]
            self.assertAlmostEqual(result["metrics"]["lm"], (50 * losses[column] + losses[other]) / 51)
        explored = self.result("tables", "explore", *self.asked[2:-4], "--ks", "90", "--methods", "optimal", "--weight", "sex=50", "--out", "map")
        self.assertAlmostEqual(1 - explored["points"][0]["utility"], result["metrics"]["lm"])
        planned = self.result("tables", "plan", *self.asked[2:-4], "--ks", "5,90", "--methods", "optimal,mondrian", "--weight", "sex=50")
        self.assertEqual(planned["settings"], 4)
        self.assertIn("from 0 to", self.error(*self.asked, "--k", "5", "--weight", "age=-1"))
        self.assertIn("no column counts", self.error(*self.asked, "--k", "5", "--weight", "age=0", "--weight", "sex=0"))

    def test_one_value_is_bounded_and_others_are_not(self):
        for method in ("optimal", "local", "mondrian", "cluster-up"):
            result = self.result(*self.asked, "--method", method, "--value-risk", "0.2:hiv@ill", "--value-risk", "0.9:flu")
            shares = collections.defaultdict(collections.Counter)
            for row in self.rows("out.csv"):
                shares[row["age"], row["sex"]][row["ill"]] += 1
            most = max(counts["hiv"] / counts.total() for counts in shares.values())
            self.assertLessEqual(most, 0.2)
            self.assertAlmostEqual(result["models"]["value-risk:hiv"]["achieved"], most)
            self.assertTrue(self.result("verify", "out.csv")["holds"])
        self.assertIn("no value", self.error(*self.asked, "--value-risk", "0.2:plague@ill"))

    def test_spelling_makes_no_second_value(self):
        # In each decade two ways to write one illness; another illness only where decades are joined.
        rows = [f"{21 + i % 8},{['E11.9', 'e119'][i % 2]}\n" for i in range(20)] + [f"{31 + i % 8},{['Flu', ' flu'][i % 2]}\n" for i in range(20)]
        self.file("spelled.csv", "age,ill\n" + "".join(rows))
        asked = ("tables", "protect", "spelled.csv", "--qi", "age", "--sensitive", "ill", "--hierarchy", "age=interval:10,20", "--seed", "1",
                 "--out", "out.csv")
        for method in ("optimal", "local", "mondrian", "cluster-up"):
            result = self.result(*asked, "--k", "2", "--l", "2", "--method", method)
            self.assertGreaterEqual(result["models"]["l"]["achieved"], 2, method)
            self.assertIn("count as one", " ".join(result["warnings"]))
        self.assertTrue(self.result("verify", "out.csv")["holds"])
        risk = self.result(*asked, "--k", "2", "--value-risk", "0.5:FLU@ill")
        self.assertAlmostEqual(list(risk["models"].values())[1]["achieved"], 0.5)
        groups = self.result(*asked, "--l", "2", "--method", "anatomy")
        self.assertGreaterEqual(groups["models"]["anatomy"]["achieved"], 2)
        self.error(*asked, "--l", "3", "--method", "anatomy", exit_code=1)


if __name__ == "__main__":
    unittest.main()
