#!/usr/bin/env python3
"""Ways round a promise that somebody found. Run by ctest as: adversary_test.py PROGRAM"""
import collections
import csv
import datetime
import itertools
import json
import os
import random
import unittest

from program_in_folder import ProgramInFolder

ILLNESSES = ["flu", "hiv", "gout", "asthma"]


class AdversaryTest(ProgramInFolder):
    def people(self, name, rows):
        self.file(name, "name,age,sex,diag\n" + "".join(",".join(map(str, row)) + "\n" for row in rows))

    def test_a_version_that_is_written_otherwise_is_not_compared_with_nothing(self):
        old = [(f"n{i}", 20 + i * 7 % 60, "FM"[i % 2], ILLNESSES[i // 2 % 4]) for i in range(40)]
        self.people("old.csv", old)
        protect = ["tables", "protect", "--id", "name", "--qi", "age,sex", "--sensitive", "diag", "--k", "3", "--l", "2", "--seed", "1"]
        self.result(*protect, "old.csv", "--method", "levels", "--levels", "age=3,sex=0", "--out", "first.csv")
        self.people("decimal.csv", old + [("z", "30.5", "F", "lupus")])
        self.people("small.csv", [(n, a, s.lower(), d) for n, a, s, d in old] + [("z", 30, "f", "lupus")])
        for file in ("decimal.csv", "small.csv"):
            message = self.error(*protect, file, "--method", "again", "--against", "first.csv", "--suppression", "0.9", "--out",
                                 "second.csv", exit_code=1)
            self.assertIn("differently", message)
            self.assertFalse((self.path / "second.csv").exists())

    def test_a_newcomer_does_not_stand_in_under_another_spelling(self):
        rows = [("a", i, v) for i, v in enumerate(["flu", "hiv", "gout", "flu"])] + [("b", i, v) for i, v in enumerate(ILLNESSES)]
        self.file("old.csv", "name,q,diag\n" + "".join(f"{q}{i},{q},{v}\n" for q, i, v in rows))
        self.file("new.csv", (self.path / "old.csv").read_text() + "n1,a,HIV\n")
        protect = ["tables", "protect", "--id", "name", "--qi", "q", "--sensitive", "diag", "--k", "3", "--l", "3", "--seed", "1"]
        self.result(*protect, "old.csv", "--method", "levels", "--levels", "q=0", "--out", "first.csv")
        result = self.result(*protect, "new.csv", "--method", "again", "--against", "first.csv", "--suppression", "0.9", "--out",
                             "second.csv")
        self.assertEqual(result["waiting"], 1)
        self.assertEqual(sorted((self.path / "first.csv").read_text().splitlines()),
                         sorted((self.path / "second.csv").read_text().splitlines()))

    def test_an_operator_that_does_nothing_hides_nothing(self):
        draw = random.Random(1)
        rows = [f"Ann Ng{i},{draw.randrange(10**8, 10**9)},{20 + i},{'FM'[i % 2]},{ILLNESSES[i % 4]}\n" for i in range(40)]
        self.file("ssn.csv", "name,ssn,age,sex,diag\n" + "".join(rows))
        protect = ["tables", "protect", "ssn.csv", "--qi", "age,sex", "--sensitive", "diag", "--insensitive", "name,ssn", "--k", "5",
                   "--l", "2", "--seed", "1", "--out", "out.csv"]
        idle = ["--perturb", "name=pram:0.9999999", "--perturb", "ssn=round:1"]
        self.assertIn("--allow", self.error(*protect, *idle))
        self.assertFalse((self.path / "out.csv").exists())
        result = self.result(*protect, *idle, "--allow", "name,ssn")
        self.assertEqual((result["after"]["singled_out"], result["after"]["singled_out_by"]), (40, ["ssn", "age", "sex"]))
        self.assertEqual(result["allowed"], ["name", "ssn"])
        self.assertTrue(self.result("verify", "out.csv")["holds"])
        self.assertEqual(self.result("report", "out.csv", "--out", "report.json")["standing"], "holds")

    def test_with_k_alone_nothing_follows_from_sensitive_values(self):
        for method in ("cluster-up", "cluster-down", "microaggregate", "mondrian", "local"):
            partitions = set()
            for values in itertools.product("ab", repeat=5):
                self.file("in.csv", "diag,age\n" + "".join(f"{v},{age}\n" for v, age in zip(values, (20, 30, 40, 50, 60))))
                self.result("tables", "protect", "in.csv", "--qi", "age", "--sensitive", "diag", "--k", "2", "--method", method, "--seed",
                            "1", "--out", "out.csv")
                cells = [line.split(",")[1] for line in (self.path / "out.csv").read_text().splitlines()[1:]]
                partitions.add(tuple(sorted(collections.Counter(cells).items())))
            self.assertEqual(len(partitions), 1, method)

    def test_one_person_in_many_spellings_hides_nobody(self):
        """Five ways to write a patient were five people: tables, codes and lists of trails held nobody to k."""
        def spellings(name):
            return [name, name.upper(), name.lower(), f" {name} ", name.replace(" ", "  ")]
        self.file("in.csv", "who,age,sex,dx\n" + "".join(f"{who},{20 + p},{'FM'[p % 2]},E11\n" for p in range(40)
                                                       for who in spellings(f"Ann B{chr(97 + p % 26)}x{p}")))
        found = self.result("tables", "protect", "in.csv", "--person", "who", "--qi", "age,sex", "--insensitive", "dx", "--k", "5",
                            "--out", "out.csv")
        self.assertEqual(found["people_in"], 40)
        self.assertLessEqual(found["after"]["classes"], 8)
        self.file("codes.csv", "patient,code\n" + "".join(f"{who},c{p}\n" for p in range(6) for who in spellings(f"Pat{p}")))
        self.file("tree.csv", "".join(f"c{p};*\n" for p in range(6)))
        found = self.result("codes", "protect", "codes.csv", "--k", "5", "--m", "1", "--hierarchy", "tree.csv", "--keep-nothing", "--out",
                            "codes.out.csv")
        self.assertEqual((found["patients_in"], found["metrics"]["ncp"]), (6, 1))
        self.file("people.csv", "location,name,born\nH1,Ann Smith,1970-01-05\nH1,ANN SMITH,05.01.1970\nH1,ann  smith ,1970/01/05\n")
        self.file("samples.csv", "location,element\nH1,s1\n")
        lists = ("--identified", "people.csv", "--identified-element", "name,born", "--deidentified", "samples.csv",
                 "--deidentified-element", "element", "--k", "2")
        self.assertFalse(self.result("trails", "verify", *lists, exit_code=1)["holds"])
        self.result("trails", "protect", *lists, "--out", "trails.csv", exit_code=1)
        self.assertFalse((self.path / "trails.csv").exists())

    def test_an_age_beside_a_birth_undoes_its_class(self):
        """Who knows the birth knows the age: left as it is, it singles people out in a class of five."""
        draw = random.Random(4)
        births = [(1935 + i * 3 % 60, 1 + i % 12, 1 + i % 28) for i in range(120)]
        self.file("in.csv", "dob,age,shift,sex,dx\n" + "".join(f"{y}-{m:02}-{d:02},{2020 - y},{draw.choice('abc')},{'FM'[i % 2]},{ILLNESSES[i % 4]}\n"
                                                              for i, (y, m, d) in enumerate(births)))
        protect = ["tables", "protect", "in.csv", "--sensitive", "dx", "--k", "5", "--l", "2", "--method", "mondrian", "--out", "out.csv",
                   "--force"]
        said = self.error(*protect, "--qi", "dob,sex", "--insensitive", "age,shift")
        self.assertIn("age: it follows from 'dob'", said)
        self.assertIn("--allow age", said)
        self.assertNotIn("shift:", said)
        self.assertFalse((self.path / "out.csv").exists())
        self.assertNotIn("warnings", self.result(*protect, "--qi", "dob,age,sex", "--insensitive", "shift"))
        # Let go by name, it counts together with what its class shows, in the result, the ledger and every check.
        found = self.result(*protect, "--qi", "dob,sex", "--insensitive", "age,shift", "--allow", "age")
        with open(self.path / "out.csv", newline="") as file:
            cells = collections.Counter(tuple(row[c] for c in ("dob", "sex", "age", "shift")) for row in csv.DictReader(file))
        alone = sum(count == 1 for count in cells.values())
        self.assertGreater(alone, 20)
        self.assertEqual((found["allowed"], found["after"]["singled_out"]), (["age"], alone))
        self.assertEqual(sorted(found["after"]["singled_out_by"]), ["age", "dob", "sex", "shift"])
        self.result("verify", "out.csv")
        self.assertIn("age", self.run_program("verify", "out.csv").stdout.decode().splitlines()[0])
        self.result("ledger", "init", "ledger")
        self.assertAlmostEqual(self.result("ledger", "add", "ledger", "out.csv", exit_code=1)["sequence"]["singled_out"], alone / 120)
        path = self.path / "out.csv.manifest.json"
        manifest = json.loads(path.read_text())
        manifest["parameters"]["allowed"] = []
        manifest["options"].pop("allow")
        path.write_text(json.dumps(manifest))
        self.result("verify", "out.csv", exit_code=1)

    def test_a_year_that_only_the_end_of_a_file_shows_undoes_an_admission(self):
        draw = random.Random(6)
        days = [f"2018-{1 + i % 12:02}-{1 + i % 28:02}" for i in range(9000)] + [f"2019-{1 + i % 12:02}-{1 + i % 28:02}" for i in range(3000)]
        self.file("in.csv", "nr,admitted,year,age,dx\n" + "".join(
            f"{10000 + i},{day},{day[:4]},{draw.randrange(20, 80)},{draw.choice(ILLNESSES)}\n" for i, day in enumerate(days)))
        for whose in ("--id", "--person"):
            self.assertIn("year: it follows from 'admitted'",
                          self.error("tables", "protect", "in.csv", whose, "nr", "--qi", "admitted,age", "--insensitive", "year",
                                     "--sensitive", "dx", "--k", "5", "--method", "mondrian", "--out", "out.csv"))

    def test_a_length_of_stay_beside_both_its_dates_undoes_their_class(self):
        draw = random.Random(8)
        rows = []
        for _ in range(300):
            born, came, stay = datetime.date(1930 + draw.randrange(70), 1 + draw.randrange(12), 1 + draw.randrange(28)), \
                datetime.date(2016, 1, 1) + datetime.timedelta(draw.randrange(1500)), draw.randrange(1, 21)
            rows.append((born, came, came + datetime.timedelta(stay), stay,
                         came.year - born.year - ((came.month, came.day) < (born.month, born.day)), draw.randrange(1, 21), draw.choice(ILLNESSES)))
        self.file("in.csv", "born;came;went;stay;old;visits;dx\n" + "".join(
            ";".join(f"{cell:%d.%m.%Y}" if isinstance(cell, datetime.date) else str(cell) for cell in row) + "\n" for row in rows))
        protect = ["tables", "protect", "in.csv", "--k", "5", "--method", "mondrian", "--out", "out.csv", "--force", "--rows-are-people"]
        kept = ["--sensitive", "dx", "--insensitive", "stay,visits"]
        said = self.error(*protect, *kept, "--id", "born,old", "--qi", "came,went")
        self.assertIn("stay: it follows from 'came' and 'went', so who knows both knows it", said)
        self.assertIn("--allow stay", said)
        self.assertNotIn("visits:", said)
        self.assertFalse((self.path / "out.csv").exists())
        self.assertIn("stay: it follows", self.error(*protect, "--id", "born,old,visits", "--sensitive", "stay,dx", "--qi", "came,went"))
        self.assertIn("old: it follows from 'born'", self.error(*protect, "--id", "went,stay,visits", "--sensitive", "dx", "--qi", "born,came",
                                                              "--insensitive", "old"))
        self.result(*protect, *kept, "--id", "born,old,went", "--qi", "came")
        self.assertEqual(self.result(*protect, *kept, "--id", "born,old", "--qi", "came,went", "--allow", "stay")["allowed"], ["stay"])

    def test_pseudonyms_of_a_county_undo_postcodes(self):
        draw = random.Random(5)
        rows = [(10000 + 10 * draw.randrange(60), draw.choice("FM"), ILLNESSES[i % 4]) for i in range(200)]
        self.file("in.csv", "zip,county,nr,sex,dx\n" + "".join(f"{z},C{z // 100},{i},{s},{d}\n" for i, (z, s, d) in enumerate(rows)))
        protect = ["tables", "protect", "in.csv", "--qi", "zip,sex", "--sensitive", "dx", "--k", "5", "--l", "2", "--rows-are-people",
                   "--identifiers", "pseudonym", "--key", "k.key", "--out", "out.csv"]
        self.assertIn("county: its equal pseudonyms", self.error(*protect, "--id", "nr,county"))
        self.result(*protect, "--id", "nr", "--qi", "county")

    def test_rows_of_a_population_are_people(self):
        self.file("in.csv", "age,sex,diag\n40,F,A\n41,M,A\n41,M,A\n41,M,B\n41,M,B\n")
        self.file("everybody.csv", "patient_nbr,age,sex\n" + "1,40,F\n" * 5 + "".join(f"{i},41,M\n" for i in range(2, 8)))
        protect = ["tables", "protect", "in.csv", "--qi", "age,sex", "--sensitive", "diag", "--k-map", "5", "--population",
                   "everybody.csv", "--out", "out.csv"]
        self.assertIn("'patient_nbr' repeats in the population", self.error(*protect))
        self.assertIn("'patient_nbr' repeats", self.error("tables", "assess", "in.csv", "--qi", "age,sex", "--population", "everybody.csv"))
        self.result(*protect, "--rows-are-people")
        self.file("everybody.csv", "patient_nbr,age,sex\n" + "".join(f"{i},{40 if i < 5 else 41},{'F' if i < 5 else 'M'}\n" for i in range(10)))
        self.result(*protect, "--force")

    def test_a_manifest_that_says_it_is_something_else_is_noticed(self):
        rows = [f"{20 + i},{'FM'[i % 2]},{ILLNESSES[i % 4]},{1000 + 7 * i},here\n" for i in range(60)]
        self.file("in.csv", "age,sex,diag,bill,site\n" + "".join(rows))
        self.result("tables", "protect", "in.csv", "--qi", "age,sex", "--sensitive", "diag", "--insensitive", "bill,site", "--allow",
                    "bill", "--k", "5", "--l", "2", "--seed", "1", "--out", "out.csv")
        path = self.path / "out.csv.manifest.json"
        whole = path.read_text()

        def cut(manifest):
            for key in ("singled_out", "singled_out_share", "singled_out_by"):
                del manifest["results"]["after"][key]

        def as_anatomy(manifest):
            manifest["parameters"]["group"] = "note"
            manifest["results"]["after"].update(singled_out=0, singled_out_share=0.0)

        def as_old(manifest):
            manifest["format"] = 2
            cut(manifest)

        for forge in (as_anatomy, as_old, cut, lambda manifest: manifest["results"]["after"].update(singled_out_share=0.0)):
            manifest = json.loads(whole)
            forge(manifest)
            path.write_text(json.dumps(manifest))
            for words in (["verify", "out.csv"], ["report", "out.csv", "--out", "r.json", "--force"]):
                with self.subTest(forge=forge.__name__, words=words):
                    self.assertIn(self.run_program(*words).returncode, (1, 2))
        path.write_text(whole)
        self.assertTrue(self.result("verify", "out.csv")["holds"])

    def test_one_number_in_many_spellings_is_one_value(self):
        rows = [f"{q},{cd4}\n" for q, cd4s in (("A", ["5", "5.0", "5.00"]), ("B", ["7", "07", "7."])) for cd4 in cd4s * 2]
        self.file("in.csv", "q,cd4\n" + "".join(rows))
        message = self.error("tables", "protect", "in.csv", "--qi", "q", "--sensitive", "cd4", "--k", "3", "--l", "2", "--method", "levels",
                             "--levels", "q=0", "--seed", "1", "--out", "out.csv", exit_code=1)
        self.assertIn("12 of 12 records", message)

    def test_dates_with_names_of_months_are_dates_and_others_are_refused(self):
        draw = random.Random(2)
        names = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        days = [(draw.randrange(1, 29), draw.randrange(12), draw.randrange(1940, 2000)) for _ in range(40)]
        protect = ["tables", "protect", "in.csv", "--qi", "dob", "--sensitive", "dx", "--k", "4", "--method", "mondrian", "--seed", "1",
                   "--out", "out.csv"]
        releases = set()
        for write in (lambda d, m, y: f"{y}-{m + 1:02}-{d:02}", lambda d, m, y: f"{d:02}-{names[m]}-{y}",
                      lambda d, m, y: f"{d:02}{names[m].upper()}{y}"):
            self.file("in.csv", "dob,dx\n" + "".join(f"{write(*day)},{'AB'[i % 2]}\n" for i, day in enumerate(days)))
            self.result(*protect, "--force")
            self.assertTrue(self.result("verify", "out.csv")["holds"])
            releases.add((self.path / "out.csv").read_text())
        self.assertEqual(len(releases), 1)
        self.assertNotIn("|", releases.pop())
        for write in (lambda d, m, y: f"{d:02}.{m + 1:02}.{y % 100:02}", lambda d, m, y: f"{d:02}-{names[m]}-{y % 100:02}",
                      lambda d, m, y: f"{d}. {'abcdefghijkl'[m]}listopadu {y}"):
            self.file("in.csv", "dob,dx\n" + "".join(f"{write(*day)},{'AB'[i % 2]}\n" for i, day in enumerate(days)))
            self.assertIn("a form that is not read", self.error(*protect, "--force"))

    def test_roles_suggested_go_with_models_of_sensitive_values(self):
        draw = random.Random(3)
        rows = [f"{draw.randrange(20, 60)},{draw.choice('FM')},{draw.choice(ILLNESSES)}\n" for _ in range(200)]
        self.file("in.csv", "age,sex,diagnosis\n" + "".join(rows))
        result = self.result("tables", "protect", "in.csv", "--roles", "suggested", "--k", "5", "--l", "2", "--seed", "1", "--out",
                             "out.csv")
        self.assertIn("l", result["models"])

    def release_versions(self, header, roles, *versions):
        """Protects each version at the same levels and adds all to a ledger; returns what is said of the last."""
        self.result("ledger", "init", "ledger")
        for number, rows in enumerate(versions):
            self.file("in.csv", header + "".join(",".join(map(str, row)) + "\n" for row in rows))
            self.result("tables", "protect", "in.csv", *roles, "--qi", "age", "--hierarchy", "age=interval:10", "--sensitive", "diag",
                        "--k", "4", "--l", "2", "--method", "levels", "--levels", "age=1", "--seed", "1", "--out", f"out{number}.csv",
                        "--force")
            words = ["ledger", "add", "ledger", f"out{number}.csv", "--population", "clinic"]
            if number + 1 < len(versions):
                self.result(*words)
        run = self.run_program(*words, "--json")
        return json.loads(run.stdout), run.returncode

    def test_the_first_entry_is_tried_before_there_is_a_ledger(self):
        # Everybody of an age has the same illness: a crowd of twenty gives it away.
        self.file("in.csv", "age,illness\n" + "20,flu\n" * 20 + "40,gout\n" * 20)
        self.result("tables", "protect", "in.csv", "--qi", "age", "--sensitive", "illness", "--k", "4", "--method", "levels",
                    "--levels", "age=0", "--seed", "1", "--out", "out.csv")
        there = sorted(os.listdir(self.path))
        told = self.result("ledger", "add", "ledger", "out.csv", "--population", "clinic", "--try", "--new", exit_code=1)
        self.assertFalse(told["would_add"])
        self.assertEqual(told["breach"], 1)
        self.assertIn("illness", told["why_not"])
        self.assertTrue(self.result("ledger", "add", "ledger", "out.csv", "--try", "--new", "--max-breach", "1")["would_add"])
        self.assertEqual(sorted(os.listdir(self.path)), there)
        # A name that is spelt wrong is no new ledger unless somebody says so, and one that is there is not passed over.
        self.assertIn("there is no ledger here", self.error("ledger", "add", "leger", "out.csv", "--try"))
        self.result("ledger", "init", "ledger")
        self.assertIn("is there already", self.error("ledger", "add", "ledger", "out.csv", "--try", "--new"))
        self.error("ledger", "add", "other", "out.csv", "--new")

    def test_who_moved_to_another_ward_stands_out_between_two_releases(self):
        rows = [(f"n{i}", 20 + i % 20, "AB"[i // 20 % 2], i % 3, ILLNESSES[i // 2 % 4]) for i in range(160)]
        moved = [(*row[:2], "B", *row[3:]) if row[0] == "n10" else row for row in rows]
        roles = ["--id", "name", "--insensitive", "ward,day"]
        header = "name,age,ward,day,diag\n"
        refused, code = self.release_versions(header, roles, rows, moved)
        # One record is lost and one gained: n10's, who is found by having moved.
        self.assertEqual((code, refused["sequence"]["attributes"][0]["differenced_people"]), (1, 2))
        # What changes of everybody beside it hides nothing.
        (self.path / "ledger").unlink()
        (self.path / "ledger.key").unlink()
        refused, code = self.release_versions(header, roles, rows, [(*row[:3], 7, row[4]) for row in moved])
        self.assertEqual((code, refused["sequence"]["attributes"][0]["differenced_people"]), (1, 2))
        (self.path / "ledger").unlink()
        (self.path / "ledger.key").unlink()
        added, code = self.release_versions(header, roles, rows, [(*row[:3], 7, row[4]) for row in rows])
        self.assertEqual((code, added["breach"]), (0, 0))

    def test_what_stands_beside_a_secret_narrows_it_down(self):
        draw = random.Random(4)
        people = [(f"n{i}", 20 + 10 * (i % 8), draw.choice("abcdefgh"), i % 12, draw.choice(ILLNESSES)) for i in range(96)]
        self.file("in.csv", "name,age,sex,ward,diag\n" + "".join(",".join(map(str, row)) + "\n" for row in people))
        self.result("ledger", "init", "ledger")
        for out, levels, code in (("age.csv", "age=0,sex=1", 0), ("sex.csv", "age=1,sex=0", 1)):
            self.result("tables", "protect", "in.csv", "--id", "name", "--qi", "age,sex", "--sensitive", "diag", "--insensitive", "ward",
                        "--hierarchy", "age=flat", "--hierarchy", "sex=flat", "--k", "4", "--l", "2", "--method", "levels", "--levels",
                        levels, "--seed", "1", "--out", out)
            added = self.result("ledger", "add", "ledger", out, "--population", "clinic", exit_code=code)
        by_hand = 0
        by_illness = 0
        for _, age, sex, _, _ in people:
            by_illness += len({row[4] for row in people if row[1] == age} & {row[4] for row in people if row[2] == sex}) == 1
            old = {(ward, diag) for _, a, _, ward, diag in people if a == age}
            new = {(ward, diag) for _, _, s, ward, diag in people if s == sex}
            by_hand += len({diag for _, diag in old & new}) == 1
        self.assertGreater(by_hand, 10 + by_illness)
        self.assertEqual(added["sequence"]["attributes"][0]["disclosed"], by_hand / 96)

    def test_who_came_again_stands_out_between_two_releases(self):
        rows = [(f"n{i}", 20 + i % 20, ILLNESSES[i // 2 % 4]) for i in range(80) for _ in range(1 + i % 2)]
        header = "name,age,diag\n"
        for changed in (rows + [rows[5]],
                        # Somebody with as many values stands in for somebody with more rows.
                        [("z", *row[1:]) if row[0] == "n1" else row for row in rows if row is not rows[1]]):
            refused, code = self.release_versions(header, ["--person", "name"], rows, changed)
            self.assertEqual(code, 1)
            self.assertEqual(refused["sequence"]["attributes"][0]["differenced_people"], 2)
            (self.path / "ledger").unlink()
            (self.path / "ledger.key").unlink()

    def test_with_again_who_came_again_waits(self):
        rows = [f"n{i},{20 + i % 20},{ILLNESSES[i // 2 % 4]}\n" * (1 + i % 2) for i in range(80)]
        protect = ["tables", "protect", "in.csv", "--person", "name", "--qi", "age", "--sensitive", "diag", "--hierarchy",
                   "age=interval:10", "--k", "4", "--l", "2", "--seed", "1"]
        self.file("in.csv", "name,age,diag\n" + "".join(rows))
        self.result(*protect, "--method", "levels", "--levels", "age=1", "--out", "first.csv")
        again = [*protect, "--method", "again", "--against", "first.csv", "--suppression", "0.9", "--out", "second.csv", "--force"]
        self.assertEqual(self.result(*again)["waiting"], 0)
        stays = sorted(line.split(",", 1)[1] for line in (self.path / "first.csv").read_text().splitlines())

        # Of n4's class nobody else may leave: two rows are not one, so n4 is missing, and somebody seems new.
        came_again = rows[:4] + [rows[4] * 2] + rows[5:]
        # n1 had two rows; z, with the same illness, has one.
        stands_in = [rows[0], "z,21,flu\n"] + rows[2:]
        for changed in (came_again, stands_in):
            self.file("in.csv", "name,age,diag\n" + "".join(changed))
            self.assertEqual(self.result(*again)["waiting"], 40)
            self.assertTrue(self.result("verify", "second.csv")["holds"])
        # A newcomer like somebody with one row waits alone, whoever has more.
        self.file("in.csv", "name,age,diag\n" + "".join(rows) + "z,21,flu\n")
        self.assertEqual(self.result(*again)["waiting"], 1)
        self.assertEqual(sorted(line.split(",", 1)[1] for line in (self.path / "second.csv").read_text().splitlines()), stays)

    def test_columns_that_were_let_go_cannot_be_hushed_up(self):
        rows = [f"P{i % 20} Ng,{20 + i % 20},{ILLNESSES[i // 2 % 4]},u{i % 20}@example.org,{'ab'[i // 20 % 2]}\n" for i in range(80)]
        self.file("in.csv", "surname,age,diag,reach,side\n" + "".join(rows))
        self.file("codes.csv", "id,surname,code\n" + "".join(f"{i},P{i % 20} Ng,E11.{i % 2}\n" for i in range(80)))
        self.result("tables", "protect", "in.csv", "--qi", "age", "--sensitive", "diag", "--insensitive", "surname,reach,side", "--allow",
                    "surname,reach", "--k", "4", "--l", "2", "--seed", "1", "--out", "out.csv")
        self.result("codes", "protect", "codes.csv", "--patient", "id", "--code", "code", "--insensitive", "surname", "--allow", "surname",
                    "--rows-are-people", "--k", "5", "--m", "1", "--seed", "1", "--out", "codes.out.csv")
        for out, hushed in (("out.csv", ["surname", "reach"]), ("codes.out.csv", ["surname"])):
            self.assertEqual(self.result("verify", out)["allowed"], hushed)
            path = self.path / f"{out}.manifest.json"
            manifest = json.loads(path.read_text())
            for part in (manifest["parameters"], manifest["results"]):
                part.pop("allowed", None)
            manifest["options"].pop("allow", None)
            path.write_text(json.dumps(manifest))
            for private in ([], ["--private", "nowhere"]):
                said = self.result("verify", out, *private, exit_code=1)
                self.assertFalse(said["holds"])
                for column in hushed:
                    self.assertTrue(any(f"'{column}' " in text for text in said["contradictions"]), said["contradictions"])
            self.assertNotEqual(self.result("report", out, "--out", "r.json", "--force", exit_code=1)["standing"], "holds")
            self.result("ledger", "init", f"{out}.ledger")
            self.assertIn(self.run_program("ledger", "add", f"{out}.ledger", out).returncode, (1, 2))

    def test_whatever_reads_a_release_says_first_what_was_let_go(self):
        rows = [f"P{i % 20} Ng,{20 + i % 20},{ILLNESSES[i // 2 % 4]}\n" for i in range(80)]
        self.file("in.csv", "surname,age,diag\n" + "".join(rows))
        self.result("tables", "protect", "in.csv", "--qi", "age", "--sensitive", "diag", "--insensitive", "surname", "--allow", "surname",
                    "--rows-are-people", "--k", "4", "--seed", "1", "--out", "out.csv")
        known = ["--register", "in.csv", "--on", "age", "--sensitive", "diag", "--rows-are-people"]
        people = ["--targets", "in.csv", "--qi", "age", "--sensitive", "diag", "--rows-are-people"]
        self.result("ledger", "init", "ledger")
        for step in (["verify", "out.csv"], ["report", "out.csv", "--out", "r.json"], ["repeat", "out.csv"],
                     ["tables", "explain", "out.csv", "--class", "1"], ["tables", "attack", "out.csv", *known],
                     ["tables", "assess", "out.csv", "--qi", "age", "--rows-are-people"], ["tables", "profile", "out.csv"],
                     ["fusion", "compose", "--release", "out.csv", *people],
                     ["ledger", "add", "ledger", "out.csv", "--max-breach", "1", "--population", "all"]):
            said = list(self.result(*step, "--force" if step[0] == "report" else "--threads=1").items())
            self.assertEqual(said[:2], [("allowed", ["surname"]), ("rows_are_people", True)], step)
        shown = self.run_program("tables", "attack", "out.csv", *known).stdout.decode()
        self.assertRegex(shown.splitlines()[0], "columns that leave as they are, whatever they look like  +surname")
        # What makes a release decides for itself.
        self.assertNotIn("allowed", self.result("tables", "protect", "out.csv", "--id", "surname", "--qi", "age", "--sensitive", "diag",
                                                "--rows-are-people", "--k", "4", "--out", "again.csv"))

    def test_names_do_not_pass_for_pseudonyms(self):
        rows = [f"Ann Ng{i},{20 + i % 20},{ILLNESSES[i // 2 % 4]}\n" for i in range(80)]
        self.file("in.csv", "name,age,diag\n" + "".join(rows))
        self.result("tables", "protect", "in.csv", "--qi", "age", "--sensitive", "diag", "--insensitive", "name", "--allow", "name", "--k",
                    "4", "--l", "2", "--seed", "1", "--out", "out.csv")
        path = self.path / "out.csv.manifest.json"
        manifest = json.loads(path.read_text())
        manifest["parameters"].update(identifiers=["name"], identifier_treatment="pseudonym", allowed=[])
        manifest["options"].update(id=["name"], identifiers="pseudonym", allow=[], insensitive=[])
        manifest["results"].pop("allowed", None)
        manifest["results"]["unchanged"] = ["diag"]
        path.write_text(json.dumps(manifest))
        said = self.result("verify", "out.csv", exit_code=1)
        self.assertTrue(any("pseudonym" in text for text in said["contradictions"]), said["contradictions"])

    def test_a_claim_about_a_population_does_not_tell_the_extremes_of_the_records(self):
        self.file("everybody.csv", "age,sex\n" + "".join(f"{20 + i % 40},{'FM'[i // 2 % 2]}\n" for i in range(400)))
        told = set()
        for oldest in (61, 95, 3000):
            rows = [f"{20 + i % 40},{'FM'[i // 2 % 2]},{ILLNESSES[i % 4]}\n" for i in range(80)] + [f"{oldest},F,flu\n"]
            self.file("in.csv", "age,sex,diag\n" + "".join(rows))
            self.result("tables", "protect", "in.csv", "--qi", "age,sex", "--sensitive", "diag", "--k-map", "5", "--population",
                        "everybody.csv", "--suppression", "0.1", "--seed", "1", "--out", "out.csv", "--force")
            self.assertTrue(self.result("verify", "out.csv")["holds"])
            manifest = json.loads((self.path / "out.csv.manifest.json").read_text())
            told.add(json.dumps([claim["hierarchies"] for claim in manifest["claims"] if "hierarchies" in claim]))
        self.assertEqual(len(told), 1)

    def test_the_next_version_does_not_tell_how_wide_its_ranges_could_be(self):
        rows = [f"n{i},{20 + i % 40},{ILLNESSES[i // 2 % 4]}\n" for i in range(160)]
        self.file("in.csv", "name,age,diag\n" + "".join(rows))
        protect = ["tables", "protect", "in.csv", "--id", "name", "--qi", "age", "--sensitive", "diag", "--k", "4", "--l", "2", "--seed",
                   "1"]
        self.result(*protect, "--method", "levels", "--levels", "age=2", "--out", "first.csv")
        self.result(*protect, "--method", "again", "--against", "first.csv", "--out", "second.csv")
        claims = json.loads((self.path / "second.csv.manifest.json").read_text())["claims"]
        shown = {line.split(",")[0] for line in (self.path / "second.csv").read_text().splitlines()[1:]}
        paths = next(claim["labels"]["age"] for claim in claims if claim["model"] == "safe-versions")
        self.assertEqual(sorted(paths), sorted([cell] for cell in shown))

    def test_a_bound_on_beliefs_that_bounds_nothing_needs_a_word(self):
        rows = [f"{20 + i % 20},{ILLNESSES[i // 2 % 4]}\n" for i in range(160)]
        self.file("in.csv", "age,diag\n" + "".join(rows))
        protect = ["tables", "protect", "in.csv", "--qi", "age", "--sensitive", "diag", "--k", "4", "--seed", "1", "--out", "out.csv"]
        for loose in (["--rho", "0.1:0.9999@diag"], ["--growth", "0.999@diag"]):
            message = self.error(*protect, *loose)
            self.assertIn("--allow diag", message)
            self.assertFalse((self.path / "out.csv").exists())
        result = self.result(*protect, "--rho", "0.1:0.9999@diag", "--allow", "diag")
        self.assertEqual(result["allowed"], ["diag"])
        said = self.result("verify", "out.csv")
        self.assertEqual(said["allowed"], ["diag"])
        # gamma is 0.9999 * 0.9 / (0.1 * 0.0001) = 89991; with four values 89991 of 89994 stay.
        claim = next(claim for claim in said["claims"] if claim["model"] == "rho1-to-rho2")
        self.assertIn("100 % of the values left as they were", claim["explanation"])
        self.result(*protect, "--rho", "0.1:0.5@diag", "--force")  # gamma is 9, and 9 of 12 stay

    def test_a_value_that_one_record_has_is_not_published_by_the_domain_of_chance(self):
        rows = [f"{20 + i % 20},{ILLNESSES[i // 2 % 4]}\n" for i in range(160)]
        self.file("in.csv", "age,diag\n" + "".join(rows) + "33,kuru\n")
        protect = ["tables", "protect", "in.csv", "--qi", "age", "--sensitive", "diag", "--k", "4", "--rho", "0.1:0.5@diag", "--out",
                   "out.csv"]
        self.assertIn("one record only", self.error(*protect))
        self.assertFalse((self.path / "out.csv").exists())
        domain = self.file("domain.csv", "".join(f"{illness};*\n" for illness in (*ILLNESSES, "kuru", "yaws")))
        self.result(*protect, "--hierarchy", f"diag={domain}")
        self.assertEqual(self.result(*protect, "--allow", "diag", "--force")["allowed"], ["diag"])

    def test_who_joined_stands_out_by_harmless_columns_alone(self):
        rows = [f"{20 + 20 * (i % 2)},{'ABCD'[i // 2 % 4]}\n" for i in range(80)]
        self.result("ledger", "init", "ledger")
        for name, more in (("first", []), ("one", ["20,D\n"]), ("four", ["20,D\n"] * 4)):
            self.file(f"{name}.in.csv", "age,ward\n" + "".join(rows + more))
            self.result("tables", "protect", f"{name}.in.csv", "--qi", "age", "--insensitive", "ward", "--k", "4", "--method", "levels",
                        "--levels", "age=0", "--seed", "1", "--out", f"{name}.csv")
        self.result("ledger", "add", "ledger", "first.csv", "--population", "clinic")
        told = self.result("ledger", "add", "ledger", "one.csv", "--population", "clinic", "--try", exit_code=1)
        self.assertEqual([(each["sensitive"], each["differenced_people"]) for each in told["sequence"]["attributes"]], [("ward", 1)])
        self.assertFalse(told["would_add"])
        # Four of the same ward hide each other: what they share was called harmless.
        self.assertTrue(self.result("ledger", "add", "ledger", "four.csv", "--population", "clinic", "--try")["would_add"])

    def test_who_moved_to_another_ward_stands_out_between_two_releases_of_codes(self):
        draw = random.Random(1)
        rows = [(i, "AB"[i % 2], code) for i in range(60) for code in draw.sample(["E11.9", "I10", "J45.0", "M10.9"], 2)]
        self.result("ledger", "init", "ledger")
        for number, moved in enumerate(((), (), (10,), tuple(range(0, 20, 2)))):
            ward = {i: "B" for i in moved}
            lines = "".join(f"{i},{ward.get(i, w)},{number},{code}\n" for i, w, code in rows)
            self.file("in.csv", "patient,ward,version,code\n" + lines)
            self.result("codes", "protect", "in.csv", "--insensitive", "ward,version", "--k", "3", "--m", "1", "--seed", "1", "--out",
                        f"out{number}.csv")
            # One record is lost and one gained; ten who moved hide each other.
            added = self.result("ledger", "add", "ledger", f"out{number}.csv", "--population", "clinic",
                                exit_code=1 if len(moved) == 1 else 0)
            self.assertEqual(added["sequence"]["attributes"][0]["differenced_people"], 2 if len(moved) == 1 else 0)

    def test_what_holds_of_everybody_alone_promises_nothing(self):
        self.file("in.csv", "name,age,dx\n" + "".join(f"N{i},{20 + i},{['flu', 'gout', 'cold'][i % 3]}\n" for i in range(30)))
        # Of a class of one the distance to a third of each is 2/3.
        for model in (("--t", "1"), ("--t", "0.7"), ("--alpha", "1"), ("--k", "1")):
            message = self.error("tables", "protect", "in.csv", "--qi", "name,age", "--sensitive", "dx", *model, "--out", "out.csv")
            self.assertIn("nobody would be hidden", message, model)
            self.assertFalse((self.path / "out.csv").exists())
        self.result("tables", "protect", "in.csv", "--qi", "name,age", "--sensitive", "dx", "--t", "0.6", "--out", "out.csv")

    def test_a_tree_of_guarding_nodes_does_not_tell_what_the_suppressed_had(self):
        # Somebody of 99 has B20, alone, and stays out; whoever guards B** is released.
        rows = [(20 + i % 2, ["J10", "J11", "K29", "K30"][i // 2 % 4], ["J1*", "", "B**", "K29"][i % 4]) for i in range(40)]
        self.file("in.csv", "age,icd,wish\n" + "".join(f"{age},{code},{wish}\n" for age, code, wish in [*rows, (99, "B20", "")]))
        self.result("tables", "protect", "in.csv", "--qi", "age", "--sensitive", "icd,wish", "--hierarchy", "age=flat", "--hierarchy",
                    "icd=prefix", "--k", "5", "--guard", "wish:0.9@icd", "--method", "levels", "--suppression", "0.1", "--seed", "1",
                    "--out", "out.csv")
        self.assertNotIn("B20", (self.path / "out.csv.manifest.json").read_text())
        self.assertTrue(self.result("verify", "out.csv")["holds"])


if __name__ == "__main__":
    unittest.main()
