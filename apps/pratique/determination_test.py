#!/usr/bin/env python3
"""An expert determination as a steward and an expert make it. Run by ctest as: determination_test.py PROGRAM"""
import json
import re
import unittest

from releases_in_folder import ReleasesInFolder

WORDS = {
    "recipient": "University of Northland", "purpose": "readmissions", "approved_by": "the steward",
    "setting": "agreement", "threshold": "0.25", "threshold_source": "policy 7", "remaining": "little",
    "who_could_know": "a neighbour", "expert": "E. Xpert", "qualification": "a statistician", "method": "this one",
    "date": "2026-11-01", "valid_until": "2099-11-01",
}


class DeterminationTest(ReleasesInFolder):
    def filled_in(self, **changes):
        """The file that the program wrote to fill in, filled in as a person would."""
        text = (self.path / "to-fill-in.yaml").read_text()
        text = text.replace("controls: []", 'controls: ["a contract"]')
        words = {**WORDS, **changes}
        text = re.sub(r'^(\w+): ""$', lambda line: f'{line[1]}: "{words[line[1]]}"', text, flags=re.M)
        text = re.sub(r'^(  ".*?"): ""', r'\1: "words of the steward"', text, flags=re.M)
        self.file("determination.yaml", text)
        return "determination.yaml"

    def setUp(self):
        super().setUp()
        # l holds the illness, so that nothing leaves that no model holds.
        self.release("out.csv", "--l", "2")
        self.result("determination", "out.csv", "--out", "to-fill-in.yaml")

    def report(self, determination, *more, exit_code=0, out="report.html"):
        result = self.result("report", "out.csv", "--determination", determination, "--out", out, *more,
                             exit_code=exit_code)
        return result["determination"], (self.path / out).read_text()

    def test_what_is_not_filled_in_makes_a_draft(self):
        found, page = self.report("to-fill-in.yaml", exit_code=1)
        self.assertTrue(found["draft"])
        self.assertIn("Expert determination (draft)", page)
        for field in ("threshold", "expert", "replicable: age", "available: illness", "controls"):
            self.assertIn(field, found["missing"])
        self.assertIn("available: age, sex, zip, illness", page)
        self.assertNotIn("available: name", found["missing"])
        self.result("ledger", "init", "ledger")
        self.assertIn("a draft is not signed", self.error("report", "out.csv", "--determination", "to-fill-in.yaml", "--sign",
                                                          "ledger.key", "--out", "other.html"))

    def test_the_conclusion_follows_from_the_figures(self):
        found, page = self.report(self.filled_in())
        self.assertEqual((found["draft"], found["standing"], found["threshold"]), (False, "holds", 0.25))
        rows = self.rows("out.csv")
        sizes = {}
        for row in rows:
            key = (row["age"], row["sex"], row["zip"])
            sizes[key] = sizes.get(key, 0) + 1
        self.assertAlmostEqual(found["highest_risk"], 1 / min(sizes.values()))
        for words in ("The risk is very small", "E. Xpert", "words of the steward", "policy 7", "a contract"):
            self.assertIn(words, page)

        found, page = self.report(self.filled_in(threshold="0.09"), exit_code=1)
        self.assertEqual(found["standing"], "fails")
        self.assertIn("The risk is not very small", page)
        found, _ = self.report(self.filled_in(valid_until="2026-11-02", date="2026-11-01"), exit_code=1)
        self.assertEqual(found["standing"], "fails")

    def test_whoever_knows_all_rows_of_a_person_is_an_adversary(self):
        """28 people, each at station A and at two others, and no two at the same: every row alone is shared."""
        stations = "BCDEFGHI"
        pairs = [(a, b) for i, a in enumerate(stations) for b in stations[i + 1:]]
        rows = "".join(f"P{i:03},m,{station}\n" for i, pair in enumerate(pairs) for station in ("A", *pair))
        self.file("stays.csv", "patient,sex,station\n" + rows)
        self.result("tables", "protect", "stays.csv", "--person", "patient", "--id", "patient", "--qi", "sex", "--insensitive",
                    "station", "--k", "5", "--out", "stays-out.csv")
        self.result("determination", "stays-out.csv", "--out", "to-fill-in.yaml", "--force")
        found = self.result("report", "stays-out.csv", "--determination", self.filled_in(), "--out", "stays.html",
                            exit_code=1)["determination"]
        self.assertEqual((found["standing"], found["highest_risk"]), ("fails", 1))

    def test_a_signature_covers_every_byte(self):
        self.result("ledger", "init", "ledger")
        self.result("report", "out.csv", "--determination", self.filled_in(), "--sign", "ledger.key", "--out", "report.html")
        self.assertTrue(self.result("signature", "report.html", "--ledger", "ledger")["holds"])
        self.result("ledger", "init", "other")
        self.assertFalse(self.result("signature", "report.html", "--ledger", "other", exit_code=1)["holds"])
        page = (self.path / "report.html").read_bytes()
        (self.path / "report.html").write_bytes(page.replace(b"very small", b"very large", 1))
        found = self.result("signature", "report.html", exit_code=1)
        self.assertEqual((found["holds"], found["file_matches"]), (False, False))

    def test_what_is_signed_stays(self):
        self.result("ledger", "init", "ledger")
        self.result("report", "out.csv", "--determination", self.filled_in(), "--sign", "ledger.key", "--out", "report.html")
        before = (self.path / "report.html").read_bytes()
        for more in ([], ["--force"], ["--sign", "ledger.key"]):
            self.assertIn("this report is signed", self.error("report", "out.csv", "--out", "report.html", *more))
        self.assertEqual((self.path / "report.html").read_bytes(), before)
        self.assertTrue(self.result("signature", "report.html", "--ledger", "ledger")["holds"])
        # What was decided is found again in it, and nobody need ask.
        block = json.loads(re.search(r'id="pratique-report">(.*?)</script>', before.decode())[1])
        self.assertEqual([block[key] for key in ("recipient", "purpose", "approved_by")],
                         ["University of Northland", "readmissions", "the steward"])

    def test_the_ledger_takes_no_release_whose_determination_does_not_hold(self):
        self.result("ledger", "init", "ledger")
        self.report(self.filled_in(threshold="0.01"), exit_code=1)
        self.error("ledger", "add", "ledger", "out.csv", "--report", "report.html")
        self.report(self.filled_in(), out="good.html")
        self.result("ledger", "add", "ledger", "out.csv", "--report", "good.html")

    def test_what_was_filled_in_is_not_replaced(self):
        self.filled_in()
        self.assertIn("a file with this name exists", self.error("determination", "out.csv", "--out", "determination.yaml"))

    def test_one_release_and_known_names(self):
        self.file("d.yaml", "available: {illnes: x}\n")
        self.assertIn("Did you mean illness?", self.error("report", "out.csv", "--determination", "d.yaml", "--out", "r.html"))
        self.release("again.csv", "--l", "2")
        self.assertIn("about one release",
                      self.error("report", "out.csv", "again.csv", "--determination", "d.yaml", "--out", "r.html"))

    def test_safe_harbor_has_its_own_page(self):
        people = "name,born,zip,phone,illness\n" + "".join(
            f"Person {i},19{50 + i % 40}-03-0{1 + i % 9},0213{i % 10},617-555-01{i:02},{'flu' if i % 2 else 'gout'}\n"
            for i in range(60))
        self.file("sh.csv", people)
        self.result("tables", "protect", "sh.csv", "--safe-harbor", "--as-of", "2026", "--id", "name,phone", "--qi",
                    "born,zip", "--sensitive", "illness", "--out", "sh-out.csv")
        self.result("report", "sh-out.csv", "--out", "sh.json")
        rows = json.loads((self.path / "sh.json").read_text())["releases"][0]["safe_harbor"]
        letters = "".join(dict.fromkeys(row["paragraph"] for row in rows))
        self.assertEqual(letters, "ABCDEFGHIJKLMNOPQR")
        done = {row["identifier"]: row["done"] for row in rows}
        self.assertIn("phone: left out", done["telephone numbers"])
        self.assertTrue(any("born: years alone" in text for text in done.values()), done)
        self.assertTrue(any("zip: three digits" in text for text in done.values()), done)
        self.assertTrue(all(row["checked"] for row in rows))


if __name__ == "__main__":
    unittest.main()
