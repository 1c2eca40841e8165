#!/usr/bin/env python3
"""apps/pratique/anatomy_test.py PROGRAM: two tables that only a group's number joins."""
import collections
import json
import random
import unittest

from program_in_folder import ProgramInFolder


class AnatomyTest(ProgramInFolder):
    def setUp(self):
        super().setUp()
        draw = random.Random(3)
        self.people = [(draw.randrange(20, 70), draw.choice("FM"), draw.choice(["flu", "cold", "gout", "asthma"])) for _ in range(103)]
        self.file("people.csv", "name,age,sex,ill\n" + "".join(f"P{i},{a},{s},{ill}\n" for i, (a, s, ill) in enumerate(self.people)))
        self.asked = ("tables", "protect", "people.csv", "--id", "name", "--qi", "age,sex", "--sensitive", "ill", "--method", "anatomy",
                      "--out", "out.csv")

    def test_no_value_has_more_than_one_in_l_of_a_group(self):
        result = self.result(*self.asked, "--l", "3")
        self.assertIn("hides nobody", result["note"])
        self.assertEqual(result["files"], ["out.csv", "out.csv.values.csv"])
        records, values = self.rows("out.csv"), self.rows("out.csv.values.csv")
        self.assertEqual(collections.Counter((int(r["age"]), r["sex"]) for r in records),
                         collections.Counter((age, sex) for age, sex, _ in self.people))
        self.assertEqual(list(records[0]), ["age", "sex", "group"])
        sizes = collections.Counter(row["group"] for row in records)
        self.assertEqual(len(sizes), result["groups"])
        of_group = collections.defaultdict(dict)
        for row in values:
            of_group[row["group"]][row["ill"]] = int(row["count"])
        self.assertEqual({group: sum(counts.values()) for group, counts in of_group.items()}, dict(sizes))
        for counts in of_group.values():
            self.assertLessEqual(3 * max(counts.values()), sum(counts.values()))
        total = collections.Counter()
        for counts in of_group.values():
            total.update(counts)
        self.assertEqual(total, collections.Counter(ill for _, _, ill in self.people))
        self.assertTrue(self.result("verify", "out.csv")["holds"])
        # What is beside the values of a group is nobody's: the order of rows says nothing.
        positions = {row["group"]: i for i, row in enumerate(records)}
        self.assertNotEqual(sorted(positions, key=positions.get), sorted(positions, key=int))

    def test_figures_say_that_nobody_is_hidden(self):
        result = self.result(*self.asked, "--l", "3")
        alone = sum(1 for count in collections.Counter((a, s) for a, s, _ in self.people).values() if count == 1)
        self.assertGreater(alone, 0)
        for when in ("before", "after"):
            self.assertEqual(result[when]["unique"], alone)
            self.assertEqual(result[when]["singled_out"], alone)
        self.assertEqual(result["after"]["sensitive_disclosed"], 0)
        self.assertEqual(result["after"]["believed"], 0)
        self.result("report", "out.csv", "--format", "json", "--out", "report.json")
        report = json.loads((self.path / "report.json").read_text())["releases"][0]
        self.assertIn("Anatomy hides nobody", " ".join(report["limits"]))
        self.assertIn("stand alone", report["verdict"])
        self.assertFalse(report["repeatable"])
        self.assertEqual(report["standing"], "holds")

    def test_a_report_to_hand_out_says_what_it_is(self):
        self.result(*self.asked, "--l", "3")
        self.result("report", "out.csv", "--public", "--format", "json", "--out", "report.json")
        report = json.loads((self.path / "report.json").read_text())["releases"][0]
        became = {column["column"]: column["became"] for column in report["columns"]}
        self.assertIn("unchanged", became["age"])
        self.assertNotIn("generalised", became["age"] + became["sex"])
        self.assertIn("singled_out", [attack["figure"] for attack in report["attacks"]])
        self.assertEqual({attack["before"] for attack in report["attacks"]}, {None})
        self.result("report", "out.csv", "--public", "--out", "report.md")
        self.assertNotIn("records no attack", (self.path / "report.md").read_text())

    def test_values_of_a_release_that_is_replaced_go_with_it(self):
        self.result(*self.asked, "--l", "3")
        values = self.path / "out.csv.values.csv"
        self.result("tables", "protect", "people.csv", "--id", "name", "--qi", "age,sex", "--sensitive", "ill", "--k", "3", "--out",
                    "out.csv")
        self.assertFalse(values.exists())
        # What Pratique did not write stays.
        self.result(*self.asked, "--l", "3")
        values.write_text("mine\n")
        self.result("tables", "protect", "people.csv", "--id", "name", "--qi", "age,sex", "--sensitive", "ill", "--k", "3", "--out",
                    "out.csv")
        self.assertEqual(values.read_text(), "mine\n")

    def test_a_table_that_was_changed_does_not_verify(self):
        self.result(*self.asked, "--l", "3")
        values = self.path / "out.csv.values.csv"
        lines = values.read_text().splitlines()
        values.write_text("\n".join(lines[:-1]) + "\n")
        self.assertFalse(self.result("verify", "out.csv", exit_code=1)["holds"])
        values.unlink()
        self.assertFalse(self.result("verify", "out.csv", exit_code=1)["holds"])

    def test_what_it_cannot_hold_is_refused(self):
        for options in (("--k", "3"), ("--l", "2", "--k", "3"), ("--t", "0.2"), ("--l", "2", "--diversity", "entropy")):
            self.assertIn("l-diversity", self.error(*self.asked, *options))
        for options in (("--suppression", "0.1"), ("--safe-harbor",), ("--person", "name"), ("--perturb", "age=noise:0.1")):
            self.assertIn(options[0], self.error(*self.asked, "--l", "2", *options))
        self.assertIn("no effect", self.error(*self.asked, "--l", "2", "--recoding", "free"))
        message = self.error(*self.asked, "--l", "5", exit_code=1)
        most = max(collections.Counter(ill for _, _, ill in self.people).values())
        self.assertIn(f"{most} of 103 records", message)
        self.assertIn(f"--l {103 // most}", message)
        self.file("out.csv.values.csv", "mine\n")
        self.assertIn("not part of a release", self.error(*self.asked, "--l", "2"))

    def test_nothing_repeats_explains_or_composes_it(self):
        self.result(*self.asked, "--l", "3")
        first = (self.path / "out.csv").read_bytes()
        self.assertIn("not recorded", self.result("repeat", "out.csv", exit_code=1)["note"])
        self.assertIn("nothing to explain", self.error("tables", "explain", "out.csv", "--class", "1"))
        self.result("ledger", "init", "ledger")
        added = self.result("ledger", "add", "ledger", "out.csv", exit_code=1)
        self.assertIn("anatomy", added["sequence"]["why_not"])
        # Who is alone by quasi-identifiers is found, whatever was not attacked.
        alone = sum(1 for count in collections.Counter((a, s) for a, s, _ in self.people).values() if count == 1)
        refused = self.result("ledger", "add", "ledger", "out.csv", "--allow-unattacked", exit_code=1)
        self.assertAlmostEqual(refused["breach"], alone / 103)
        self.result("ledger", "add", "ledger", "out.csv", "--allow-unattacked", "--max-breach", "1")
        [entry] = self.result("ledger", "list", "ledger")["entries"]
        self.assertEqual((entry["k"], entry["breach"]), (None, -(-100 * alone // 103) / 100))
        self.result(*self.asked, "--l", "3", "--seed", "1")
        self.assertNotEqual((self.path / "out.csv").read_bytes(), first)
        self.assertIn("anatomy", self.error("tables", "explore", "people.csv", "--id", "name", "--qi", "age,sex", "--sensitive", "ill",
                                            "--methods", "anatomy", "--out", "map"))


if __name__ == "__main__":
    unittest.main()
