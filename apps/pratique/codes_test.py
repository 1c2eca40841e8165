#!/usr/bin/env python3
"""The codes noun as a user meets it. Run by ctest as: codes_test.py PROGRAM"""
import collections
import csv
import json
import pathlib
import re
import shlex
import unittest

from program_in_folder import ProgramInFolder

# The tutorial's example for 5^3-anonymity, with its two subtrees.
SETS = "a b c d e f g h\na c e f g\nc d e f h\na c e f\ne f g h\nd e f g\na b d e\na c f\na c\nb h\n"
TREE = "".join(f"{code};{'abc' if code in 'abc' else 'defgh'};*\n" for code in "abcdefgh")


def long_form(sets, header="patient,code,dna,visit"):
    rows = [header]
    for number, line in enumerate(sets.splitlines()):
        for place, code in enumerate(line.split()):
            rows.append(f"P{number:03},{code},ACGT{number % 3},{place // 2}")
    return "\n".join(rows) + "\n"


class CodesTest(ProgramInFolder):
    def setUp(self):
        super().setUp()
        self.sets = self.file("sets.dat", SETS)
        self.long = self.file("long.csv", long_form(SETS))
        self.tree = self.file("tree.csv", TREE)

    def protect(self, file, *options, **kwargs):
        more = () if "disassociation" in options else ("--hierarchy", self.tree)
        if more and file.endswith(".csv") and "--id" not in options:
            more += ("--insensitive", "dna")
        return self.result("codes", "protect", file, "--k", "5", "--m", "3", *more, *options, **kwargs)

    def test_nothing_rides_along_that_nobody_decided_about(self):
        rows = ["patient,code,name,ssn,dob,age,ward,note"]
        for number in range(12):
            for code in SETS.splitlines()[number % 5].split():
                rows.append(f"P{number},{code},Ann Lee{number},123-45-{6000 + number},19{50 + number}-03-0{1 + number % 9},"
                            f"{30 + number % 2},{number % 2},{number}")
        file = self.file("people.csv", "\n".join(rows) + "\n")
        protect = ("codes", "protect", file, "--method", "suppress", "--k", "2", "--m", "1", "--seed", "1", "--out", "out.csv")
        told = self.error(*protect)
        self.assertIn("nobody decided about 6 of its columns", told)
        self.assertTrue(told.rstrip().endswith("\n    --id name,ssn,note,dob,age,ward"), told)
        self.assertIn("--model table+codes --qi dob,age,ward", told)
        # Each column in a line of its own.
        self.assertEqual([line.split(":")[0] for line in told.splitlines() if re.match("    [a-z]", line)],
                         ["    name", "    ssn", "    dob", "    age", "    ward", "    note"])
        self.assertFalse((self.path / "out.csv").exists())
        # What is asked for by name is looked at all the same.
        told = self.error(*protect, "--id", "dob,age,note", "--insensitive", "name,ssn,ward")
        self.assertIn("--allow name,ssn", told)
        self.assertNotIn("Ann Lee", told)
        result = self.result(*protect, "--roles", "suggested")
        # No model holds a ward: two of them tell patients apart.
        self.assertEqual(result["unchanged"], [])
        self.assertEqual([left["column"] for left in result["left_out"]], ["name", "ssn", "dob", "age", "ward", "note"])
        self.assertIn("no model holds it", next(left["why"] for left in result["left_out"] if left["column"] == "ward"))
        self.assertLessEqual({"name", "ssn", "dob", "age", "ward", "note"}, set(result["dropped"]))
        self.assertEqual(list(self.rows("out.csv")[0]), ["patient", "code"])
        self.assertNotIn("singled_out", result["after"])
        result = self.result(*protect, "--id", "name,ssn,dob", "--insensitive", "age,ward,note", "--allow", "note")
        self.assertEqual(result["allowed"], ["note"])
        # Everybody has a note of their own.
        self.assertEqual((result["before"]["singled_out"], result["after"]["singled_out"]), (12, result["patients_out"]))
        self.assertEqual(next(iter(self.result("verify", "out.csv"))), "allowed")
        self.result("ledger", "init", "ledger")
        added = self.result("ledger", "add", "ledger", "out.csv", exit_code=1)
        self.assertEqual((added["sequence"]["singled_out"], added["sequence"]["breach"]), (1, 1))
        # A model that holds columns takes what others know.
        tree = self.file("letters.csv", "".join(f"{code};*\n" for code in sorted(set(SETS.split()))))
        result = self.result("codes", "protect", file, "--model", "table+codes", "--k", "2", "--m", "1", "--hierarchy", tree,
                             "--roles", "suggested", "--out", "both.csv")
        self.assertEqual(json.loads((self.path / "both.csv.manifest.json").read_text())["claims"][0]["quasi_identifiers"],
                         ["dob", "age", "ward"])
        self.assertEqual(result["unchanged"], [])

    def test_every_later_step_accepts_what_the_refusal_proposes(self):
        rows = ["patient,code,name,plan,site"]
        for number in range(16):
            for code in SETS.splitlines()[number % 5].split():
                rows.append(f"P{number},{code},Ann Lee{number},{number % 4},North")
        file = self.file("people.csv", "\n".join(rows) + "\n")
        tree = self.file("letters.csv", "".join(f"{code};*\n" for code in sorted(set(SETS.split()))))
        self.result("ledger", "init", "ledger")
        for number, (model, line) in enumerate((("km", ["--id", "name,plan", "--insensitive", "site"]),
                                                ("table+codes", ["--id", "name", "--insensitive", "site", "--qi", "plan"]))):
            protect = ("codes", "protect", file, "--model", model, "--hierarchy", tree, "--k", "2", "--m", "1", "--seed", "1",
                       "--keep-nothing", "--out", f"out{number}.csv")
            told = self.error(*protect)
            words = shlex.split(told.rstrip().splitlines()[-1])
            self.assertEqual(words, line)
            result = self.result(*protect, *words)
            self.assertNotIn("warnings", result)
            self.assertTrue(self.result("verify", f"out{number}.csv")["holds"])
            if number == 0:
                self.assertEqual(self.result("ledger", "add", "ledger", "out0.csv")["sequence"]["breach"], 0)

    def test_columns_beside_codes_are_attacked_with_them(self):
        """Each code is shared by four, and so is each plan; a plan and a code are one patient's."""
        rows = [f"P{number},{'abcd'[number % 4]},plan{number // 4}" for number in range(16)]
        file = self.file("plans.csv", "patient,code,plan\n" + "\n".join(rows) + "\n")
        protect = ("codes", "protect", file, "--method", "suppress", "--k", "4", "--m", "1", "--seed", "1", "--out", "out.csv")
        told = self.error(*protect)
        self.assertIn("--model table+codes --qi plan", told)
        result = self.result(*protect, "--insensitive", "plan")
        self.assertEqual(result["after"]["m_codes_known"]["matched_under_k"], 0)
        self.assertEqual(result["after"]["singled_out"], 0)
        everybody = {"targets": 16, "matched_under_k": 16, "reidentified": 16}
        self.assertEqual(result["before"]["columns_and_codes_known"], everybody)
        self.assertEqual(result["after"]["columns_and_codes_known"], everybody)
        self.assertIn("--model table+codes --qi plan", result["warnings"][0])
        self.result("ledger", "init", "ledger")
        added = self.result("ledger", "add", "ledger", "out.csv", exit_code=1)
        self.assertEqual((added["sequence"]["singled_out"], added["sequence"]["breach"]), (1, 1))
        verdict = self.result("report", "out.csv", "--out", "report.html")
        self.assertIn("By such columns and a few known codes, 16 of the released records stand alone",
                      (self.path / "report.html").read_text(), verdict)
        # What the error advised.
        tree = self.file("flat.csv", "a;*\nb;*\nc;*\nd;*\n")
        held = self.result("codes", "protect", file, "--model", "table+codes", "--qi", "plan", "--hierarchy", tree, "--k", "4",
                           "--m", "1", "--seed", "1", "--out", "held.csv")
        self.assertNotIn("warnings", held)
        self.assertNotIn("columns_and_codes_known", held["after"])

    def test_claims_are_no_patients(self):
        rows = [f"C{number},H{number // 2},{code}" for number in range(24) for code in "ab"]
        file = self.file("claims.csv", "claim,member_id,code\n" + "\n".join(rows) + "\n")
        self.assertIn("--patient", self.error("codes", "assess", file))
        self.assertIn("--rows-are-people", self.error("codes", "explore", file, "--patient", "claim", "--methods", "suppress",
                                                      "--out", "map"))
        for roles in ([], ["--id", "member_id"], ["--roles", "suggested"]):
            told = self.error("codes", "protect", file, "--patient", "claim", "--method", "suppress", "--out", "out.csv", *roles)
            self.assertIn("'member_id' repeats across values of 'claim'", told)
            self.assertIn("--patient member_id", told)
            self.assertIn("--rows-are-people", told)
        protect = ("codes", "protect", file, "--method", "suppress", "--k", "2", "--out", "out.csv")
        self.result(*protect, "--patient", "claim", "--id", "member_id", "--rows-are-people")
        self.assertTrue(self.result("verify", "out.csv")["rows_are_people"])
        self.assertEqual(self.result(*protect, "--patient", "member_id", "--id", "claim")["patients_out"], 12)

    def test_explore_draws_the_map_and_names_the_command(self):
        explored = self.result("codes", "explore", self.sets, "--hierarchy", self.tree, "--ks", "2,3,1000", "--ms", "1,2",
                               "--suppressions", "0,0.2", "--min-utility", "0.1", "--out", "map")
        # suppress removes without a limit, and partition knows no m.
        tried = [(point["method"], point["k"], point.get("m"), point["suppression"])
                 for point in explored["points"] + explored["failed"]]
        self.assertEqual(len(tried), len(set(tried)))
        self.assertEqual(len(tried), 3 * (2 * 2 + 2 * 2 + 2 + 1))
        self.assertTrue(all(failure["why"] for failure in explored["failed"]))
        self.assertLessEqual({failure["method"] for failure in explored["failed"] if failure["k"] == 1000},
                             {"local", "apriori", "suppress", "partition"})
        chosen = explored["chosen"]
        self.assertEqual(chosen["risk"], min(point["risk"] for point in explored["points"] if point["utility"] >= 0.1))
        files = {path.name for path in (self.path / "map").iterdir()}
        self.assertEqual(files, {"ru-map.csv", "ru-map.json", "ru-map.svg"})
        lines = self.rows("map/ru-map.csv")
        self.assertEqual([line["command"] for line in lines], [point["command"] for point in explored["points"]])
        # What a point says is what its command makes.
        for point in explored["points"][:3] + explored["points"][-2:]:
            words = point["command"].split()
            self.assertEqual((words[0], words[-1]), ("pratique", "RELEASE"))
            result = self.result(*words[1:-1], "out.dat", "--force")
            self.assertAlmostEqual(1 - result["metrics"]["ncp"], point["utility"])
            whole = result["after"]["whole_set_known"]
            self.assertAlmostEqual(whole["named"] / whole["targets"], point["risk"])
            self.assertEqual(result["metrics"]["are_one_code"], point["metrics"]["are_one_code"])
        self.result("codes", "explore", self.sets, "--hierarchy", self.tree, "--ks", "2", "--max-risk", "0", "--min-utility",
                    "1", "--out", "map", exit_code=1)

    def test_every_command_of_the_map_runs_as_it_is_printed(self):
        codes = ["401.1", "401.9", "250.00", "250.02", "414.01", "272.4"]
        lines = [f"C {number},{codes[number % 6]},{codes[number % 4]},H{number // 2},{number % 3},x{number}" for number in range(36)]
        file = self.file("our claims.csv", "the claim,DX1,DX2,member_id,plan,note\n" + "\n".join(lines) + "\n")
        explored = self.result("codes", "explore", file, "--patient", "the claim", "--codes", "DX*", "--id", "note",
                               "--rows-are-people", "--ks", "2", "--ms", "1,2", "--suppressions", "0,0.05", "--out", "map")
        self.assertGreaterEqual({point["method"] for point in explored["points"]}, {"local", "apriori"})
        for point in explored["points"]:
            done = self.run_program(*shlex.split(point["command"])[1:], "--force", "--json")
            self.assertEqual(done.returncode, 0, (point["command"], done.stderr.decode()))
            self.assertAlmostEqual(1 - json.loads(done.stdout)["metrics"]["ncp"], point["utility"])

    def test_curves_replace_only_curves(self):
        for _ in range(2):
            self.result("codes", "assess", self.sets, "--out", "curves")
        for name in ("curves.csv", "curves.json", "curves.svg"):
            self.assertEqual((self.path / "curves" / name).stat().st_mode & 0o777, 0o600)
            before = (self.path / "curves" / name).read_bytes()
            self.file(f"curves/{name}", "what somebody measured\n")
            self.assertIn(name, self.error("codes", "assess", self.sets, "--out", "curves"))
            self.assertEqual((self.path / "curves" / name).read_text(), "what somebody measured\n")
            self.file(f"curves/{name}", before)
        self.file("curves/curves.csv", "what somebody measured\n")
        self.result("codes", "assess", self.sets, "--out", "curves", "--force")
        self.assertTrue((self.path / "curves/curves.csv").read_text().startswith("series,"))

    def test_what_the_model_does_not_listen_to_is_refused(self):
        protect = ("codes", "protect", self.sets, "--hierarchy", self.tree, "--out", "out.dat")
        for option, value in (("--h", "3"), ("--c", "0.1"), ("--rho", "0.1"), ("--p", "1"), ("--qi", "nothing"), ("--utility", "gwas")):
            self.assertIn(f"{option} has no effect with --model km", self.error(*protect, option, value))
        self.assertIn("--m has no effect with --model complete", self.error(*protect, "--model", "complete", "--m", "3"))
        self.assertIn("--hierarchy has no effect with --method disassociation", self.error(*protect, "--method", "disassociation"))

    def test_assess_by_hand(self):
        figures = self.result("codes", "assess", self.file("few.dat", "a b\na b\na c\nb\n"), "--k", "2")
        self.assertEqual((figures["patients"], figures["codes"], figures["mean_codes"]), (4, 3, 1.75))
        self.assertEqual((figures["unique_all"], figures["unique_m"]),
                         (0.25, {"1": 0.25, "2": 0.25, "3": 0.25, "4": 0.25}))
        self.assertEqual(figures["violations_m"], {"1": 1, "2": 1, "3": 0})

    def test_curves_are_drawn_with_their_csv(self):
        figures = self.result("codes", "assess", self.long, "--visit", "visit", "--out", "curves", "--seed", "1")
        self.assertIn("codes of one visit", {point["known"] for point in figures["curves"]})
        with open(self.path / "curves" / "curves.csv", newline="") as table:
            self.assertEqual(len(list(csv.reader(table))), len(figures["curves"]) + 1)
        self.assertIn("<svg", (self.path / "curves" / "curves.svg").read_text())

    def test_the_tutorials_release(self):
        result = self.protect(self.sets, "--method", "apriori", "--out", "out.dat")
        lines = sorted((self.path / "out.dat").read_text().splitlines())
        self.assertEqual(lines, ["abc"] + ["abc defgh"] * 7 + ["defgh"] * 2)
        self.assertEqual((result["method"], result["verified"]), ("apriori", True))
        self.assertEqual(result["models"]["km"], {"required": 5, "achieved": 7})
        self.assertGreater(result["before"]["m_codes_known"]["matched_under_k"], 0)
        self.assertEqual(result["after"]["m_codes_known"]["matched_under_k"], 0)
        self.assertTrue(self.result("verify", "out.dat")["holds"])
        before = self.result("codes", "attack", self.sets, "--known", self.sets, "--truth", self.sets)
        # The first record has all codes and so covers every other set; only it has no second candidate.
        self.assertEqual((before["targets"], before["reidentified"], before["correct"]), (10, 1, 1))
        after = self.result("codes", "attack", "out.dat", "--known", self.sets, "--hierarchy", self.tree)
        self.assertEqual((after["matched_under_k"], after["reidentified"]), (0, 0))

    def test_every_method_in_both_forms(self):
        for file in (self.sets, self.long):
            for method in ("apriori", "local", "suppress", "disassociation"):
                with self.subTest(method, file=file):
                    out = "out" + pathlib.Path(file).suffix
                    result = self.protect(file, "--method", method, "--out", out)
                    self.assertEqual(result["after"]["m_codes_known"]["matched_under_k"], 0)
                    self.assertLessEqual({"ncp", "ul", "are", "suppressed_items", "suppressed_occurrences",
                                          "suppressed_patients", "groups", "gwas_supported"}, set(result["metrics"]))
                    self.assertTrue(self.result("verify", out)["holds"])

    def test_disassociation_takes_records_apart(self):
        result = self.result("codes", "protect", self.sets, "--method", "disassociation", "--k", "2", "--out",
                             "out.dat")
        lines = (self.path / "out.dat").read_text().splitlines()
        self.assertEqual(lines[0], "joint cluster records chunk codes")
        self.assertEqual({line.split()[2] for line in lines[1:]}, {"10"})  # one cluster of all
        shown = {code for line in lines[1:] for code in line.split()[4:]}
        self.assertEqual(shown, set("abcdefgh"))
        self.assertEqual(result["metrics"]["ncp"], 0)
        self.assertEqual(result["after"]["m_codes_known"]["matched_under_k"], 0)
        with open(self.path / "out.dat", "a") as released:
            released.write("1 1 10 9 y z\n1 1 10 9 y\n")
        verdict = self.result("verify", "out.dat", exit_code=1)
        self.assertIn("{y, z}", verdict["claims"][0]["explanation"])
        self.assertIn("disassociated", self.error("codes", "attack", "out.dat", "--known", self.sets))
        result = self.protect(self.long, "--method", "disassociation", "--out", "out.csv")
        self.assertEqual((result["unchanged"], set(result["dropped"])), ([], {"dna", "visit"}))
        self.assertEqual((self.path / "out.csv").read_text().splitlines()[0], "joint,cluster,records,chunk,part,code")
        self.assertTrue(self.result("verify", "out.csv")["holds"])

    def test_complete_anonymity_holds_off_whoever_knows_all(self):
        result = self.result("codes", "protect", self.sets, "--model", "complete", "--k", "3", "--hierarchy", self.tree,
                             "--out", "out.dat")
        lines = (self.path / "out.dat").read_text().splitlines()
        self.assertGreaterEqual(min(map(lines.count, lines)), 3)
        self.assertEqual(result["after"]["all_codes_known"]["matched_under_k"], 0)
        self.assertTrue(self.result("verify", "out.dat")["holds"])
        with open(self.path / "out.dat", "a") as released:
            released.write("a h\n")
        self.assertIn("a, h", self.result("verify", "out.dat", exit_code=1)["claims"][0]["explanation"])

    def test_a_long_release_keeps_its_form_and_not_its_names(self):
        result = self.protect(self.long, "--out", "out.csv")
        self.assertEqual((result["unchanged"], result["dropped"]), (["dna"], ["visit"]))
        rows = self.rows("out.csv")
        self.assertEqual(list(rows[0]), ["patient", "code", "dna"])
        self.assertEqual({row["patient"] for row in rows}, {str(i) for i in range(1, 11)})
        per_patient = {}
        for row in rows:
            per_patient.setdefault(row["patient"], set()).add(row["dna"])
        self.assertEqual({len(values) for values in per_patient.values()}, {1})
        self.protect(self.long, "--id", "dna", "--out", "out.parquet")
        self.assertTrue(self.result("verify", "out.parquet")["holds"])

    def test_codes_stay_text(self):
        file = self.file("icd.csv", "patient,code\n" + "".join(f"{i},296.00\n{i},004.10\n" for i in range(5)))
        self.result("codes", "protect", file, "--method", "suppress", "--out", "out.csv")
        self.assertIn("296.00", (self.path / "out.csv").read_text())
        self.assertIn("004.10", (self.path / "out.csv").read_text())

    def test_the_order_of_the_input_does_not_leave(self):
        turned = self.file("turned.dat", "\n".join(reversed(SETS.splitlines())) + "\n")
        for file, out in ((self.sets, "1.dat"), (turned, "2.dat")):
            self.protect(file, "--method", "local", "--out", out, "--seed", "4")
        self.assertEqual((self.path / "1.dat").read_bytes(), (self.path / "2.dat").read_bytes())

    def test_a_changed_release_fails_and_the_codes_are_named(self):
        self.protect(self.sets, "--out", "out.dat")
        with open(self.path / "out.dat", "a") as released:
            released.write("abc x\n")
        verdict = self.result("verify", "out.dat", exit_code=1)
        self.assertFalse(verdict["claims"][0]["holds"])
        self.assertIn("x", verdict["claims"][0]["explanation"])

    def test_wide_files_and_lists_are_read_as_they_are(self):
        wide = self.file("claims.csv", "patient,DX1,DX2\n" + "".join(f"{i},250.00,401.9\n" for i in range(5)))
        cells = self.file("list.csv", "patient,code\n" + "".join(f"{i},250.00|401.9\n" for i in range(5)))
        for file in (wide, cells):
            self.assertEqual(self.result("codes", "assess", file, "--seed", "1")["mean_codes"], 2)
            self.result("codes", "protect", file, "--out", "out.csv", "--force")
            rows = self.rows("out.csv")
            self.assertEqual((len(rows), list(rows[0])), (10, ["patient", "code"]))
            figures = self.result("codes", "attack", "out.csv", "--known", file)
            self.assertEqual((figures["targets"], figures["matched_under_k"]), (5, 0))
            self.result("report", "out.csv", "--purpose", "a test", "--out", "r.html", "--force")

    def test_records_that_cover_everything_hide_nobody(self):
        self.protect(self.sets, "--out", "out.dat")
        (self.path / "out.dat").write_text(SETS + "abc defgh\n" * 5)
        verdict = self.result("verify", "out.dat", exit_code=1)
        self.assertFalse(verdict["claims"][0]["holds"])
        self.assertIn("fewer than 5", verdict["claims"][0]["explanation"])

    def test_the_two_step_attack_through_a_voter_list_runs_on_the_sample_world(self):
        self.result("generate", "consortium", "--hospitals", "3", "--patients", "300", "--seed", "2", "--out", "world")
        world = self.path / "world"

        def table(path):
            with open(path, newline="") as file:
                return list(csv.DictReader(file))

        def who(row):
            return row["date_of_birth"], row["sex"], row["zip"]

        # From the definition: who alone in the register has a summary's values is named, and each of these summaries
        # fits the records that have all of its codes.
        voters = collections.Counter(map(who, table(world / "register.csv")))
        records = collections.defaultdict(set)
        for row in table(world / "codes.csv"):
            records[row["patient"]].add(row["code"])
        lists = sorted(world.glob("hospitals/*/discharges.csv"))
        summaries = [row for path in lists for row in table(path)]
        candidates = collections.defaultdict(list)
        for row in summaries:
            if voters[who(row)] == 1:
                known = {row["primary_diagnosis"], *row["other_diagnoses"].split("|")} - {""}
                candidates[who(row)].append(sum(known <= record for record in records.values()))
        attack = ["--names", str(world / "register.csv"), "--on", "date_of_birth,sex,zip", "--codes",
                  "primary_diagnosis,other_diagnoses"]
        for path in lists:
            attack += ["--discharge", str(path)]
        figures = self.result("codes", "attack", str(world / "codes.csv"), *attack)
        self.assertEqual(figures["summaries"], len(summaries))
        self.assertEqual(figures["summaries_named"], sum(map(len, candidates.values())))
        self.assertEqual(figures["targets"], len(candidates))
        self.assertEqual(figures["reidentified"], sum(1 in numbers for numbers in candidates.values()))
        self.assertEqual(figures["matched_under_k"], sum(min(numbers) < 5 for numbers in candidates.values()))
        self.assertGreater(figures["reidentified"], 50)
        self.result("codes", "protect", str(world / "codes.csv"), "--model", "complete", "--out", "out.csv")
        after = self.result("codes", "attack", "out.csv", *attack)
        self.assertEqual((after["targets"], after["matched_under_k"]), (len(candidates), 0))

    def test_the_two_step_attack_goes_by_visits(self):
        discharge = self.file("discharge.csv", "patient,visit,code\nann,1,a\nann,1,b\nann,2,c\nbob,1,a\n")
        # {a,b} is in two records, {c} in six, {a} in six.
        figures = self.result("codes", "attack", self.sets, "--discharge", discharge, "--visit", "visit", "--k", "3")
        self.assertEqual((figures["targets"], figures["reidentified"], figures["matched_under_k"]), (2, 0, 1))
        release = self.file("release.csv", "patient,code\n1,a\n1,b\n1,c\n2,a\n2,c\n3,c\n")
        figures = self.result("codes", "attack", release, "--discharge", discharge, "--visit", "visit", "--k", "3")
        # ann's first visit {a,b} is in one record; bob's {a} in two.
        self.assertEqual((figures["targets"], figures["reidentified"], figures["matched_under_k"]), (2, 1, 2))
        self.result("codes", "attack", release, "--discharge", discharge, "--visit", "visit", "--fail-above", "0.4",
                    exit_code=1)

    def test_bad_input(self):
        other = self.file("other.csv", TREE.replace("h;", "hh;"))
        text = self.error("codes", "protect", self.sets, "--hierarchy", other, "--out", "o.dat")
        self.assertNotIn("'h'", text)
        text = self.error("codes", "protect", self.sets, "--hierarchy", other, "--out", "o.dat", "--show-values")
        self.assertIn("'h'", text)
        self.assertIn("nearest", text)
        odd = self.file("odd.dat", "401.9\n401.999\n")
        self.assertNotIn("401.999", self.error("codes", "protect", odd, "--hierarchy", "icd9", "--k", "2", "--out", "o.dat"))
        text = self.error("codes", "protect", odd, "--hierarchy", "icd9", "--k", "2", "--out", "o.dat", "--show-values")
        self.assertIn("'401.999'", text)
        self.assertIn("nearest to '401.999' is '401.99'", text)
        gone = self.file("gone.dat", "a\nb\nc\n")
        text = self.error("codes", "protect", gone, "--method", "suppress", "--k", "2", "--out", "o.dat", exit_code=1)
        self.assertIn("nothing would be left", text)
        self.assertIn("empty.dat:2", self.error("codes", "assess", self.file("empty.dat", "a\n\nb\n")))
        text = self.error("codes", "protect", self.sets, "--method", "suppress", "--k", "11", "--out", "o.dat")
        self.assertIn("10 patients", text)
        self.assertIn("hierarchy", self.error("codes", "protect", self.sets, "--out", "o.dat"))
        self.assertIn("apriori", self.error("codes", "protect", self.sets, "--method", "aprior", "--out", "o.dat"))
        self.assertIn("same file", self.error("codes", "protect", self.sets, "--method", "suppress", "--out", self.sets))
        self.assertIn("patient", self.error("codes", "assess", self.file("x.csv", "who,code\n1,a\n")))
        self.error("codes", "protect", self.sets, "--method", "suppress", "--out", "o.parquet")


if __name__ == "__main__":
    unittest.main()
