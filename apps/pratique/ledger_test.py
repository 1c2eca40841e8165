#!/usr/bin/env python3
"""The ledger as a user meets it. Run by ctest as: ledger_test.py PROGRAM"""
import hashlib
import itertools
import collections
import json
import os
import re
import shutil
import subprocess
import time
import unittest

from program_in_folder import PROGRAM, ProgramInFolder

# Eight people in two hospitals' records. By age and by zip they are grouped differently, and the groups of two
# releases share one illness for some.
PEOPLE = """name,age,zip,illness
Ann,21,13001,flu
Bob,22,13001,gout
Cid,23,13002,asthma
Dot,24,13002,cough
Eve,31,13001,flu
Fay,32,13001,asthma
Gil,33,13002,gout
Hal,34,13002,measles
"""


class LedgerTest(ProgramInFolder):
    def setUp(self):
        super().setUp()
        (self.path / "people.csv").write_text(PEOPLE)
        self.head = self.result("ledger", "init", "ledger")["head"]

    def protect(self, out, qi, levels, *more, people="people.csv", k="2", l="2"):
        self.result("tables", "protect", people, "--id", "name", "--qi", qi, "--sensitive", "illness", "--hierarchy",
                    "age=interval:10", "--hierarchy", "zip=prefix", "--method", "levels", "--levels", levels, "--k", k,
                    *(["--l", l] if l else []), "--seed", "1", "--out", out, *more)
        return out

    def by_age(self, *more):
        return self.protect("age.csv", "age,zip", "age=1,zip=5", *more)

    def by_zip(self, *more):
        return self.protect("zip.csv", "age,zip", "age=2,zip=0", *more)

    def text(self):
        return (self.path / "ledger").read_text()

    def test_the_sequence_is_attacked_and_refused(self):
        first = self.result("ledger", "add", "ledger", self.by_age())
        self.assertEqual(first["sequence"]["k_alone"], 4)
        self.assertEqual(first["sequence"]["k_across"], 4)
        self.assertEqual(first["breach"], 0)
        # By hand: the twenties have flu, gout, asthma, cough; the thirties flu, asthma, gout, measles; 13001 has flu,
        # gout, flu, asthma; 13002 asthma, cough, gout, measles. Twenties in 13001 keep flu, gout and asthma; twenties in 13002
        # gout, asthma and cough; thirties in 13001 flu, asthma and gout; in 13002 asthma, gout and measles. Nobody is
        # left with one value, but every joint cell has two people.
        second = self.result("ledger", "add", "ledger", self.by_zip())
        self.assertEqual(second["earlier"], [1])
        self.assertEqual(second["sequence"]["attributes"][0]["disclosed"], 0)
        self.assertEqual(second["sequence"]["attributes"][0]["values_left"], 3)
        self.assertEqual(second["sequence"]["k_across"], 2)
        # Another hospital publishes illness by zip and exact age band, with one value in common for the thirties of 13002.
        (self.path / "other.csv").write_text("age,zip,illness\n" + "30..39,13002,measles\n" * 3 + "20..29,1300*,flu\n" +
                                             "20..29,1300*,gout\n20..29,1300*,asthma\n20..29,1300*,cough\n" +
                                             "30..39,13001,flu\n30..39,13001,gout\n")
        third = self.protect("both.csv", "age,zip", "age=1,zip=1", k="4")
        refused = self.result("ledger", "add", "ledger", third, "--known", "other.csv", exit_code=1)
        self.assertFalse(refused["added"])
        # Gil and Hal: only measles is left.
        self.assertEqual(refused["breach"], 0.25)
        self.assertEqual(self.result("ledger", "verify", "ledger")["size"], 3)
        allowed = self.result("ledger", "add", "ledger", third, "--known", "other.csv", "--max-breach", "0.25")
        self.assertEqual(allowed["entry"], 3)
        entry = self.result("ledger", "show", "ledger", "3")["body"]
        [mark] = entry["known"]  # under the ledger's key
        self.assertRegex(mark, "^[0-9a-f]{64}$")
        self.assertNotEqual(mark, hashlib.sha256((self.path / "other.csv").read_bytes()).hexdigest())
        self.assertEqual(entry["sequence"]["breach"], 0.25)

    def test_a_table_that_grows_by_one_person_tells_their_illness(self):
        illnesses = ["flu", "gout", "asthma", "cough", "measles"]
        rows = [f"P{i},{20 + i % 20},1300{i % 3},{illnesses[i % 5]}\n" for i in range(200)]
        header = "name,age,zip,illness\n"
        (self.path / "old.csv").write_text(header + "".join(rows))
        (self.path / "new.csv").write_text(header + "".join(rows) + "Zoe,27,13001,HIV\n")
        releases = {}
        for people in ("old.csv", "new.csv"):
            releases[people] = self.protect("out-" + people, "age,zip", "age=1,zip=1", people=people, k="5", l="3")
        self.result("ledger", "add", "ledger", releases["old.csv"], "--population", "clinic")
        refused = self.result("ledger", "add", "ledger", releases["new.csv"], "--population", "clinic", exit_code=1)
        self.assertEqual(refused["sequence"]["attributes"][0]["disclosed"], 0)  # her class has six illnesses
        self.assertEqual(refused["sequence"]["attributes"][0]["differenced_people"], 1)
        self.assertEqual(refused["breach"], 1 / 201)
        self.assertIn("the difference of this release and an earlier one isolates 1 person", refused["why_not"])
        # Nor do capitals and blanks hide her: whoever compares the files sees through them.
        (self.path / "new.csv").write_text(header + "".join(rows).upper() + "Zoe,27,13001,hiv \n")
        louder = self.protect("louder.csv", "age,zip", "age=1,zip=1", people="new.csv", k="5", l="3")
        refused = self.result("ledger", "add", "ledger", louder, "--population", "clinic", exit_code=1)
        self.assertEqual(refused["sequence"]["attributes"][0]["differenced_people"], 1)
        (self.path / "new.csv").write_text(header + "".join(rows) + "Zoe,27,13001,HIV\n")
        # Without a word it is not taken for a table of other people.
        self.result("ledger", "init", "hurried")
        self.result("ledger", "add", "hurried", releases["old.csv"])
        asked = self.error("ledger", "add", "hurried", releases["new.csv"], exit_code=1)
        self.assertIn("entry 1 of the ledger may be about the people of this release: it shares the sensitive column 'illness'", asked)
        self.assertIn("--same-people 1", asked)
        self.assertIn("--other-people", asked)
        facts = json.loads(self.run_program("ledger", "add", "hurried", releases["new.csv"], "--json").stdout)["error"]["facts"]
        self.assertEqual(facts, {"unclear": [1]})
        same = self.result("ledger", "add", "hurried", releases["new.csv"], "--same-people", "1", exit_code=1)
        self.assertEqual((same["earlier"], same["breach"]), ([1], 1 / 201))
        # Whoever has the releases alone finds the same.
        composed = self.result("fusion", "compose", "--release", releases["old.csv"], "--release", releases["new.csv"],
                               "--targets", "new.csv", "--qi", "age,zip", "--sensitive", "illness", "--hierarchy",
                               "age=interval:10", "--hierarchy", "zip=prefix", "--max-breach", "0", exit_code=1)
        self.assertEqual(composed["perfect_breach"], 0)
        self.assertEqual(composed["differenced_people"], 1)

    def test_of_those_who_joined_one_may_have_but_one_value(self):
        """Five joined, with flu and four times asthma. No woman has asthma, so the only woman who joined has flu."""
        stay = ["F,flu", "F,hiv", "M,flu", "M,hiv"] * 5
        self.file("first.in.csv", "name,sex,ill\n" + "".join(f"{i},{row}\n" for i, row in enumerate(stay)))
        everybody = stay + ["F,flu"] + ["M,asthma"] * 4
        self.file("later.in.csv", "name,sex,ill\n" + "".join(f"{i},{row}\n" for i, row in enumerate(everybody)))
        self.result("ledger", "init", "joined")
        add = ["ledger", "add", "joined", "--population", "p", "--people", "later.in.csv"]
        for name, level in (("first", 1), ("later", 0)):
            self.result("tables", "protect", f"{name}.in.csv", "--id", "name", "--qi", "sex", "--sensitive", "ill", "--k", "5", "--l", "2",
                        "--method", "levels", "--levels", f"sex={level}", "--out", f"{name}.csv")
        self.assertTrue(self.result(*add, "first.csv")["added"])
        refused = self.result(*add, "later.csv", exit_code=1)
        self.assertFalse(refused["added"])
        self.assertEqual(refused["sequence"]["attributes"][0]["differenced_people"], 1)
        self.assertEqual(refused["breach"], 1 / 25)

    def test_codes_that_grow_by_one_patient_tell_their_record(self):
        codes = [["250.00", "401.1"], ["250.00", "414.01"], ["401.1", "414.01"]]
        rows = [f"P{i},{code}\n" for i in range(60) for code in codes[i % 3]]
        (self.path / "old.csv").write_text("patient,code\n" + "".join(rows))
        (self.path / "new.csv").write_text("patient,code\n" + "".join(rows) + "Zoe,250.00\nZoe,401.1\n")
        for people in ("old.csv", "new.csv"):
            self.result("codes", "protect", people, "--hierarchy", "icd9", "--k", "5", "--m", "2", "--seed", "1", "--out",
                        "out-" + people)
        self.result("ledger", "add", "ledger", "out-old.csv", "--population", "clinic")
        refused = self.result("ledger", "add", "ledger", "out-new.csv", "--population", "clinic", exit_code=1)
        self.assertEqual(refused["sequence"]["under_k"], 0)
        self.assertEqual(refused["breach"], 1 / 61)

    def test_nearly_unique_secrets_single_people_out(self):
        # Two lab values to a class; everybody's is their own.
        rows = [f"P{i},{20 + i % 4},1300{i % 2},{4 + i / 100}\n" for i in range(40)]
        (self.path / "labs.csv").write_text("name,age,zip,glucose\n" + "".join(rows))
        made = self.result("tables", "protect", "labs.csv", "--id", "name", "--qi", "age,zip", "--sensitive", "glucose",
                           "--hierarchy", "age=interval:10", "--hierarchy", "zip=prefix", "--k", "5", "--l", "3", "--allow",
                           "glucose", "--seed", "1", "--out", "labs-out.csv")
        self.assertEqual((made["after"]["singled_out"], made["after"]["singled_out_by"]), (40, ["glucose", "age", "zip"]))
        self.assertIn("glucose", " ".join(made["warnings"]))
        self.result("report", "labs-out.csv", "--out", "labs.json")
        verdict = json.loads((self.path / "labs.json").read_text())["releases"][0]["verdict"]
        self.assertIn("By the columns glucose, age, zip together, 40 of the released records stand alone", verdict)
        self.assertEqual(self.result("ledger", "add", "ledger", "labs-out.csv", exit_code=1)["breach"], 1)

    def test_secrets_that_tell_people_apart_together_count_together(self):
        rows = [f"{20 + i % 4},1300{i % 2},{'abcd'[i % 4]},{i // 4 % 5},{i // 20 % 5},{i // 100}\n" for i in range(200)]
        (self.path / "survey.csv").write_text("age,zip,illness,income,religion,drinks\n" + "".join(rows))
        made = self.result("tables", "protect", "survey.csv", "--qi", "age,zip", "--sensitive", "illness,income,religion,drinks",
                           "--hierarchy", "age=interval:10", "--hierarchy", "zip=prefix", "--k", "5", "--l", "2@illness", "--seed",
                           "1", "--out", "survey-out.csv")
        answers = collections.Counter(row.split(",", 2)[2] for row in rows)
        alone = sum(count for count in answers.values() if count == 1)
        self.assertGreaterEqual(alone, 100)
        self.assertEqual(made["after"]["singled_out"], alone)
        self.assertEqual(sorted(made["after"]["singled_out_by"]), ["drinks", "illness", "income", "religion"])
        self.assertIn("together they tell most records apart", " ".join(made["warnings"]))
        self.assertTrue(self.result("verify", "survey-out.csv")["holds"])
        self.assertEqual(self.result("ledger", "add", "ledger", "survey-out.csv", exit_code=1)["breach"], alone / 200)

    def test_secrets_that_no_model_holds_count(self):
        # Each illness is of many, and so is each income; together some are of one person. Far fewer than half.
        rows = [f"{20 + i % 4},1300{i % 2},{'abcd'[i // 4 % 4]},{i // 16 % 5}\n" for i in range(240)] + ["21,13001,b,9\n"]
        (self.path / "pay.csv").write_text("age,zip,illness,income\n" + "".join(rows))
        pairs = collections.Counter(row.strip().split(",", 2)[2] for row in rows)
        alone = sum(count for count in pairs.values() if count == 1)
        self.assertEqual(alone, 1)
        command = ["tables", "protect", "pay.csv", "--qi", "age,zip", "--sensitive", "illness,income", "--hierarchy",
                   "age=interval:10", "--hierarchy", "zip=prefix", "--k", "5", "--seed", "1", "--out", "pay-out.csv"]
        made = self.result(*command)
        self.assertEqual((made["before"]["singled_out"], made["after"]["singled_out"]), (alone, alone))
        self.assertEqual(made["after"]["singled_out_by"], ["illness", "income"])
        self.assertIn("Add --l 2@illness --l 2@income", " ".join(made["warnings"]))
        # Who stands alone cannot be cut out of the manifest, wholly or in part, private manifest or not.
        (self.path / "nowhere").mkdir()
        path = self.path / "pay-out.csv.manifest.json"
        whole = path.read_text()
        for cut in (["singled_out", "singled_out_share", "singled_out_by"], ["singled_out_by"], ["singled_out"]):
            for private in ("", "nowhere"):
                manifest = json.loads(whole)
                for key in cut:
                    del manifest["results"]["after"][key]
                path.write_text(json.dumps(manifest))
                with self.subTest(cut=cut, private=private):
                    where = ["--private", private] if private else []
                    self.result("report", "pay-out.csv", "--out", "cut.json", "--force", *where, exit_code=1)
                    release = json.loads((self.path / "cut.json").read_text())["releases"][0]
                    self.assertIn("contradict", release["verdict"])
                    self.assertIn("alone", " ".join(self.result("verify", "pay-out.csv", exit_code=1)["contradictions"]))
        path.write_text(whole)
        self.result("report", "pay-out.csv", "--out", "pay.json", "--force")
        verdict = json.loads((self.path / "pay.json").read_text())["releases"][0]["verdict"]
        self.assertIn("By the columns illness, income together, 1 to 4 of the released records stand alone", verdict)
        refused = self.result("ledger", "add", "ledger", "pay-out.csv", exit_code=1)
        self.assertAlmostEqual(refused["breach"], alone / 241)
        self.assertEqual(refused["sequence"]["singled_out_by"], ["illness", "income"])
        self.assertIn("stand alone by illness, income", refused["why_not"])
        # Both ways out that it names.
        self.assertIn("--max-breach 0.0042 accepts it", refused["why_not"])
        self.assertTrue(self.result("ledger", "add", "ledger", "pay-out.csv", "--max-breach", "0.0042")["added"])
        held = self.result(*command[:-1], "held.csv", "--l", "2@illness", "--l", "2@income")
        self.assertNotIn("singled_out", held["after"])
        self.assertNotIn("warnings", held)
        self.result("ledger", "init", "ledger-2")
        self.assertTrue(self.result("ledger", "add", "ledger-2", "held.csv")["added"])

    def test_whose_secret_is_certain_is_said_where_nobody_asked_for_more_than_k(self):
        rows = [f"{20 + 10 * (i % 4)},{'flu' if i % 4 == 0 else ['flu', 'gout'][i // 4 % 2]}\n" for i in range(200)]
        (self.path / "flu.csv").write_text("age,illness\n" + "".join(rows))
        made = self.result("tables", "protect", "flu.csv", "--qi", "age", "--sensitive", "illness", "--hierarchy",
                           "age=interval:10", "--k", "5", "--seed", "1", "--out", "flu-out.csv")
        self.assertEqual((made["after"]["sensitive_disclosed"], made["after"]["singled_out"]), (50, 0))
        self.assertIn("of 50 the sensitive value is certain", " ".join(made["warnings"]))
        self.result("report", "flu-out.csv", "--out", "flu.json")
        verdict = json.loads((self.path / "flu.json").read_text())["releases"][0]["verdict"]
        self.assertIn("Of 50 of the released records the sensitive value is certain.", verdict)
        self.result("report", "flu-out.csv", "--out", "flu.html")
        self.assertNotIn('class="verdict good"', (self.path / "flu.html").read_text())
        refused = self.result("ledger", "add", "ledger", "flu-out.csv", exit_code=1)
        self.assertEqual(refused["breach"], 0.25)
        self.assertIn("of 25 % of the people the value of illness is certain by this release alone", refused["why_not"])
        self.assertIn("--max-breach 0.25 accepts it", refused["why_not"])

    def test_figures_have_words(self):
        said = self.run_program("ledger", "add", "ledger", self.by_age()).stdout.decode()
        self.assertRegex(said, r"people exposed +0 %")
        for key in ("max breach", "under k", "rows linked", "k across", "singled out "):
            self.assertNotIn(key, said)

    def test_no_k_is_recorded_where_none_is_promised(self):
        self.result("tables", "protect", "people.csv", "--id", "name", "--qi", "age,zip", "--sensitive", "illness", "--hierarchy",
                    "age=interval:10", "--hierarchy", "zip=prefix", "--method", "levels", "--levels", "age=1,zip=5", "--l", "3",
                    "--seed", "1", "--out", "diverse.csv")
        self.result("ledger", "add", "ledger", "diverse.csv")
        self.assertNotIn("k", self.result("ledger", "show", "ledger", "1")["body"])
        self.assertIsNone(self.result("ledger", "list", "ledger")["entries"][0]["k"])

    def test_pseudonyms_under_one_key_link_rows(self):
        key = ["--identifiers", "pseudonym", "--key", "pseudonyms.key"]
        self.result("ledger", "add", "ledger", self.protect("one.csv", "age,zip", "age=1,zip=5", *key, k="4"))
        linked = self.result("ledger", "add", "ledger", self.protect("two.csv", "age,zip", "age=2,zip=0", *key, k="4"), exit_code=1)
        self.assertTrue(linked["sequence"]["rows_link"])
        self.assertEqual(linked["sequence"]["k_across"], 2)
        self.assertEqual(linked["breach"], 1)  # everybody is among two, and four were promised

    def test_same_people_by_input_or_by_name(self):
        self.result("ledger", "add", "ledger", self.by_age(), "--population", "clinic")
        (self.path / "extract.csv").write_text(PEOPLE + "Ida,25,13002,flu\n")
        self.protect("later.csv", "age,zip", "age=2,zip=0", people="extract.csv")
        self.assertIn("--population clinic", self.error("ledger", "add", "ledger", "later.csv", exit_code=1))
        self.assertIn("'clinc'", self.error("ledger", "add", "ledger", "later.csv", "--population", "clinc", exit_code=1))
        others = self.result("ledger", "add", "ledger", "later.csv", "--max-breach", "1", "--other-people")
        self.assertEqual((others["earlier"], others["others"], others["other_people"]), ([], 1, [1]))
        self.assertIn("other people", others["note"])
        # That somebody said so stays visible.
        self.assertEqual([row["other_people"] for row in self.result("ledger", "list", "ledger")["entries"]], [[], [1]])
        self.assertEqual(self.result("ledger", "verify", "ledger")["other_people"], [{"entry": 2, "other_people_than": [1]}])
        self.protect("latest.csv", "age,zip", "age=1,zip=1", people="extract.csv")
        same = self.result("ledger", "add", "ledger", "latest.csv", "--population", "clinic", "--max-breach", "1")
        self.assertEqual((same["earlier"], same["others"]), ([1, 2], 0))
        self.assertIn("population name", self.error("ledger", "add", "ledger", "latest.csv", "--population", "Ann Oak!"))

    def test_earlier_files_must_be_at_hand(self):
        self.result("ledger", "add", "ledger", self.by_age())
        (self.path / "away").mkdir()
        for name in ("age.csv", "age.csv.manifest.json"):
            shutil.move(self.path / name, self.path / "away" / name)
        self.by_zip()
        self.assertIn("--releases DIR", self.error("ledger", "add", "ledger", "zip.csv"))
        added = self.result("ledger", "add", "ledger", "zip.csv", "--releases", "away")
        self.assertEqual(added["sequence"]["k_across"], 2)
        self.protect("both.csv", "age,zip", "age=1,zip=1")
        said = json.loads(self.run_program("ledger", "add", "ledger", "both.csv", "--json").stdout)["error"]
        self.assertEqual(said["facts"], {"missing": [1]})  # a program needs no sentence
        skipped = self.result("ledger", "add", "ledger", "both.csv", "--skip-missing")
        self.assertEqual(skipped["missing"], [1])
        self.assertEqual(self.result("ledger", "show", "ledger", "3")["body"]["missing"], [1])
        self.assertEqual([entry["not_attacked"] for entry in self.result("ledger", "list", "ledger")["entries"]],
                         [0, 0, 1])

    def test_an_earlier_manifest_that_was_changed_does_not_count(self):
        self.result("ledger", "add", "ledger", self.by_age())
        manifest = self.path / "age.csv.manifest.json"
        kept = manifest.read_text()
        # Without its quasi-identifiers and sensitive column the first release would hide what both reveal.
        changed = json.loads(kept)
        changed["parameters"]["quasi_identifiers"] = ["zip"]
        changed["parameters"]["sensitive"] = []
        manifest.write_text(json.dumps(changed))
        self.assertIn("manifests they had", self.error("ledger", "add", "ledger", self.by_zip()))
        manifest.write_text(kept)
        self.assertEqual(self.result("ledger", "add", "ledger", "zip.csv")["sequence"]["k_across"], 2)

    def test_a_manifest_changed_by_hand_is_named(self):
        self.by_age()
        manifest = self.path / "age.csv.manifest.json"
        kept = json.loads(manifest.read_text())
        for key, value in (("sensitive", "illness"), ("quasi_identifiers", 7), ("hierarchies", {"age": 5}),
                           ("identifier_treatment", []), ("method", 3)):
            manifest.write_text(json.dumps({**kept, "parameters": {**kept["parameters"], key: value}}))
            self.assertIn("manifest is not as pratique writes it", self.error("ledger", "add", "ledger", "age.csv"))
        # Claims about fewer columns than were to be protected hold easily.
        claims = [{**claim, "quasi_identifiers": ["zip"]} for claim in kept["claims"]]
        manifest.write_text(json.dumps({**kept, "claims": claims}))
        self.assertIn("contradicts itself", self.error("ledger", "add", "ledger", "age.csv", exit_code=1))
        # Called something else, the table would not be attacked.
        for noun in ("codes", "trails", "fusion", "dp"):
            manifest.write_text(json.dumps({**kept, "kind": noun}))
            self.assertIn("contradicts itself", self.error("ledger", "add", "ledger", "age.csv", "--allow-unattacked",
                                                           exit_code=1))
        manifest.write_text(json.dumps({**kept, "kind": "poems"}))
        self.assertIn("knows no such kind", self.error("ledger", "add", "ledger", "age.csv", "--allow-unattacked"))
        manifest.write_text(json.dumps({**kept, "options": {**kept["options"], "FILE": "elsewhere.csv"}}))
        self.assertIn("not among the inputs", self.error("ledger", "add", "ledger", "age.csv", exit_code=1))
        self.assertEqual(self.result("ledger", "verify", "ledger")["size"], 1)

    def test_a_release_without_somebody_hides_nothing_of_them(self):
        # The first release is of the twenties alone; the second tells the illness of a thirty-year-old.
        twenties = PEOPLE.splitlines(keepends=True)[:5]
        (self.path / "twenties.csv").write_text("".join(twenties))
        self.result("ledger", "add", "ledger", self.protect("first.csv", "age,zip", "age=1,zip=5", "--allow", "illness", people="twenties.csv"),
                    "--population", "clinic", "--max-breach", "1")  # whoever knows an illness finds its one record
        (self.path / "all.csv").write_text("".join(twenties) + "Eve,31,13001,flu\nFay,32,13001,flu\n")
        second = self.protect("second.csv", "age,zip", "age=1,zip=5", "--allow", "illness", people="all.csv", l="")
        added = self.result("ledger", "add", "ledger", second, "--population", "clinic", exit_code=1)
        # Eve and Fay, two of six; and the four others have an illness that nobody else of their class has.
        self.assertAlmostEqual(added["sequence"]["attributes"][0]["disclosed"], 1 / 3)
        self.assertAlmostEqual(added["breach"], 2 / 3)
        self.assertAlmostEqual(added["sequence"]["located"], 2 / 3)

    def test_what_could_not_be_attacked_is_not_passed_over(self):
        # Another organisation's file that says ages in a way that nobody is found in.
        (self.path / "other.csv").write_text("age,illness\nyoung,flu\nold,gout\n")
        added = self.result("ledger", "add", "ledger", self.by_age(), "--known", "other.csv", exit_code=1)
        self.assertFalse(added["added"])
        self.assertEqual([skipped["release"] for skipped in added["sequence"]["not_attacked"]],
                         [hashlib.sha256((self.path / "other.csv").read_bytes()).hexdigest()])
        self.assertIn("--allow-unattacked", added["why_not"])
        self.result("ledger", "add", "ledger", "age.csv", "--known", "other.csv", "--max-breach", "1", exit_code=1)
        self.result("ledger", "add", "ledger", "age.csv", "--known", "other.csv", "--allow-unattacked")
        stored = self.result("ledger", "show", "ledger", "1")["body"]["sequence"]
        self.assertEqual(len(stored["not_attacked"]), 1)
        # Disassociated codes of the same people: another kind, and one without an attack.
        (self.path / "codes.dat").write_text("1 2\n1 2\n1 2\n2 3\n2 3\n2 3\n")
        self.result("codes", "protect", "codes.dat", "--method", "disassociation", "--k", "2", "--m", "1", "--out", "parts.dat")
        added = self.result("ledger", "add", "ledger", "parts.dat", exit_code=1)
        self.assertIn("disassociation", added["sequence"]["why_not"])
        self.result("ledger", "add", "ledger", "parts.dat", "--allow-unattacked", "--population", "clinic")
        added = self.result("ledger", "add", "ledger", self.by_zip(), "--population", "clinic", exit_code=1)
        self.assertIn("another kind", json.dumps(added["sequence"]["not_attacked"]))
        self.result("ledger", "add", "ledger", self.by_zip(), "--population", "clinic", "--allow-unattacked")
        self.assertEqual([entry["not_attacked"] for entry in self.result("ledger", "list", "ledger")["entries"]][-1], 1)

    def test_columns_by_another_name_are_not_passed_over(self):
        self.result("ledger", "add", "ledger", self.by_age(), "--population", "clinic")
        (self.path / "renamed.csv").write_text(PEOPLE.replace("name,age,zip", "name,age,postcode", 1))
        self.result("tables", "protect", "renamed.csv", "--id", "name", "--qi", "age,postcode", "--sensitive", "illness",
                    "--hierarchy", "age=interval:10", "--hierarchy", "postcode=prefix", "--method", "levels", "--levels",
                    "age=2,postcode=0", "--k", "2", "--l", "2", "--seed", "1", "--out", "post.csv")
        # Nobody in the new original is known by a zip: by age alone the first release tells less than it does.
        added = self.result("ledger", "add", "ledger", "post.csv", "--population", "clinic", exit_code=1)
        why, = [skipped["why"] for skipped in added["sequence"]["not_attacked"]]
        self.assertIn("by age alone: its zip", why)
        # With the name it is the sequence of the first test.
        added = self.result("ledger", "add", "ledger", "post.csv", "--population", "clinic", "--same-column",
                            "postcode=zip")
        self.assertEqual(added["sequence"]["not_attacked"], [])
        self.assertEqual(added["sequence"]["attributes"][0]["values_left"], 3)
        self.assertEqual(added["sequence"]["k_across"], 2)
        self.assertIn("COLUMN=VALUE", self.error("ledger", "add", "ledger", "post.csv", "--same-column", "zip"))

    def asked(self, release, *options):
        """What the ledger asks about it; nobody is asked about a release that is recorded."""
        text = self.error("ledger", "add", "ledger", release, "--max-breach", "1", "--allow-unattacked", *options, exit_code=1)
        self.assertIn("may be about the people of this release", text)
        self.assertIn("--other-people", text)
        return text

    def named_otherwise(self, header, sensitive, change=lambda text: text):
        """A later extract, of one person more, whose columns have these names."""
        (self.path / "later.csv").write_text(header + "\n" + change("".join(PEOPLE.splitlines(keepends=True)[1:]) + "Ida,25,13002,flu\n"))
        name, age, zip_code, _ = header.split(",")
        self.result("tables", "protect", "later.csv", "--id", name, "--qi", f"{age},{zip_code}", "--sensitive", sensitive, "--hierarchy",
                    f"{age}=interval:10", "--hierarchy", f"{zip_code}=prefix", "--method", "levels", "--levels", f"{age}=1,{zip_code}=5",
                    "--k", "2", "--seed", "1", "--out", "later-out.csv")
        return "later-out.csv"

    def test_whose_a_release_is_is_asked_by_its_secrets_whatever_they_are_called(self):
        self.result("ledger", "add", "ledger", self.by_age())
        asked = self.asked(self.named_otherwise("nom,annees,code_postal,maladie", "maladie"))
        self.assertIn("shares most values of a sensitive column ('illness', here 'maladie')", asked)
        self.assertIn("shares the sensitive column 'illness', here 'illness_2021'",
                      self.asked(self.named_otherwise("name_2021,age_2021,zip_2021,illness_2021", "illness_2021")))
        # Nothing but the sensitive column is in both.
        self.assertIn("sensitive column 'illness'", self.asked(self.named_otherwise("ref,years,place,illness", "illness")))
        # Of other people with other secrets nobody asks.
        others = self.named_otherwise("ref,years,place,wage", "wage", lambda text: "".join(
            f"R{i},{20 + i},1400{i},{i % 3}00000\n" for i in range(9)))
        self.result("ledger", "add", "ledger", others, "--max-breach", "1")

    def test_codes_of_the_same_people_are_asked_about_after_a_table(self):
        rows = [(f"P{i}", 20 + i % 4, ("250.00", "401.1", "414.01")[i % 3], ("250.00", "272.4", "401.1")[i % 3]) for i in range(60)]
        (self.path / "table.csv").write_text("name,age,diagnosis\n" + "".join(f"{n},{a},{d}\n" for n, a, d, _ in rows))
        self.result("tables", "protect", "table.csv", "--id", "name", "--qi", "age", "--sensitive", "diagnosis", "--k", "5", "--seed", "1",
                    "--out", "table-out.csv")
        self.result("ledger", "add", "ledger", "table-out.csv")
        # With and without points, in full and by categories: the same people's codes.
        for name, codes in (("codes.csv", lambda code: code), ("plain.csv", lambda code: code.replace(".", ""))):
            (self.path / name).write_text("patient,code\n" + "".join(f"{n},{codes(c)}\n" for n, _, *both in rows for c in sorted(set(both))))
            self.result("codes", "protect", name, "--k", "5", "--m", "1", "--seed", "1", "--out", "out-" + name)
            self.assertIn("sensitive column ('diagnosis', here 'code')", self.asked("out-" + name))
        (self.path / "short.csv").write_text("patient,code\n" + "".join(f"{n},{c[:3]}\n" for n, _, *both in rows for c in sorted(set(both))))
        self.result("codes", "protect", "short.csv", "--k", "5", "--m", "1", "--seed", "1", "--out", "out-short.csv")
        self.assertIn("beginnings of sensitive values", self.asked("out-short.csv"))
        # Once said, nothing was attacked, and that is said too.
        refused = self.result("ledger", "add", "ledger", "out-codes.csv", "--same-people", "1", exit_code=1)
        self.assertIn("another kind", json.dumps(refused["sequence"]["not_attacked"]))
        self.result("ledger", "add", "ledger", "out-codes.csv", "--other-people")
        recorded = json.dumps(self.result("ledger", "show", "ledger", "2")["body"])
        for code in ("250.00", "25000", "401.1", "4011"):
            for plain in (code, hashlib.sha256(code.encode()).hexdigest()[:12]):
                self.assertNotIn(plain, recorded)

    def test_a_renamed_secret_is_known_by_its_values(self):
        self.result("ledger", "add", "ledger", self.by_age())
        (self.path / "later.csv").write_text(PEOPLE.replace("illness", "maladie"))
        self.result("tables", "protect", "later.csv", "--id", "name", "--qi", "age,zip", "--sensitive", "maladie", "--hierarchy",
                    "age=interval:10", "--hierarchy", "zip=prefix", "--method", "levels", "--levels", "age=2,zip=0", "--k", "2", "--seed",
                    "1", "--out", "later-out.csv")
        # No model holds the secret of either, which would be refused.
        added = self.result("ledger", "add", "ledger", "later-out.csv", "--same-people", "1", "--max-breach", "1")
        [attribute] = added["sequence"]["attributes"]
        self.assertEqual(added["sequence"]["same_columns"], [{"column": "illness", "here": "maladie"}])
        # As for the release that calls it illness (test above): both have it, and three are left.
        self.assertEqual((attribute["sensitive"], attribute["releases"], attribute["values_left"]), ("maladie", 2, 3))

    def test_a_secret_that_nobody_can_match_is_asked_about(self):
        self.result("ledger", "add", "ledger", self.by_age())
        translated = {"flu": "grippe", "gout": "goutte", "asthma": "asthme", "cough": "toux", "measles": "rougeole"}

        def french(text):
            for english, word in translated.items():
                text = text.replace(english, word)
            return text
        release = self.named_otherwise("name,age,zip,maladie", "maladie", french)
        refused = self.result("ledger", "add", "ledger", release, "--same-people", "1", exit_code=1)
        why, = [skipped["why"] for skipped in refused["sequence"]["not_attacked"]]
        self.assertIn("--same-column illness=maladie", why)
        self.assertIn("--same-column illness=illness", why)
        # Said to be the same, it was compared, and nobody's value fits: that was no attack.
        refused = self.result("ledger", "add", "ledger", release, "--same-people", "1", "--same-column", "illness=maladie", exit_code=1)
        self.assertEqual(refused["sequence"]["attributes"][0]["contradicted"], 1)
        self.assertIn("no value of maladie is left", refused["sequence"]["not_attacked"][0]["why"])
        self.assertFalse(refused["added"])
        # Said to be another attribute, there is nothing to intersect.
        other = self.result("ledger", "add", "ledger", release, "--same-people", "1", "--same-column", "illness=illness", "--max-breach", "1")
        self.assertEqual(other["sequence"]["not_attacked"], [])

    def test_people_for_whom_no_value_fits_are_counted(self):
        self.result("ledger", "add", "ledger", self.by_age())
        # The twenties fell ill with something else, the thirties are as they were: four of eight.
        lines = PEOPLE.splitlines(keepends=True)
        lines[1:5] = ["Ann,21,13001,ulcer\n", "Bob,22,13001,mumps\n", "Cid,23,13002,ulcer\n", "Dot,24,13002,mumps\n"]
        (self.path / "later.csv").write_text("".join(lines))
        later = self.protect("later-out.csv", "age,zip", "age=1,zip=5", "--allow", "illness", people="later.csv")
        added = self.result("ledger", "add", "ledger", later, "--same-people", "1", "--max-breach", "1")
        self.assertEqual(added["sequence"]["attributes"][0]["contradicted"], 0.5)
        self.assertEqual(added["sequence"]["not_attacked"], [])
        self.assertEqual(self.result("ledger", "show", "ledger", "2")["body"]["sequence"]["contradicted"], 0.5)

    def test_columns_of_a_known_file_that_nobody_knows_are_told(self):
        # By zip, as others call it: Gil and Hal have measles.
        (self.path / "other.csv").write_text("age,plz,illness\n" + "30..39,13002,measles\n" * 3 + "20..29,1300*,flu\n" +
                                             "20..29,1300*,gout\n20..29,1300*,asthma\n20..29,1300*,cough\n" +
                                             "30..39,13001,flu\n30..39,13001,gout\n30..39,13001,asthma\n")
        release = self.protect("both.csv", "age,zip", "age=1,zip=1", k="4")
        added = self.result("ledger", "add", "ledger", release, "--known", "other.csv", exit_code=1)
        self.assertEqual(added["breach"], 0)
        self.assertIn("its plz", added["sequence"]["not_attacked"][0]["why"])
        added = self.result("ledger", "add", "ledger", release, "--known", "other.csv", "--same-column", "plz=zip",
                            exit_code=1)
        self.assertEqual((added["breach"], added["sequence"]["not_attacked"]), (0.25, []))

    def test_labels_that_nobody_can_read_any_more_are_told(self):
        (self.path / "zips.csv").write_text("13001;north;all\n13002;south;all\n")
        self.result("tables", "protect", "people.csv", "--id", "name", "--qi", "age,zip", "--sensitive", "illness", "--hierarchy",
                    "age=interval:10", "--hierarchy", "zip=zips.csv", "--method", "levels", "--levels", "age=2,zip=1", "--k", "2", "--l", "2",
                    "--seed", "1", "--out", "regions.csv")
        self.result("ledger", "add", "ledger", self.by_age())
        # The two regions change places: who is looked for in the wrong one may seem safe.
        (self.path / "zips.csv").write_text("13001;south;all\n13002;north;all\n")
        added = self.result("ledger", "add", "ledger", "regions.csv", exit_code=1)
        self.assertIn("labels of zip", json.dumps(added["sequence"]["not_attacked"]))
        (self.path / "zips.csv").write_text("13001;north;all\n13002;south;all\n")
        added = self.result("ledger", "add", "ledger", "regions.csv")
        self.assertEqual(added["sequence"]["attributes"][0]["values_left"], 3)

    def test_where_there_is_no_ledger_it_says_how_to_begin_one(self):
        for verb in (["add", "nowhere", self.by_age()], ["list", "nowhere"], ["verify", "nowhere"], ["show", "nowhere", "0"]):
            told = self.error("ledger", *verb)
            self.assertIn("there is no ledger here", told)
            self.assertIn("pratique ledger init", told)

    def test_lists_of_trails_that_are_elsewhere_are_told(self):
        folder = self.path / "made"
        folder.mkdir()
        for name, prefix in (("identified.csv", "P"), ("samples.csv", "S")):
            (folder / name).write_text("location,element\n" + "".join(f"L{i % 2},{prefix}{i}\n" for i in range(8)))
        done = subprocess.run([PROGRAM, "trails", "protect", "--identified", "identified.csv", "--deidentified",
                               "samples.csv", "--k", "2", "--seed", "1", "--out", "dna.csv"], cwd=folder,
                              capture_output=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        text = self.error("ledger", "add", "ledger", "made/dna.csv")
        self.assertIn(str(self.path / "identified.csv"), text)
        self.assertIn("in the folder where the release was made", text)
        done = subprocess.run([PROGRAM, "ledger", "add", "../ledger", "dna.csv", "--max-breach", "1"], cwd=folder,
                              capture_output=True)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_trails_are_joined_by_their_samples(self):
        people = {"Ann": "123", "Bob": "123", "Cid": "12", "Dot": "12", "Eve": "23", "Fay": "13"}
        rows = {name: "location,element\n" + "".join(f"L{place},{prefix}{who[0]}\n" for who, places in people.items()
                                                     for place in places)
                for name, prefix in (("identified.csv", "P"), ("samples.csv", "S"))}
        for name, text in rows.items():
            (self.path / name).write_text(text)
        trails = {}
        for number, options in enumerate((["--maximise", "samples", "--seed", "1"], ["--maximise", "locations", "--seed", "5"])):
            out = f"trails{number}.csv"
            self.result("trails", "protect", "--identified", "identified.csv", "--deidentified", "samples.csv", "--reserved",
                        "deidentified", "--k", "2", *options, "--out", out)
            for line in (self.path / out).read_text().splitlines()[1:]:
                place, sample = line.split(",")
                trails.setdefault(sample, set()).add(place[1])
            if number == 1 and (self.path / out).read_text() == (self.path / "trails0.csv").read_text():
                return  # the same list: the ledger has it
            added = self.result("ledger", "add", "ledger", out, "--max-breach", "1")
            # By trying every way to give the samples seen so far to different people.
            full = {place for place in "123" if sum(place in seen for seen in trails.values()) ==
                    sum(place in places for places in people.values())}
            partners = {sample: set() for sample in trails}
            for given in itertools.permutations(people, len(trails)):
                pairs = list(zip(trails, given))
                if all(trails[s] <= set(people[w]) and all((p in trails[s]) == (p in people[w]) for p in full) for s, w in pairs):
                    for sample, who in pairs:
                        partners[sample].add(who)
            counts = [len(who) for who in partners.values()]
            self.assertEqual(added["sequence"]["k_across"], min(counts))
            self.assertAlmostEqual(added["breach"], sum(count < 2 for count in counts) / len(counts))

    def grown(self, number, people, samples):
        for name, prefix, count in (("people", "P", people), ("dna", "S", samples)):
            (self.path / f"{name}{number}.csv").write_text(
                "location,element\n" + "".join(f"L1,{prefix}{i}\n" for i in range(count)))
        self.result("trails", "protect", "--identified", f"people{number}.csv", "--deidentified", f"dna{number}.csv",
                    "--reserved", "deidentified", "--k", "5", "--seed", "1", "--out", f"released{number}.csv")
        return f"released{number}.csv"

    def test_lists_of_trails_that_grew_are_subtracted(self):
        # Ten of ten, then eleven of eleven: alone, each sample may be anybody's. Together the eleventh is the newcomer's.
        self.result("ledger", "add", "ledger", self.grown(0, 10, 10), "--population", "clinic")
        done = self.run_program("ledger", "add", "ledger", self.grown(1, 11, 11), "--population", "clinic")
        self.assertEqual(done.returncode, 1)
        added = self.result("ledger", "add", "ledger", "released1.csv", "--population", "clinic", "--max-breach", "1")
        sequence = added["sequence"]
        self.assertNotIn("not_attacked", {key for key in sequence if sequence[key]})
        self.assertEqual((sequence["k_alone"], sequence["k_across"], sequence["releases"]), (11, 1, 2))
        self.assertEqual(sequence["attributes"][0]["differenced_people"], 1)
        self.assertAlmostEqual(sequence["differenced"], 1 / 11)

    def test_lists_of_trails_that_grew_enough_are_allowed(self):
        # Six of ten, then seven of twelve. Anybody of the ten may be without one of the six, so the seventh may be
        # anybody's; the six are of ten people still.
        self.result("ledger", "add", "ledger", self.grown(0, 10, 6), "--population", "clinic")
        added = self.result("ledger", "add", "ledger", self.grown(1, 12, 7), "--population", "clinic")
        sequence = added["sequence"]
        self.assertEqual((sequence["k_alone"], sequence["k_across"], added["breach"]), (12, 10, 0))
        # Whose lists are gone cannot be subtracted, and is not cleared.
        (self.path / "people1.csv").write_text("location,element\nL1,P1\n")
        refused = self.result("ledger", "add", "ledger", self.grown(2, 20, 12), "--population", "clinic", exit_code=1)
        self.assertEqual(len(refused["sequence"]["not_attacked"]), 1)
        self.assertIn("keep a copy", refused["sequence"]["not_attacked"][0]["why"])

    def test_people_from_a_file(self):
        self.by_age()
        (self.path / "people.csv").unlink()
        self.assertIn("--people", self.error("ledger", "add", "ledger", "age.csv"))
        (self.path / "register.csv").write_text("who,age,zip\n1,21,13001\n2,31,13002\n3,32,13001\n")
        added = self.result("ledger", "add", "ledger", "age.csv", "--people", "register.csv")
        self.assertEqual((added["sequence"]["people"], added["sequence"]["k_alone"]), (3, 1))

    def test_a_broken_release_is_not_recorded(self):
        self.by_age()
        before = self.text()
        released = self.path / "age.csv"
        released.write_text(released.read_text().replace("flu", "gout", 1))
        self.assertIn("does not pass verification", self.error("ledger", "add", "ledger", "age.csv", exit_code=1))
        self.by_age("--force")
        self.result("ledger", "add", "ledger", "age.csv")
        self.assertIn("already", self.error("ledger", "add", "ledger", "age.csv"))
        self.assertTrue(self.text().startswith(before))

    def test_rows_are_joined_by_what_left_unchanged(self):
        people = [line.split(",") for line in PEOPLE.splitlines()[1:]]
        bills = [5, 5, 6, 7, 8, 9, 10, 11]
        for column, linked in (("ward", 0), ("bill", 6 / 8)):
            # Wards are shared by two who are alike in no release; of bills only Ann's and Bob's are alike.
            extra = bills if column == "bill" else [0, 1, 2, 3, 3, 2, 1, 0]
            self.file("people.csv", f"name,age,zip,{column}\n" + "".join(
                f"{name},{age},{code},{more}\n" for (name, age, code, _), more in zip(people, extra)))
            for out, levels in (("age.csv", "age=1,zip=5"), ("zip.csv", "age=2,zip=0")):
                self.result("tables", "protect", "people.csv", "--id", "name", "--qi", "age,zip", "--insensitive",
                            column, *(["--allow", column] if linked else []), "--hierarchy", "age=interval:10", "--hierarchy", "zip=prefix", "--method", "levels",
                            "--levels", levels, "--k", "4", "--seed", "1", "--out", out)
            # Whoever knows a bill finds the row of six by one release alone.
            self.assertEqual(self.result("ledger", "add", "ledger", "age.csv", "--population", column, "--max-breach", "1",
                                         "--other-people")["sequence"]["singled_out"], linked)
            # Four of each decade, four of each postcode, and two of both: all are under k once rows are joined.
            added = self.result("ledger", "add", "ledger", "zip.csv", "--population", column,
                                exit_code=1 if linked else 0)
            self.assertEqual((added["sequence"]["k_across"], added["sequence"]["under_k"]), (2, 1))
            self.assertEqual(added["sequence"]["rows_link"], linked > 0)
            self.assertEqual((added["sequence"]["rows_linked"], added["breach"], added["added"]),
                             (linked, linked, not linked))

    def test_only_a_report_of_this_release_is_recorded_as_its_report(self):
        self.by_age()
        self.result("report", "age.csv", "--out", "report.json")
        other = self.file("other.html", (self.path / "report.json").read_text().replace(
            hashlib.sha256((self.path / "age.csv").read_bytes()).hexdigest(), "0" * 64))
        for path in ("people.csv", "age.csv", "age.csv.manifest.json", other):
            self.assertIn("not a report that finds this release verified",
                          self.error("ledger", "add", "ledger", "age.csv", "--report", path))
        self.result("ledger", "add", "ledger", "age.csv", "--report", "report.json")

    def test_a_report_that_also_says_the_opposite_is_none(self):
        self.by_age()
        for report in ("report.json", "report.html"):
            self.result("report", "age.csv", "--out", report)
        said = json.loads((self.path / "report.json").read_text())
        hashes = {key: said["releases"][0][key] for key in ("sha256", "manifest_sha256")}
        holds, fails = ({**hashes, "standing": standing} for standing in ("holds", "fails"))
        html = (self.path / "report.html").read_text()
        block = '<script type="application/json" id="pratique-report">'
        self.assertIn(block, html)
        forged = [json.dumps({"format": "pratique-report-1", "standing": standing, "releases": releases})
                  for standing, releases in (("fails", [fails, holds]), ("holds", [holds, holds]), ("fails", [holds]),
                                             ("unchecked", [holds]))]
        forged += [f"{block}</script>{html}", f"{html}{block}</script>", f"<!-- pratique-report  -->{html}"]
        for text in forged:
            self.assertIn("not a report that finds this release verified",
                          self.error("ledger", "add", "ledger", "age.csv", "--report", self.file("forged", text)))
        plain = {"format": "pratique-report-1", "standing": "holds", "releases": [holds]}
        self.result("ledger", "add", "ledger", "age.csv", "--report", self.file("plain.json", json.dumps(plain)))

    def test_forged_figures_are_not_recorded(self):
        self.by_age()
        manifest = self.path / "age.csv.manifest.json"
        kept = json.loads(manifest.read_text())
        for forged in ({"suppressed": 2}, {"after": {**kept["results"]["after"], "linkage_risk_max": 0.001}}):
            manifest.write_text(json.dumps({**kept, "results": {**kept["results"], **forged}}))
            self.assertIn("contradicts itself", self.error("ledger", "add", "ledger", "age.csv", exit_code=1))

    def test_no_value_path_or_name_is_stored(self):
        self.by_age()
        self.result("report", "age.csv", "--out", "report.html")
        self.result("ledger", "add", "ledger", "age.csv", "--population", "clinic", "--report", "report.html")
        stored = self.text()
        for secret in ("Ann", "flu", "13001", "20..29", "people.csv", "age.csv", str(self.path)):
            self.assertNotIn(secret, re.sub("[0-9a-f]{64,}", "", stored), secret)
        body = json.loads(stored.splitlines()[1])["entry"]["body"]
        self.assertEqual(body["release"]["sha256"], hashlib.sha256((self.path / "age.csv").read_bytes()).hexdigest())
        self.assertEqual(len(body["report"]), 64)
        self.assertNotEqual(body["report"], hashlib.sha256((self.path / "report.html").read_bytes()).hexdigest())
        self.assertEqual(os.stat(self.path / "ledger.key").st_mode & 0o777, 0o600)

    def test_verify_against_a_saved_head(self):
        self.result("ledger", "add", "ledger", self.by_age())
        self.result("ledger", "verify", "ledger", "--save-head", "head.json")
        saved = self.text()
        self.result("ledger", "add", "ledger", self.by_zip())
        self.assertTrue(self.result("ledger", "verify", "ledger", "--head", "head.json")["holds"])
        lines = saved.splitlines(keepends=True)
        (self.path / "ledger").write_text(lines[0])
        verdict = self.result("ledger", "verify", "ledger", "--head", "head.json", exit_code=1)
        self.assertIn("cut off", verdict["fault"]["what"])
        self.assertTrue(self.result("ledger", "verify", "ledger")["holds"])
        # The owner of the key tells another story.
        self.result("ledger", "add", "ledger", "zip.csv")
        verdict = self.result("ledger", "verify", "ledger", "--head", "head.json", exit_code=1)
        self.assertIn("forked", verdict["fault"]["what"])
        (self.path / "ledger").write_text(saved.replace('"rows":8', '"rows":9'))
        verdict = self.result("ledger", "verify", "ledger", exit_code=1)
        self.assertEqual(verdict["fault"]["place"], "ledger:2")

    def test_a_saved_head_is_replaced_only_by_one_that_grew_from_it(self):
        def saved():
            return json.loads((self.path / "head.json").read_text())
        self.result("ledger", "verify", "ledger", "--save-head", "head.json")
        first = self.text()
        self.result("ledger", "add", "ledger", self.by_age())
        self.result("ledger", "verify", "ledger", "--save-head", "head.json")
        self.assertEqual(saved()["size"], 2)
        kept = saved()
        # Cut.
        (self.path / "ledger").write_text(first)
        self.assertIn("cut off", self.error("ledger", "verify", "ledger", "--save-head", "head.json", exit_code=1))
        # Forked: another second entry, and a third.
        self.result("ledger", "add", "ledger", self.by_zip())
        self.result("ledger", "add", "ledger", "age.csv", "--max-breach", "1")
        self.assertIn("forked", self.error("ledger", "verify", "ledger", "--save-head", "head.json", exit_code=1))
        # Of another ledger.
        self.result("ledger", "init", "other")
        text = self.error("ledger", "verify", "other", "--save-head", "head.json", exit_code=1)
        self.assertIn("choose another name", text)
        self.assertEqual(saved(), kept)
        self.result("ledger", "verify", "ledger", "--save-head", "new.json")
        # What is no head at all is not replaced either.
        self.assertIn("not a saved head", self.error("ledger", "verify", "ledger", "--save-head", "people.csv"))

    def test_a_torn_line(self):
        self.result("ledger", "add", "ledger", self.by_age())
        with open(self.path / "ledger", "a") as ledger:
            ledger.write('{"entry":{"body"')
        verdict = self.result("ledger", "verify", "ledger", exit_code=1)
        self.assertEqual(verdict["fault"]["place"], "ledger:3")
        self.assertIn("--repair", verdict["fault"]["advice"])
        self.assertIn("--repair", self.error("ledger", "add", "ledger", self.by_zip(), exit_code=1))
        self.assertEqual(self.result("ledger", "add", "ledger", "zip.csv", "--repair")["entry"], 2)
        self.assertTrue(self.result("ledger", "verify", "ledger")["holds"])

    def test_a_cut_within_the_last_line_is_found_against_a_saved_head(self):
        self.result("ledger", "add", "ledger", self.by_age())
        self.result("ledger", "verify", "ledger", "--save-head", "head.json")
        whole = self.text()
        (self.path / "ledger").write_text(whole[:-40])
        alone = self.result("ledger", "verify", "ledger", exit_code=1)["fault"]
        self.assertEqual(alone["place"], "ledger:2")
        self.assertIn("--head", alone["advice"])
        against = self.result("ledger", "verify", "ledger", "--head", "head.json", exit_code=1)["fault"]
        self.assertIn("cut off", against["what"])
        # Without its end alone, the line is given one and stays.
        (self.path / "ledger").write_text(whole[:-1])
        self.assertIn("newline", self.result("ledger", "verify", "ledger", "--head", "head.json", exit_code=1)["fault"]["what"])
        self.result("ledger", "add", "ledger", self.by_zip(), "--repair")
        self.assertTrue(self.text().startswith(whole))
        self.assertTrue(self.result("ledger", "verify", "ledger", "--head", "head.json")["holds"])

    def test_nothing_takes_the_place_of_the_ledger_its_key_or_a_saved_head(self):
        self.result("ledger", "verify", "ledger", "--save-head", "head.json")
        before = {name: (self.path / name).read_bytes() for name in ("ledger", "ledger.key", "head.json")}
        for name in ("ledger", "ledger.key"):
            self.assertIn("overwrite", self.error("ledger", "verify", "ledger", "--save-head", name))
            self.assertIn("overwrite", self.error("ledger", "prove", "ledger", "--entry", "0", "--out", name))
            self.assertIn("overwrite", self.error("ledger", "export", "ledger", "--out", name))
        self.assertIn("same file", self.error("ledger", "prove", "ledger", "--since", "head.json", "--out", "head.json",
                                              "--force"))
        self.file("patients.csv", "name\nAnn\n")
        self.assertIn("did not write it", self.error("ledger", "prove", "ledger", "--entry", "0", "--out", "patients.csv"))
        self.assertIn("did not write it", self.error("ledger", "export", "ledger", "--out", "patients.csv"))
        self.assertEqual((self.path / "patients.csv").read_text(), "name\nAnn\n")
        self.assertIn("one file", self.error("ledger", "init", "same", "--key", "same"))
        self.assertEqual(before, {name: (self.path / name).read_bytes() for name in before})

    def test_a_killed_writer_loses_nothing_that_was_acknowledged(self):
        releases = []
        for number in range(6):
            (self.path / f"people{number}.csv").write_text(PEOPLE.replace("cough", f"cough {number}"))
            releases.append(self.protect(f"out{number}.csv", "age,zip", "age=1,zip=5", people=f"people{number}.csv"))
        acknowledged = {}
        for turn, delay in enumerate((0.01, 0.03, 0.06, 0.1, 0.15, 0.2)):
            running = {name: subprocess.Popen([PROGRAM, "ledger", "add", "ledger", name, "--other-people", "--json"], cwd=self.path,
                                              stdout=subprocess.PIPE, stderr=subprocess.PIPE) for name in releases}
            time.sleep(delay)
            running[releases[turn]].kill()
            for name, process in running.items():
                out, _ = process.communicate(timeout=120)
                if process.returncode == 0:
                    acknowledged[name] = json.loads(out)["entry"]
            checked = self.run_program("ledger", "verify", "ledger")
            if checked.returncode:  # torn: the next writer mends it
                self.assertIn(b"--repair", checked.stdout)
                self.run_program("ledger", "add", "ledger", releases[turn], "--repair", "--other-people")
        self.assertTrue(self.result("ledger", "verify", "ledger")["holds"])
        lines = [json.loads(line)["entry"] for line in self.text().splitlines()]
        self.assertEqual(len(lines), 7)
        for name, entry in acknowledged.items():
            self.assertEqual(lines[entry]["body"]["release"]["sha256"],
                             hashlib.sha256((self.path / name).read_bytes()).hexdigest())

    def test_proofs_are_checked_without_the_ledger(self):
        self.result("ledger", "add", "ledger", self.by_age())
        self.result("ledger", "verify", "ledger", "--save-head", "first.json")
        self.result("ledger", "add", "ledger", self.by_zip())
        self.result("ledger", "verify", "ledger", "--save-head", "second.json")
        self.result("ledger", "prove", "ledger", "--entry", "1", "--out", "in.json")
        self.result("ledger", "prove", "ledger", "--since", "first.json", "--out", "grown.json")
        (self.path / "ledger").unlink()
        self.assertTrue(self.result("ledger", "check", "in.json", "--head", "second.json")["holds"])
        self.assertFalse(self.result("ledger", "check", "in.json", "--head", "first.json", exit_code=1)["holds"])
        self.assertTrue(self.result("ledger", "check", "grown.json", "--head", "first.json")["holds"])
        self.assertNotIn("note", self.result("ledger", "check", "grown.json", "--head", "first.json"))
        alone = self.result("ledger", "check", "in.json")
        self.assertEqual((alone["holds"], alone["against_head"]), (True, False))
        self.assertIn("not whose ledger it is", alone["note"])
        self.assertIn(b"not whose ledger it is", self.run_program("ledger", "check", "in.json").stdout)
        proof = json.loads((self.path / "in.json").read_text())
        proof["entry"]["body"]["release"]["rows"] = 9
        (self.path / "in.json").write_text(json.dumps(proof))
        self.assertFalse(self.result("ledger", "check", "in.json", exit_code=1)["holds"])
        self.assertIn("not a proof", self.error("ledger", "check", "first.json"))

    def test_many_writers_at_once(self):
        names = []
        for number in range(4):
            (self.path / f"people{number}.csv").write_text(PEOPLE.replace("cough", f"cough {number}"))
            names.append(self.protect(f"out{number}.csv", "age,zip", "age=1,zip=5", people=f"people{number}.csv"))
        running = [subprocess.Popen([PROGRAM, "ledger", "add", "ledger", name, "--other-people", "--json"], cwd=self.path,
                                    stdout=subprocess.PIPE, stderr=subprocess.PIPE) for name in names]
        entries = []
        for process in running:
            out, problems = process.communicate(timeout=120)
            self.assertEqual(process.returncode, 0, problems.decode())
            entries.append(json.loads(out)["entry"])
        self.assertEqual(sorted(entries), [1, 2, 3, 4])
        self.assertTrue(self.result("ledger", "verify", "ledger")["holds"])
        self.assertEqual([entry["entry"] for entry in self.result("ledger", "list", "ledger")["entries"]], [1, 2, 3, 4])

    def test_by_hand_with_other_tools(self):
        """As docs/ledger.md tells it: the chain, the tree and the signature without this program's code."""
        self.result("ledger", "add", "ledger", self.by_age())
        head = self.result("ledger", "add", "ledger", self.by_zip())["head"]
        leaves = []
        for number, line in enumerate(self.text().splitlines()):
            entry = re.fullmatch(r'\{"entry":(.*),"root":"[0-9a-f]{64}","signature":"[0-9a-f]{128}"\}', line).group(1)
            self.assertEqual(json.dumps(json.loads(entry), sort_keys=True, separators=(",", ":"), ensure_ascii=False), entry)
            self.assertEqual(json.loads(entry)["previous"], leaves[-1].hex() if leaves else "0" * 64)
            leaves.append(hashlib.sha256(b"\0" + entry.encode()).digest())
            self.assertEqual(json.loads(entry)["index"], number)
        pair = hashlib.sha256(b"\1" + leaves[0] + leaves[1]).digest()
        root = hashlib.sha256(b"\1" + pair + leaves[2]).hexdigest()
        self.assertEqual(head["root"], root)
        if not shutil.which("openssl"):
            self.skipTest("there is no openssl here")
        (self.path / "head.txt").write_text(f"pratique-ledger-1\n3\n{root}\n")
        (self.path / "signature").write_bytes(bytes.fromhex(head["signature"]))
        (self.path / "key.der").write_bytes(bytes.fromhex("302a300506032b6570032100" + head["key"]))
        done = self.run_openssl("pkeyutl", "-verify", "-rawin", "-pubin", "-keyform", "DER", "-inkey", "key.der", "-in",
                                "head.txt", "-sigfile", "signature")
        self.assertIn("Signature Verified Successfully", done)
        (self.path / "head.txt").write_text(f"pratique-ledger-1\n2\n{root}\n")
        self.assertIn("Failure", self.run_openssl("pkeyutl", "-verify", "-rawin", "-pubin", "-keyform", "DER", "-inkey",
                                                  "key.der", "-in", "head.txt", "-sigfile", "signature"))

    def run_openssl(self, *arguments):
        done = subprocess.run(["openssl", *arguments], capture_output=True, timeout=60, cwd=self.path)
        return (done.stdout + done.stderr).decode()

    def test_export_and_other_kinds(self):
        codes = "".join(f"P{i:02},{code}\n" for i in range(20) for code in ("250.00", ["401.1", "401.9"][i % 2]))
        (self.path / "codes.csv").write_text("patient,code\n" + codes)
        self.result("codes", "protect", "codes.csv", "--hierarchy", "icd9", "--k", "5", "--m", "2", "--out", "out.csv")
        added = self.result("ledger", "add", "ledger", "out.csv")
        # Who knows both codes of somebody finds the ten who have them.
        self.assertEqual((added["sequence"]["k_alone"], added["breach"]), (10, 0))
        self.result("ledger", "export", "ledger", "--out", "all.json")
        exported = json.loads((self.path / "all.json").read_text())
        self.assertEqual([entry["kind"] for entry in exported["entries"]], ["ledger", "release"])
        self.assertEqual(exported["head"]["size"], 2)

    def test_bad_usage(self):
        self.assertIn("never overwritten", self.error("ledger", "init", "ledger"))
        self.assertIn("no ledger here", self.error("ledger", "verify", "none"))
        self.assertIn("numbered from 0 to 0", self.error("ledger", "show", "ledger", "7"))
        self.assertIn("choose what to prove", self.error("ledger", "prove", "ledger", "--out", "x"))
        os.chmod(self.path / "ledger.key", 0o644)
        self.assertIn("chmod 600", self.error("ledger", "add", "ledger", self.by_age()))


if __name__ == "__main__":
    unittest.main()
