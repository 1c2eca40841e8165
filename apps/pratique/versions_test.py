#!/usr/bin/env python3
"""A table that is released again as it grows. Run by ctest as: versions_test.py PROGRAM"""
import collections
import json
import random
import re
import unittest

from program_in_folder import ProgramInFolder

HEADER = "name,age,zip,illness\n"
ILLNESSES = ["flu", "gout", "asthma", "cough", "measles"]
ROLES = ["--id", "name", "--qi", "age,zip", "--sensitive", "illness", "--hierarchy", "age=interval:10,20", "--hierarchy",
         "zip=prefix", "--k", "5", "--l", "3"]


def person(number, chance):
    return f"P{number},{chance.randrange(20, 60)},130{chance.randrange(3)}{chance.randrange(10)},{chance.choice(ILLNESSES)}\n"


class VersionsTest(ProgramInFolder):
    def protect(self, people, out, *more, exit_code=0):
        return self.result("tables", "protect", people, *ROLES, "--seed", "1", "--out", out, *more, exit_code=exit_code)

    def again(self, people, out, *earlier, suppression="0.5", exit_code=0):
        return self.protect(people, out, "--method", "again", "--suppression", suppression,
                            *(part for release in earlier for part in ("--against", release)), exit_code=exit_code)

    def lines(self, release):
        return collections.Counter((self.path / release).read_text().splitlines()[1:])

    def test_one_newcomer_waits(self):
        chance = random.Random(1)
        rows = [person(i, chance) for i in range(200)]
        self.file("old.csv", HEADER + "".join(rows))
        self.file("new.csv", HEADER + "".join(rows) + "Zoe,27,13001,HIV\n")
        self.protect("old.csv", "first.csv", "--method", "levels", "--levels", "age=1,zip=2")
        second = self.again("new.csv", "second.csv", "first.csv")
        self.assertEqual(second["waiting"], 1)
        self.assertEqual(second["levels"], {"age": 1, "zip": 2})
        self.assertEqual(self.lines("first.csv"), self.lines("second.csv"))
        # From any folder: the earlier release lies beside the manifest.
        elsewhere = self.run_program("verify", str(self.path / "second.csv"), "--json", cwd="/")
        self.assertTrue(json.loads(elsewhere.stdout)["holds"], elsewhere.stderr)
        refused = self.error("tables", "protect", "new.csv", *ROLES, "--method", "again", "--against", "first.csv", "--out",
                             "third.csv", exit_code=1)
        self.assertIn("--suppression allows 0 in all", refused)
        self.again("new.csv", "third.csv", "first.csv", suppression=re.search(r"Allow it with --suppression ([\d.]+)", refused)[1])
        # Somebody who adds the line by hand is found out, though the hash is made to fit.
        (self.path / "second.csv").write_text((self.path / "second.csv").read_text() + "20..29,130**,HIV\n")
        failed = self.result("verify", "second.csv", exit_code=1)
        claim = next(claim for claim in failed["claims"] if claim["model"] == "safe-versions")
        self.assertFalse(claim["holds"])
        self.assertEqual(claim["achieved"], 1)

    def test_newcomers_with_one_illness_in_many_spellings_wait(self):
        chance = random.Random(1)
        rows = [person(i, chance) for i in range(200)]
        joiners = [f"Z{i},27,13001,{illness}\n" for i, illness in enumerate(("hiv", "HIV", "Hiv", " hiv", "hIV", "HIV"))]
        self.file("old.csv", HEADER + "".join(rows))
        self.file("new.csv", HEADER + "".join(rows) + "".join(joiners))
        self.protect("old.csv", "first.csv", "--method", "levels", "--levels", "age=1,zip=2")
        self.assertEqual(self.again("new.csv", "second.csv", "first.csv")["waiting"], 6)
        # The same illnesses in capitals: a record that is written otherwise tells that something changed.
        self.file("new.csv", HEADER + "".join(rows).upper())
        self.assertIn("200 more have to wait", self.error("tables", "protect", "new.csv", *ROLES, "--method", "again", "--suppression",
                                                          "0.5", "--against", "first.csv", "--out", "third.csv", exit_code=1))

    def test_growing_worlds_pass_the_ledger(self):
        waited = 0
        compared = 0
        for seed in range(6):
            chance = random.Random(seed)
            rows = [person(i, chance) for i in range(chance.randrange(150, 400))]
            ledger = f"ledger{seed}"
            self.result("ledger", "init", ledger)
            releases = []
            for version in range(3):
                people = self.file(f"people{seed}-{version}.csv", HEADER + "".join(rows))
                release = f"out{seed}-{version}.csv"
                if version == 0:
                    self.protect(people, release, "--method", "levels", "--levels", "age=1,zip=2", "--suppression", "0.5")
                else:
                    waited += self.again(people, release, *releases, suppression="1")["waiting"]
                # A version in which nothing could change is the release before.
                if all(self.lines(release) != self.lines(earlier) for earlier in releases):
                    added = self.result("ledger", "add", ledger, release, "--population", "clinic")
                    self.assertEqual(added["breach"], 0)
                    releases.append(release)
                    compared += version > 0
                for _ in range(chance.randrange(10)):
                    rows.pop(chance.randrange(len(rows)))
                rows += [person(1000 * (version + 1) + i, chance) for i in range(chance.randrange(60))]
        self.assertGreater(waited, 0)
        self.assertGreater(compared, 6)

    def test_what_is_no_version_is_refused(self):
        chance = random.Random(2)
        self.file("people.csv", HEADER + "".join(person(i, chance) for i in range(200)))
        self.protect("people.csv", "first.csv", "--method", "levels", "--levels", "age=1,zip=2")
        again = ["tables", "protect", "people.csv", "--seed", "1", "--out", "x.csv", "--method", "again"]
        self.assertIn("--against", self.error(*again, *ROLES))
        self.assertIn("no effect with --method optimal",
                      self.error(*again[:-1], "optimal", *ROLES, "--against", "first.csv"))
        roles = [role.replace("interval:10,20", "interval:5,10") for role in ROLES]
        self.assertIn("other hierarchies", self.error(*again, *roles, "--against", "first.csv"))
        roles = ["--id", "name", "--qi", "age", "--sensitive", "illness", "--insensitive", "zip", "--k", "5", "--hierarchy",
                 "age=interval:10,20"]
        self.assertIn("only quasi-identifiers and sensitive columns leave, not zip",
                      self.error(*again, *roles, "--allow", "zip", "--against", "first.csv"))
        self.protect("people.csv", "cut.csv", "--method", "mondrian")
        self.assertIn("not each generalised to one level", self.error(*again, *ROLES, "--against", "cut.csv"))
        self.protect("people.csv", "other.csv", "--method", "levels", "--levels", "age=2,zip=3")
        self.assertIn("other levels", self.error(*again, *ROLES, "--against", "first.csv", "--against", "other.csv"))

    def test_it_can_be_repeated_and_reported(self):
        chance = random.Random(3)
        rows = [person(i, chance) for i in range(300)]
        self.file("old.csv", HEADER + "".join(rows[:250]))
        self.file("new.csv", HEADER + "".join(rows))
        self.protect("old.csv", "first.csv", "--method", "levels", "--levels", "age=1,zip=2")
        self.again("new.csv", "second.csv", "first.csv")
        self.result("repeat", "second.csv")
        self.result("report", "second.csv", "--purpose", "a study", "--out", "report.html")
        self.assertIn("safe versions", (self.path / "report.html").read_text())
        manifest = json.loads((self.path / "second.csv.manifest.json").read_text())
        self.assertEqual([claim["model"] for claim in manifest["claims"]],
                         ["k-anonymity", "distinct-l-diversity", "safe-versions"])


if __name__ == "__main__":
    unittest.main()
