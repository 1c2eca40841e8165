#!/usr/bin/env python3
"""apps/pratique/attack_test.py PROGRAM: what tables attack knows from the manifest, and what it cannot read."""
import random
import unittest

from program_in_folder import ProgramInFolder

CODES = ["250.01", "250.02", "428.0", "428.1", "V45.1", "401.9"]


class AttackTest(ProgramInFolder):
    def setUp(self):
        super().setUp()
        draw = random.Random(4)
        rows = [[f"p{i}", draw.choice(CODES), draw.choice(["02138", "02139", "05901"]), draw.choice(["<30", ">30", "NO"]),
                 str(draw.randrange(20, 80)), draw.choice(["flu", "gout"])] for i in range(200)]
        head = "name,diag_1,zip,readmitted,age,illness\n"
        self.file("people.csv", head + "".join(",".join(row) + "\n" for row in rows))

    def attack(self, release, *options, exit_code=0):
        return self.result("tables", "attack", release, "--register", "people.csv", *options, exit_code=exit_code)

    def test_hierarchies_come_from_the_manifest(self):
        self.result("tables", "protect", "people.csv", "--id", "name,zip,readmitted,age", "--qi", "diag_1", "--sensitive", "illness",
                    "--k", "5", "--method", "levels", "--levels", "diag_1=2", "--out", "out.csv")
        self.assertEqual({row["diag_1"] for row in self.rows("out.csv")}, {"250", "428", "V45", "401"})
        known = self.attack("out.csv", "--on", "diag_1")
        self.assertEqual((known["linked"], known["release_rows_matched"]), (200, 200))
        self.assertNotIn("unread", known)
        (self.path / "out.csv.manifest.json").unlink()
        blind = self.attack("out.csv", "--on", "diag_1", "--fail-above", "0.9", exit_code=1)
        self.assertEqual((blind["tried"], blind["linked"], blind["unread"]), (False, None, {"diag_1": 200}))
        self.assertIn("--hierarchy", blind["note"])

    def test_a_register_of_nobody_finds_nothing_out(self):
        self.file("nobody.csv", "name,age,zip\n")
        found = self.result("tables", "attack", "people.csv", "--register", "nobody.csv", "--on", "age,zip")
        self.assertEqual((found["tried"], found["targets"], found["linked_uniquely"]), (False, 0, None))
        self.assertIn("names nobody", found["note"])

    def test_a_column_that_left_as_it_is_holds_values(self):
        self.result("tables", "protect", "people.csv", "--id", "name,zip", "--qi", "age,readmitted", "--sensitive", "illness",
                    "--insensitive", "diag_1", "--k", "5", "--out", "out.csv")
        # Somebody who knows a number of days, which the release does not have.
        self.file("people.csv", "name,readmitted\nx,12\ny,<30\n")
        self.assertEqual(self.attack("out.csv", "--on", "readmitted")["linked"], 1)
        (self.path / "out.csv.manifest.json").unlink()
        self.assertEqual(self.attack("out.csv", "--on", "readmitted")["linked"], 2)

    def test_zip_codes_of_safe_harbor_are_compared_by_three_digits(self):
        self.result("tables", "protect", "people.csv", "--safe-harbor", "--id", "name", "--insensitive",
                    "diag_1,zip,readmitted,age", "--sensitive", "illness", "--out", "out.csv")
        self.assertEqual(self.attack("out.csv", "--on", "zip")["linked"], 200)

    def test_whose_the_rows_are_is_asked(self):
        # Three visits each: one row of a person fits nobody else, and yet three rows fit the person.
        self.file("visits.csv", "patient_nbr,age,ill\n" + "".join(f"{7000 + i},{20 + i},flu\n" * 3 for i in range(40)))
        self.file("register.csv", "name,age\n" + "".join(f"N{i},{20 + i}\n" for i in range(40)))
        command = ["tables", "attack", "visits.csv", "--register", "register.csv", "--on", "age"]
        message = self.error(*command)
        self.assertIn("'patient_nbr' repeats", message)
        self.assertIn("--person patient_nbr", message)
        self.assertEqual(self.result(*command, "--person", "patient_nbr")["linked_uniquely"], 40)
        self.assertEqual(self.result(*command, "--rows-are-people")["linked_uniquely"], 0)
        self.assertIn("contradict", self.error(*command, "--rows-are-people", "--person", "patient_nbr"))

    def test_what_cannot_be_read_is_counted(self):
        self.file("foreign.csv", "age,job\n[20-30),x\n[30-80],x\n\"CEO, Deutsche Bank\",y\n")
        result = self.attack("foreign.csv", "--on", "age")
        self.assertEqual(result["unread"], {"age": 1})
        self.assertEqual(result["linked"], 200)


    def test_spellings_of_one_value_disclose_it(self):
        rows = [f"{sex},{value}" for sex, values in (("F", ("hiv", "HIV")), ("M", ("flu", "Flu "))) for value in values for _ in range(5)]
        people = self.file("spelled.csv", "sex,dx\n" + "\n".join(rows) + "\n")
        register = self.file("sexes.csv", "name,sex\n" + "\n".join(f"P{i},{row[0]}" for i, row in enumerate(rows)) + "\n")
        result = self.result("tables", "protect", people, "--qi", "sex", "--sensitive", "dx", "--k", "5", "--out", "spelled_out.csv")
        self.assertEqual(result["before"]["sensitive_disclosed"], 20)
        self.assertEqual(result["after"]["sensitive_disclosed"], 20)
        self.assertEqual(result["after"]["believed"], 20)
        found = self.result("tables", "attack", "spelled_out.csv", "--register", register, "--on", "sex", "--sensitive", "dx")
        self.assertEqual(found["sensitive_disclosed"], 20)
        self.assertTrue(self.result("verify", "spelled_out.csv")["holds"])


if __name__ == "__main__":
    unittest.main()
