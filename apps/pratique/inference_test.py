#!/usr/bin/env python3
"""apps/pratique/inference_test.py PROGRAM: what somebody infers of sensitive values who knows more than a class shows."""
import json
import unittest

from program_in_folder import ProgramInFolder


class InferenceTest(ProgramInFolder):
    def setUp(self):
        super().setUp()
        # Two values of two and three people who agree among themselves: they leave in one class. Of the ten ways to deal the
        # values to them, four leave a place with one value; the others would have left the places apart. So somebody of the
        # north has hiv with 1/4, where the class says 2/5, and somebody of the south flu with 1/2, where it says 3/5.
        self.file("people.csv", "place,ill\n" + "north,hiv\n" * 2 + "south,flu\n" * 3 + "west,hiv\nwest,flu\n")

    def protect(self, *options):
        return self.result("tables", "protect", "people.csv", "--qi", "place", "--sensitive", "ill", "--seed", "1", "--out", "out.csv",
                           *options)

    def test_how_far_local_recoding_went_tells_values(self):
        result = self.protect("--method", "local", "--k", "2", "--l", "2")
        self.assertEqual(result["classes"], 2)
        self.assertEqual(result["before"]["believed"], 5)
        self.assertEqual(result["after"]["believed"], 0)
        self.assertEqual(result["before"]["minimality"]["believed"], 5)
        found = result["after"]["minimality"]
        self.assertEqual((found["concluded"], found["believed"], found["beyond_limit"], found["not_tried"]), (5, 0, 0, 0))

    def test_what_rests_on_the_original_is_not_told(self):
        self.protect("--method", "local", "--k", "2", "--l", "2")
        told = json.loads((self.path / "out.csv.manifest.json").read_text())["results"]
        self.assertEqual(told["after"]["believed"], 0)
        self.assertNotIn("minimality", told["after"])
        self.assertNotIn("before", told)
        self.result("report", "out.csv", "--format", "json", "--out", "report.json")
        report = json.loads((self.path / "report.json").read_text())["releases"][0]
        figures = {figure["figure"]: figure for figure in report["attacks"]}
        self.assertEqual((figures["minimality.believed"]["before"], figures["minimality.believed"]["after"]), (5, 0))
        self.result("report", "out.csv", "--public", "--format", "json", "--out", "public.json")
        self.assertNotIn("minimality", (self.path / "public.json").read_text())

    def test_k_alone_tells_nothing_and_other_methods_are_not_tried(self):
        self.assertNotIn("minimality", self.protect("--k", "2")["after"])
        result = self.protect("--method", "mondrian", "--label", "ill", "--l", "2")
        self.assertNotIn("minimality", result["after"])
        self.assertIn("optimal and local", result["minimality_not_tried"])

    def sexes(self):
        # Men, women, and two whose sex is hidden because their ages differ from everybody's.
        self.file("people.csv", "age,sex,ill\n" + "20,M,flu\n20,M,cold\n40,F,flu\n40,F,ovarian cancer\n" * 30
                  + "60,M,flu\n60,F,ovarian cancer\n")
        return ("tables", "protect", "people.csv", "--qi", "age,sex", "--sensitive", "ill", "--k", "2", "--seed", "1", "--out", "out.csv")

    def test_no_man_has_ovarian_cancer(self):
        result = self.result(*self.sexes(), "--method", "local")
        self.assertEqual(result["classes"], 3)
        self.assertEqual((result["before"]["believed"], result["before"]["rules"]["believed"]), (2, 2))
        self.assertEqual(result["after"]["believed"], 0)
        self.assertEqual((result["after"]["rules"]["believed"], result["after"]["rules"]["mistaken"]), (2, 0))
        self.assertNotIn("rules", json.loads((self.path / "out.csv.manifest.json").read_text())["results"]["after"])
        # Nobody relies on subgroups that small.
        self.assertEqual(self.result(*self.sexes(), "--method", "local", "--rule-support", "61")["after"]["rules"]["believed"], 0)

    def test_a_public_table_tells_what_the_release_hides(self):
        hidden = [*self.sexes(), "--method", "levels", "--levels", "sex=1"]
        self.assertEqual(self.result(*hidden)["after"]["rules"], {"believed": 0, "believed_share": 0})
        self.file("public.csv", "ill,sex\n" + "flu,M\nflu,F\novarian cancer,F\n" * 60)
        # The man of 60 has no such cancer, and so the woman has. Nobody of 20 or 40 is sure.
        rules = self.result(*hidden, "--rules-from", "public.csv")["after"]["rules"]
        self.assertEqual((rules["believed"], rules["mistaken"]), (2, 0))
        self.assertTrue(self.result("repeat", "out.csv")["same"])
        self.file("other.csv", "place,ill\nhere,flu\n")
        self.assertIn("no quasi-identifier", self.error(*hidden, "--rules-from", "other.csv"))


if __name__ == "__main__":
    unittest.main()
