#!/usr/bin/env python3
"""The program as a user meets it: exit codes, one JSON object, errors that say what and where, and nothing
lost or left behind. Run by ctest as: program_test.py PROGRAM"""
import csv
import json
import os
import pathlib
import pty
import signal
import stat
import subprocess
import threading
import time
import unittest

from program_in_folder import PROGRAM, ProgramInFolder
ROOT = pathlib.Path(__file__).resolve().parent.parent.parent

PEOPLE = """name,age,sex,zip,illness
Ann Oak,21,F,13001,flu
Bob Elm,24,M,13001,gout
Cid Ash,27,F,13002,flu
Dot Fir,33,F,13010,asthma
Eve Yew,36,M,13012,flu
Fay Bay,38,F,13019,gout
"""
COLUMNS = ["--id", "name", "--qi", "age,sex,zip", "--sensitive", "illness", "--hierarchy", "age=interval:10",
           "--hierarchy", "zip=prefix"]
PROTECT = [*COLUMNS, "--method", "levels", "--levels", "age=1,sex=1,zip=2"]


class ProgramTest(ProgramInFolder):
    def setUp(self):
        super().setUp()
        self.people = self.file("people.csv", PEOPLE)

    # --- results

    def test_assess_counts_as_by_hand(self):
        figures = self.result("tables", "assess", self.people, "--qi", "sex,illness")
        # F flu 2, M gout 1, F asthma 1, M flu 1, F gout 1
        self.assertEqual((figures["rows"], figures["classes"], figures["k"], figures["unique"]), (6, 5, 1, 4))
        self.assertEqual(figures["risk"]["prosecutor_max"], 1)
        self.assertAlmostEqual(figures["risk"]["marketer"], 5 / 6)

    def test_assess_reads_standard_input(self):
        done = self.run_program("tables", "assess", "-", "--qi", "sex", "--json", input=PEOPLE.encode())
        self.assertEqual(json.loads(done.stdout)["k"], 2)
        self.assertEqual(os.listdir(self.temporary), [])

    def test_k_map_by_containment_of_any_tools_cells(self):
        release = self.file("release.csv", "age,zip\n20-29,130**\n\"[30, 40[\",130**\n")
        figures = self.result("tables", "assess", release, "--qi", "age,zip", "--population", self.people)
        self.assertEqual(figures["k_map"], 3)
        self.assertEqual(figures["population_unique"], 0)

    def test_uniques_among_all_people(self):
        asked = ("tables", "assess", self.people, "--qi", "age")
        whole = self.result(*asked, "--population-size", "6")["population_uniques"]
        self.assertEqual((whole["people"], whole["unique_in_sample"], whole["sampling_fraction"]), (6, 6, 1))
        self.assertAlmostEqual(whole["pitman"], 6)  # whoever is alone among all is alone
        half = self.result(*asked, "--sampling-fraction", "0.5")["population_uniques"]
        self.assertEqual(half["people"], 12)
        self.assertLessEqual(half["pitman"], 6)
        self.assertIn("fewer people", self.error(*asked, "--population-size", "5"))
        self.assertIn("say the same", self.error(*asked, "--population-size", "6", "--sampling-fraction", "0.5"))
        self.assertIn("nobody", self.error(*asked, "--sampling-fraction", "0"))
        self.assertNotIn("population_uniques", self.result(*asked))

    def test_protect_verify_and_attack(self):
        register = self.file("register.csv", PEOPLE)
        before = self.result("tables", "attack", self.people, "--register", register, "--on", "age,sex,zip",
                             "--sensitive", "illness", "--truth", self.people, "--truth-key", "name")
        self.assertEqual((before["targets"], before["linked_uniquely"], before["correct"]), (6, 6, 6))
        result = self.result("tables", "protect", self.people, *PROTECT, "--k", "3", "--out", "out.csv")
        self.assertEqual((result["rows_in"], result["rows_out"], result["suppressed"]), (6, 6, 0))
        self.assertEqual(result["models"]["k"], {"required": 3, "achieved": 3})
        rows = self.rows("out.csv")
        self.assertNotIn("name", rows[0])
        self.assertEqual({(row["age"], row["sex"]) for row in rows}, {("20..29", "*"), ("30..39", "*")})
        self.assertTrue(self.result("verify", "out.csv")["holds"])
        after = self.result("tables", "attack", "out.csv", "--register", register, "--on", "age,sex,zip",
                            "--sensitive", "illness")
        self.assertEqual((after["linked_uniquely"], after["sensitive_disclosed"]), (0, 0))

    def test_every_method_satisfies_its_models_and_verifies(self):
        for method in ("optimal", "local", "mondrian", "cluster-up", "cluster-down", "microaggregate",
                       "suppress-cells"):
            for recoding in (["--recoding", "labels"], []) if method in ("mondrian", "cluster-up") else ([],):
                with self.subTest(method, recoding=recoding):
                    out = f"{method}.csv"
                    result = self.result("tables", "protect", self.people, *COLUMNS, "--method", method, *recoding,
                                         "--k", "2", "--l", "2", "--suppression", "0.5", "--out", out)
                    self.assertGreaterEqual(result["models"]["k"]["achieved"], 2)
                    self.assertGreaterEqual(result["after"]["k"], 2)
                    self.assertEqual(result["before"]["unique"], 6)
                    self.assertEqual(result["rows_in"], result["rows_out"] + result["suppressed"])
                    verdict = self.result("verify", out)
                    self.assertEqual([claim["holds"] for claim in verdict["claims"]], [True, True])
                    assessed = self.result("tables", "assess", out, "--qi", "age,sex,zip", "--sensitive", "illness")
                    self.assertEqual(assessed["k"], result["models"]["k"]["achieved"])
                    self.assertGreaterEqual(assessed["l_distinct"], 2)

    def test_every_metric_is_in_every_result(self):
        result = self.result("tables", "protect", self.people, *PROTECT, "--k", "3", "--label", "illness", "--out",
                             "o.csv")
        self.assertEqual(set(result["metrics"]), {"lm", "ncp", "dm", "c_avg", "um", "are", "column_loss", "squared_error", "cm",
                                                  "accuracy"})
        # 24 and 36.67 would be the means; a decade stands for the mean of its leaves: 21, 24, 27 and 33, 36, 38.
        mean = 179 / 6
        error = sum((x - 24) ** 2 for x in (21, 24, 27)) + sum((x - 107 / 3) ** 2 for x in (33, 36, 38))
        spread = sum((x - mean) ** 2 for x in (21, 24, 27, 33, 36, 38))
        self.assertAlmostEqual(result["metrics"]["squared_error"]["age"], error / spread)

    def test_metrics_without_bounds_are_searched_too(self):
        for metric in ("um", "cm", "are"):
            with self.subTest(metric):
                result = self.result("tables", "protect", self.people, *COLUMNS, "--k", "2", "--metric", metric,
                                     "--label", "illness", "--out", f"{metric}.csv")
                self.assertIn("levels", result)
                self.assertTrue(self.result("verify", f"{metric}.csv")["holds"])

    def test_queries_of_the_user(self):
        queries = self.file("queries.txt", "age=20..29\nsex=F,illness=flu\n")
        result = self.result("tables", "protect", self.people, *PROTECT, "--k", "3", "--queries", queries, "--out",
                             "o.csv")
        # All three in their twenties are found; flu among women is 2, and of the three with flu half count: 1.5.
        self.assertAlmostEqual(result["metrics"]["are"], (0 + 0.25) / 2)
        broken = self.file("broken.txt", "age=20..29\nsax=F\n")
        self.assertIn("broken.txt:2", self.error("tables", "protect", self.people, *PROTECT, "--k", "3", "--queries",
                                                 broken, "--out", "o2.csv"))

    def test_microaggregation_shows_means(self):
        result = self.result("tables", "protect", self.people, "--id", "name,zip,sex", "--qi", "age", "--sensitive",
                             "illness", "--k", "3", "--method", "microaggregate", "--univariate", "--out", "o.csv")
        self.assertEqual(result["classes"], 2)
        self.assertEqual(sorted(row["age"] for row in self.rows("o.csv")), ["24"] * 3 + ["35.7"] * 3)
        self.assertTrue(self.result("verify", "o.csv")["holds"])

    def test_perturbed_columns_are_rounded_swapped_and_noisy(self):
        result = self.result("tables", "protect", self.people, "--id", "name", "--qi", "sex", "--sensitive", "illness", "--k", "2", "--method",
                             "levels", "--perturb", "age=round:10", "--perturb", "zip=swap:50", "--out", "o.csv")
        self.assertEqual([column["operator"] for column in result["randomised"]], ["round:10", "swap:50"])
        self.assertEqual(result["unchanged"], ["illness"])
        rows = self.rows("o.csv")
        self.assertEqual(sorted(row["age"] for row in rows), ["20", "20", "30", "30", "40", "40"])
        self.assertEqual(sorted(row["zip"] for row in rows), ["13001", "13001", "13002", "13010", "13012", "13019"])
        self.assertIn("was randomised", self.error("tables", "explain", "o.csv", "--class", "1"))
        self.assertIn("is an identifier", self.error("tables", "protect", self.people, *PROTECT, "--k", "3", "--perturb",
                                                     "name=pram:0.5", "--identifiers", "pseudonym", "--key", "key",
                                                     "--out", "o2.csv"))

    def test_a_randomised_release_is_verified_and_reconstructed(self):
        many = self.file("many.csv", "age,illness\n" + "30,flu\n" * 2000 + "30,gout\n" * 1000)
        result = self.result("tables", "protect", many, "--qi", "age", "--sensitive", "illness", "--k", "5", "--rho",
                             "0.1:0.5", "--out", "o.csv")
        self.assertAlmostEqual(result["models"]["rho1-to-rho2@illness"]["achieved"], 0.5, places=6)
        self.assertTrue(self.result("verify", "o.csv")["holds"])
        column = self.result("tables", "reconstruct", "o.csv")["columns"][0]
        estimated = {entry["value"]: entry["estimated"] for entry in column["values"]}
        # The operator keeps with 9/10: a share is off by sqrt(0.63 * 0.37 / 3000) / 0.8 = 0.011; six times that.
        self.assertAlmostEqual(estimated["flu"], 2 / 3, delta=0.066)
        manifest = self.path / "o.csv.manifest.json"
        self.assertNotIn("noise", manifest.read_text())
        self.assertIn("no column", self.error("tables", "reconstruct", self.protected()))

    def protected(self):
        self.result("tables", "protect", self.people, *PROTECT, "--k", "3", "--out", "plain.csv")
        return "plain.csv"

    def test_explain_says_what_one_level_less_would_break(self):
        out = self.protected()
        first = self.rows(out)[0]
        explained = self.result("tables", "explain", out, "--class", "1")
        self.assertEqual((explained["records"], explained["classes"], explained["cells"]["age"]), (3, 2, first["age"]))
        age = explained["columns"][0]
        # One level under a decade every age stands alone.
        self.assertEqual(([part["records"] for part in age["parts"]], age["records_broken"]), ([1, 1, 1], 3))
        self.assertEqual(age["breaks"], [{"model": "k", "required": 3, "achieved": 1}])
        self.assertEqual(age["whole_column"]["suppressed"], 6)
        value = self.result("tables", "explain", out, "--value", "*", "--column", "sex")["columns"][0]
        self.assertEqual((value["classes"], value["records"], value["classes_broken"]), (2, 6, 2))
        person = self.run_program("tables", "explain", out, "--class", "2").stdout.decode()
        self.assertIn("k would be 1 where 3 is required", person)
        self.assertIn("numbered 1 to 2", self.error("tables", "explain", out, "--class", "3"))
        self.assertIn("no quasi-identifier", self.error("tables", "explain", out, "--value", "90..99"))
        self.file("people.csv", PEOPLE + "Gus Fig,41,M,13020,flu\n")
        self.assertIn("is not the file", self.error("tables", "explain", out, "--class", "1"))

    def test_a_claim_does_not_tell_which_values_the_table_has(self):
        people = self.file("population.csv", PEOPLE + "Gus Oak,22,M,13001,-\nHal Oak,35,F,13010,-\n")
        extra = self.file("extra.csv", PEOPLE + "Ian Elm,29,F,13001,flu\n")  # nobody of the population is 29
        self.result("tables", "protect", extra, *COLUMNS, "--k-map", "2", "--population", people, "--suppression", "0.5",
                    "--out", "out.csv")
        claim = json.loads((self.path / "out.csv.manifest.json").read_text())["claims"][0]
        self.assertEqual([path[0] for path in claim["hierarchies"]["age"]], ["21", "22", "24", "27", "33", "35", "36", "38"])

    def test_no_release_without_records(self):
        for method in ("local", "levels", "suppress-cells"):
            with self.subTest(method):
                self.assertIn("no generalisation", self.error("tables", "protect", self.people, *COLUMNS, "--k", "7",
                                                              "--suppression", "1", "--method", method, "--out", "o.csv",
                                                              exit_code=1))

    def test_one_value_cannot_be_randomised(self):
        table = self.file("one.csv", "a,d\n1,x\n1,x\n2,x\n")
        asked = ["tables", "protect", table, "--qi", "a", "--sensitive", "d", "--k", "1", "--rho", "0.1:0.5", "--out",
                 "o.csv"]
        self.assertIn("only one value", self.error(*asked))
        domain = self.file("domain.csv", "x;*\ny;*\nz;*\n")
        self.result(*asked, "--hierarchy", f"d={domain}")
        claims = json.loads((self.path / "o.csv.manifest.json").read_text())["claims"]
        self.assertEqual(claims[1]["values"], ["x", "y", "z"])

    def test_guarding_nodes_do_not_leave(self):
        table = self.file("g.csv", "age,d,guard\n" + "30,a,\n30,b,a\n30,c,\n" * 2)
        tree = self.file("tree.csv", "a;*\nb;*\nc;*\n")
        self.result("tables", "protect", table, "--qi", "age", "--sensitive", "d", "--guard", "guard:0.5@d", "--hierarchy",
                    f"d={tree}", "--k", "2", "--suppression", "1", "--out", "o.csv")
        self.assertEqual((self.path / "o.csv").read_text().splitlines()[0], "age,d")
        self.assertTrue(self.result("verify", "o.csv")["holds"])

    def test_the_textbook_table_of_four(self):
        """Ganta 2009, tables 2.2 and 2.3: 4-anonymous, and the third class has one condition."""
        original = [(13053, 28, "Russian", "Heart Disease"), (13068, 29, "American", "Heart Disease"),
                    (13068, 21, "Japanese", "Viral Infection"), (13053, 23, "American", "Viral Infection"),
                    (14853, 50, "Indian", "Cancer"), (14853, 55, "Russian", "Heart Disease"),
                    (14850, 47, "American", "Viral Infection"), (14850, 49, "American", "Viral Infection"),
                    (13053, 31, "American", "Cancer"), (13053, 37, "Indian", "Cancer"),
                    (13068, 36, "Japanese", "Cancer"), (13068, 35, "American", "Cancer")]
        table = self.file("t.csv", "zip,age,nationality,condition\n" + "".join(",".join(map(str, row)) + "\n" for row in original))
        zips = self.file("zip.csv", "13053;130**;*\n13068;130**;*\n14850;1485*;*\n14853;1485*;*\n")
        ages = self.file("age.csv", "".join(f"{age};{'<30' if age < 30 else '3*' if age < 40 else '>=40'};*\n"
                                            for _, age, _, _ in original))
        columns = [table, "--qi", "zip,age,nationality", "--sensitive", "condition", "--hierarchy", f"zip={zips}", "--hierarchy",
                   f"age={ages}"]
        result = self.result("tables", "protect", *columns, "--k", "4", "--out", "o.csv")
        self.assertEqual(result["levels"], {"zip": 1, "age": 1, "nationality": 1})
        with open(self.path / "o.csv", newline="") as released:
            rows = sorted(tuple(row) for row in list(csv.reader(released))[1:])
        self.assertEqual(rows, sorted(
            [("130**", "<30", "*", "Heart Disease")] * 2 + [("130**", "<30", "*", "Viral Infection")] * 2 +
            [("1485*", ">=40", "*", condition) for condition in ("Cancer", "Heart Disease", "Viral Infection", "Viral Infection")] +
            [("130**", "3*", "*", "Cancer")] * 4))
        self.assertEqual(result["after"]["sensitive_disclosed"], 4)
        assessed = self.result("tables", "assess", "o.csv", "--qi", "zip,age,nationality", "--sensitive", "condition")
        self.assertEqual((assessed["k"], assessed["classes"], assessed["l_distinct"]), (4, 3, 1))

    def test_mondrian_cuts_for_a_number(self):
        # Pay depends on b alone, so the one cut that k allows is in b.
        rows = "a,b,pay\n" + "".join(f"{a},{b},{1000 * b}\n" for a in (1, 9) for b in (1, 2) for _ in range(2))
        table = self.file("pay.csv", rows)
        self.result("tables", "protect", table, "--qi", "a,b", "--insensitive", "pay", "--k", "4", "--method", "mondrian", "--target", "pay",
                    "--out", "o.csv")
        self.assertEqual({(row["a"], row["b"]) for row in self.rows("o.csv")}, {("1..9", "1"), ("1..9", "2")})
        self.assertIn("not numbers", self.error("tables", "protect", self.people, *COLUMNS, "--k", "2", "--method", "mondrian",
                                                "--target", "illness", "--out", "o2.csv"))

    def test_explore_draws_the_map_and_chooses(self):
        explored = self.result("tables", "explore", self.people, *COLUMNS, "--ks", "2,3,7", "--methods",
                               "optimal,mondrian", "--max-risk", "0.34", "--out", "map")
        self.assertEqual({(point["method"], point["k"]) for point in explored["points"]},
                         {("optimal", 2), ("optimal", 3), ("mondrian", 2), ("mondrian", 3)})
        self.assertEqual({failure["k"] for failure in explored["failed"]}, {7})
        safe = [point for point in explored["points"] if point["risk_max"] <= 0.34]
        self.assertEqual(explored["chosen"]["utility"], max(point["utility"] for point in safe))
        lines = self.rows("map/ru-map.csv")
        self.assertEqual([(line["method"], line["k"], float(line["utility"])) for line in lines],
                         [(point["method"], str(point["k"]), point["utility"]) for point in explored["points"]])
        self.assertEqual([line["method"] + line["k"] for line in lines if line["chosen"] == "true"],
                         [explored["chosen"]["method"] + str(explored["chosen"]["k"])])
        self.assertIn("<svg", (self.path / "map" / "ru-map.svg").read_text())
        self.result("tables", "explore", self.people, *COLUMNS, "--ks", "2", "--min-utility", "1", "--out", "map",
                    exit_code=1)

    def test_models_that_nothing_satisfies(self):
        text = self.error("tables", "protect", self.people, *COLUMNS, "--k", "7", "--out", "out.csv", exit_code=1)
        self.assertIn("7", text)
        text = self.error("tables", "protect", self.people, *COLUMNS, "--out", "out.csv")
        self.assertIn("model", text)

    def test_options_that_change_nothing_are_refused(self):
        protect = ["tables", "protect", self.people, *COLUMNS, "--k", "2", "--out", "out.csv"]
        for options, word in [(["--relaxed"], "--relaxed"), (["--method", "mondrian", "--metric", "dm"], "--metric"),
                              (["--method", "mondrian", "--centre", "range"], "--centre"),
                              (["--recoding", "free"], "--recoding"), (["--levels", "age=1"], "--levels"),
                              (["--method", "microaggregate", "--time-limit", "3"], "--time-limit"),
                              (["--method", "cluster-up", "--target", "age"], "--target"),
                              (["--method", "local", "--univariate"], "--univariate"), (["--key", "k"], "--key")]:
            with self.subTest(options):
                self.assertIn(f"{word} has no effect", self.error(*protect, *options))
        self.error("tables", "explore", self.people, *COLUMNS, "--ks", "2", "--methods", "optimal,local", "--relaxed",
                   "--out", "map")
        self.result("tables", "explore", self.people, *COLUMNS, "--ks", "2", "--methods", "optimal,mondrian", "--relaxed",
                    "--out", "map")

    def test_a_column_of_another_role_is_not_called_absent(self):
        protect = ["tables", "protect", self.people, *COLUMNS, "--k", "2", "--out", "out.csv"]
        queries = self.file("names.txt", "name=Ann Oak\n")
        for options, words in [(["--method", "levels", "--levels", "illness=1"], "not a quasi-identifier but sensitive"),
                               (["--label", "name"], "is an identifier"), (["--perturb", "name=swap:5"], "is an identifier"),
                               (["--queries", queries], "no quasi-identifier and no sensitive")]:
            with self.subTest(options):
                text = self.error(*protect, *options)
                self.assertIn(words, text)
                self.assertNotIn("there is no column", text)

    def test_postcodes_are_no_numbers_under_a_prefix_hierarchy(self):
        # Sets of what is there, not 13001..13019.
        self.result("tables", "protect", self.people, *COLUMNS, "--k", "3", "--method", "mondrian", "--out", "out.csv")
        cells = {row["zip"] for row in self.rows("out.csv")}
        self.assertFalse([cell for cell in cells if ".." in cell], cells)

    def test_local_methods_count_the_population(self):
        people = self.file("population.csv", PEOPLE + "".join(f"P{i},{20 + i},{'FM'[i % 2]},130{i % 20:02},-\n"
                                                              for i in range(20)))
        for method in (["mondrian"], ["mondrian", "--relaxed", "--recoding", "labels"], ["cluster-up"], ["cluster-down"],
                       ["local"], ["microaggregate", "--centre", "range"]):
            for model in (["--k-map", "4"], ["--k", "2", "--delta", "0,0.4"], ["--delta", "0.1,0.5"]):
                with self.subTest((method, model)):
                    out = "-".join((*method, *model)).replace(",", "_") + ".csv"
                    result = self.result("tables", "protect", self.people, *COLUMNS, *model, "--population", people,
                                         "--method", *method, "--out", out)
                    self.assertEqual(result["rows_out"], 6)
                    self.assertEqual("note" in result, "--delta" in model)
                    self.assertTrue(self.result("verify", out)["holds"])
                    # A breach: cells that fit one person only.
                    rows = (self.path / out).read_text().splitlines()
                    (self.path / out).write_text("\n".join([rows[0], *rows[1:], "21,F,13001,flu"]) + "\n")
                    verdict = self.result("verify", out, exit_code=1)
                    self.assertIn(False, [claim["holds"] for claim in verdict["claims"]])
        self.assertIn("--centre range", self.error("tables", "protect", self.people, *COLUMNS, "--k-map", "4", "--population",
                                                   people, "--method", "microaggregate", "--out", "means.csv"))

    def test_k_map_counts_the_population(self):
        people = self.file("population.csv", PEOPLE + "Gus Oak,22,M,13003,-\nHal Elm,23,M,13004,-\n")
        result = self.result("tables", "protect", self.people, *COLUMNS, "--k-map", "3", "--population", people,
                             "--out", "out.csv", "--suppression", "0.5")
        self.assertGreaterEqual(result["models"]["k-map"]["achieved"], 3)
        # Each of the six is one of the people; no two have the same age.
        self.assertEqual(result["before"]["population"]["unique"], 6)
        self.assertEqual(result["after"]["population"]["fewest_people"], result["models"]["k-map"]["achieved"])
        self.assertTrue(self.result("verify", "out.csv")["holds"])

    def test_presence_from_below_leaves_nobody_out(self):
        people = self.file("population.csv", PEOPLE + "Gus Oak,55,M,20001,-\n")
        asked = ["tables", "protect", self.people, *COLUMNS, "--delta", "0.1,1", "--population", people, "--suppression",
                 "0.9", "--out", "out.csv"]
        self.assertEqual(self.result(*asked)["levels"], {"age": 2, "sex": 0, "zip": 5})
        self.assertTrue(self.result("verify", "out.csv")["holds"])
        os.remove(self.path / "out.csv")
        os.remove(self.path / "out.csv.manifest.json")
        self.assertIn("every person", self.error(*asked, "--method", "suppress-cells"))

    def test_pseudonyms_follow_the_key(self):
        for out in ("a.csv", "b.csv"):
            self.result("tables", "protect", self.people, *PROTECT, "--k", "3", "--identifiers", "pseudonym", "--key",
                        "secret.key", "--seed", "1", "--out", out)
        released = (self.path / "a.csv").read_bytes()
        self.assertEqual(released, (self.path / "b.csv").read_bytes())
        self.assertNotIn(b"Ann Oak", released)
        self.assertEqual(stat.S_IMODE(os.stat(self.path / "secret.key").st_mode), 0o600)
        self.error("tables", "protect", self.people, *PROTECT, "--k", "3", "--identifiers", "pseudonym", "--out", "c.csv")

    def test_the_recorded_command_gives_the_same_bytes(self):
        self.result("tables", "protect", self.people, *PROTECT, "--k", "3", "--out", "out.csv")
        first = (self.path / "out.csv").read_bytes()
        manifest = json.loads((self.path / "out.csv.manifest.json").read_text())
        (self.path / "out.csv").unlink()
        done = self.run_program(*manifest["command"])
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual((self.path / "out.csv").read_bytes(), first)

    def test_a_changed_release_fails(self):
        self.result("tables", "protect", self.people, *PROTECT, "--k", "3", "--out", "out.csv")
        with open(self.path / "out.csv", "a") as released:
            released.write("20..29,*,130**,flu\n")
        verdict = self.result("verify", "out.csv", exit_code=1)
        self.assertFalse(verdict["holds"])
        self.assertFalse(verdict["hash_matches"])

    def test_attack_above_the_threshold_exits_1(self):
        self.result("tables", "attack", self.people, "--register", self.people, "--on", "age", "--fail-above", "0.5",
                    exit_code=1)

    def test_parquet_travels_like_csv(self):
        self.result("tables", "protect", self.people, *PROTECT, "--k", "3", "--out", "out.parquet")
        self.assertTrue(self.result("verify", "out.parquet")["holds"])
        self.assertEqual(self.result("tables", "assess", "out.parquet", "--qi", "age,sex,zip")["k"], 3)

    def test_one_row_and_one_column(self):
        self.assertEqual(self.result("tables", "assess", self.file("1.csv", "a\nx\n"), "--qi", "a")["k"], 1)
        self.assertEqual(self.result("tables", "profile", self.file("1.csv", "a\nx\n"))["rows"], 1)

    def test_a_header_alone(self):
        header = self.file("h.csv", "a,b\n")
        self.assertEqual(self.result("tables", "assess", header, "--qi", "a")["rows"], 0)
        self.assertEqual(self.result("tables", "profile", header)["rows"], 0)

    def test_config_holds_roles_and_hierarchies(self):
        config = self.file("c.yaml", "identifiers: [name]\nquasi_identifiers: [age, sex]\nsensitive: [illness]\n"
                                     "insensitive: [zip]\nallow: [zip]\nhierarchies:\n  age: interval:10\n")
        result = self.result("tables", "protect", self.people, "--config", config, "--method", "levels",
                             "--levels", "age=1,sex=1", "--k", "3", "--out", "out.csv")
        self.assertEqual(result["levels"], {"age": 1, "sex": 1})
        self.assertEqual(result["unchanged"], ["zip", "illness"])

    # --- errors

    def test_missing_column_offers_the_nearest(self):
        text = self.error("tables", "assess", self.people, "--qi", "ilness")
        self.assertIn("people.csv", text)
        self.assertIn("Did you mean illness?", text)

    def test_a_column_with_two_roles(self):
        text = self.error("tables", "assess", self.people, "--qi", "age", "--sensitive", "age")
        self.assertIn("'age'", text)

    def test_config_errors_name_line_and_key(self):
        config = self.file("c.yaml", "identifiers: [name]\nquasi_identifers: [age]\n")
        text = self.error("tables", "assess", self.people, "--config", config)
        self.assertIn("c.yaml:2", text)
        self.assertIn("quasi_identifiers", text)

    def test_bad_files(self):
        cases = {"empty.csv": b"", "nul.csv": b"a,b\n1,\0\n", "ragged.csv": b"a,b\n1\n", "twice.csv": b"a,a\n1,2\n",
                 "long.csv": b"a,b\n1," + b"x" * 10_000_000 + b"\n"}
        for name, text in cases.items():
            with self.subTest(name):
                self.assertIn(name, self.error("tables", "profile", self.file(name, text)))
        self.assertIn("directory", self.error("tables", "profile", str(self.path)))
        self.assertIn("no such file", self.error("tables", "profile", "nowhere.csv"))

    @unittest.skipIf(os.geteuid() == 0, "root reads everything")
    def test_unreadable_file(self):
        os.chmod(self.people, 0)
        self.assertIn("may not read", self.error("tables", "profile", self.people))

    def test_a_fifo_is_read(self):
        fifo = str(self.path / "pipe")
        os.mkfifo(fifo)
        writer = threading.Thread(target=lambda: pathlib.Path(fifo).write_text(PEOPLE))
        writer.start()
        self.assertEqual(self.result("tables", "assess", fifo, "--qi", "sex")["k"], 2)
        writer.join()

    def test_output_equal_to_input(self):
        os.symlink(self.people, self.path / "link.csv")
        for out in (self.people, "people.csv", "link.csv"):
            self.assertIn("same file", self.error("tables", "protect", self.people, *PROTECT, "--k", "3", "--out", out))
        self.assertEqual(pathlib.Path(self.people).read_text(), PEOPLE)

    def test_no_file_that_was_read_is_overwritten(self):
        hierarchy = self.file("h.csv", "F;*\nM;*\n")
        config = self.file("c.yaml", "quasi_identifiers: [sex]\nroles: suggested\n")
        data = self.file("q.csv.manifest.json", PEOPLE)
        for arguments in ((self.people, "--qi", "sex", "--roles", "suggested", "--hierarchy", f"sex={hierarchy}", "--k", "2", "--out", hierarchy),
                          (self.people, "--config", config, "--k", "2", "--out", config),
                          (data, "--qi", "sex", "--roles", "suggested", "--k", "2", "--out", str(self.path / "q.csv"))):
            self.assertIn("same file", self.error("tables", "protect", *arguments, "--force"))
        with open(self.people) as standard_input:
            text = self.error("tables", "protect", "-", "--qi", "sex", "--roles", "suggested", "--k", "2", "--out", self.people,
                              "--force", stdin=standard_input)
        self.assertIn("same file", text)
        self.assertEqual(pathlib.Path(self.people).read_text(), PEOPLE)

    def test_only_files_are_written(self):
        os.mkfifo(self.path / "pipe")
        for out in (str(self.path), "pipe", "-"):
            self.error("tables", "protect", self.people, *PROTECT, "--k", "3", "--out", out)
        self.error("generate", "census", "--rows", "5", "--out", "c.parquet")
        target = self.file("target.csv", "old")
        os.symlink(target, self.path / "link.csv")
        self.error("tables", "protect", self.people, *PROTECT, "--k", "3", "--out", "link.csv")
        self.result("tables", "protect", self.people, *PROTECT, "--k", "3", "--out", "link.csv", "--force")
        self.assertTrue(os.path.islink(self.path / "link.csv"))
        self.assertNotEqual(pathlib.Path(target).read_text(), "old")

    def test_only_what_pratique_wrote_is_replaced(self):
        protect = ["tables", "protect", self.people, *PROTECT, "--k", "3", "--out"]
        self.file("mine.csv", "name\nmy own\n")
        self.file("new.csv.manifest.json", "{\"mine\": 1}\n")
        for out in ("mine.csv", "new.csv"):
            text = self.error(*protect, out)
            self.assertIn("did not write it", text)
            self.assertIn("--force", text)
        self.result(*protect, "mine.csv", "--force")
        self.result(*protect, "mine.csv")  # a release with its manifest by now
        self.file("empty.csv", "")
        self.result(*protect, "empty.csv")
        # Changed since: it is somebody's work.
        with open(self.path / "mine.csv", "a") as release:
            release.write("30..39,*,130**,flu\n")
        self.assertIn("did not write it", self.error(*protect, "mine.csv"))
        self.file("kept", "my notes\n")
        for words in (["generate", "census", "--rows", "5"], ["trails", "resolve", "people.csv", "--fields", "name"],
                      ["fusion", "rules", "--from", "people.csv", "--auxiliary", "people.csv", "--key", "name", "--target",
                       "age", "--inputs", "zip"]):
            self.assertIn("did not write it", self.error(*words, "--out", "kept"))
        self.assertIn("not a port file", self.run_program("serve", "--port", "0", "--port-file", "kept").stderr.decode())
        self.assertEqual((self.path / "kept").read_text(), "my notes\n")
        self.assertNotIn("force", json.loads((self.path / "mine.csv.manifest.json").read_text())["options"])

    def test_links_are_written_again(self):
        self.file("named.csv", "location,element\nA,n1\nB,n2\n")
        self.file("dna.csv", "location,element\nA,s1\nB,s2\n")
        for _ in range(2):
            self.result("trails", "attack", "--identified", "named.csv", "--deidentified", "dna.csv", "--out", "links.csv",
                        "--partners", "partners.csv")

    def test_a_name_that_promises_another_format(self):
        for name in ("out.xlsx", "OUT.XLS", "out.docx", "out.csv.gz"):
            self.assertIn("cannot be written as", self.error("tables", "protect", self.people, *PROTECT, "--k", "3", "--out",
                                                             name))

    def test_a_missing_folder_is_the_users_mistake(self):
        for words in (["tables", "protect", self.people, *PROTECT, "--k", "3"], ["generate", "census", "--rows", "5"]):
            for out in ("none/out.csv", "people.csv/out.csv"):
                self.assertIn("folder of this file does not exist", self.error(*words, "--out", out))
        # Before the search, which would fail.
        self.assertIn("folder of this file does not exist",
                      self.error("tables", "protect", self.people, *PROTECT, "--k", "1000", "--out", "none/out.csv"))

    def test_a_table_without_a_header_is_noticed(self):
        rows = PEOPLE.split("\n", 1)[1]
        text = self.error("tables", "profile", self.file("rows.csv", rows))
        self.assertIn("looks like a record", text)
        self.assertNotIn("Ann", text)
        self.assertEqual(self.result("tables", "profile", "rows.csv", "--delimiter", ",")["rows"], 5)

    def test_excel_names_the_delimiter_in_the_first_line(self):
        for end in ("\n", "\r\n"):
            self.file("excel.csv", "sep=;" + end + PEOPLE.replace(",", ";").replace("\n", end))
            profile = self.result("tables", "profile", "excel.csv")
            self.assertEqual((profile["rows"], profile["columns"][0]["name"]), (6, "name"))
            self.result("tables", "protect", "excel.csv", *PROTECT, "--k", "3", "--out", "out.csv")
            self.assertTrue((self.path / "out.csv").read_text().startswith("age;sex;zip;illness\n"))

    def test_words_that_are_no_numbers(self):
        for arguments in (("--suppression", "nan"), ("--suppression", "2"), ("--seed", "-1"), ("--threads", "0")):
            self.error("tables", "protect", self.people, *PROTECT, "--k", "3", "--out", "o.csv", *arguments)
        self.error("generate", "census", "--rows", "-1", "--out", "c.csv")

    def test_a_message_that_cannot_be_printed_is_no_crash(self):
        with open("/dev/full", "w") as full:
            done = subprocess.run([PROGRAM, "tables", "assess", "-", "--qi", "a"], input=b"a,b\nsecret,1,2\n", stderr=full,
                                  stdout=subprocess.DEVNULL, env=self.environment)
            self.assertEqual(done.returncode, 2)
            self.assertEqual(os.listdir(self.temporary), [])
            done = subprocess.run([PROGRAM, "help"], stdout=full)
            self.assertEqual(done.returncode, 3)

    def test_a_register_is_not_quoted(self):
        release = self.file("r.csv", "dob,dx\n1950-03,flu\n")
        register = self.file("reg.csv", "dob\n03/14/1950\n25/03/1951\n")
        text = self.error("tables", "attack", release, "--register", register, "--on", "dob", "--hierarchy", "dob=date")
        self.assertNotIn("1950", text)

    def test_attacks_that_need_no_register_stand_beside_the_linkage(self):
        release = self.file("r.csv", "age,dx\n20..29,flu\n20..29,flu\n30..39,flu\n30..39,gout\n")
        register = self.file("reg.csv", "age\n25\n")
        figures = self.result("tables", "attack", release, "--register", register, "--on", "age", "--sensitive", "dx")
        self.assertEqual(figures["attribute"]["homogeneous"], 2)

    def test_an_attack_that_reads_nothing_says_so(self):
        release = self.file("r.csv", "country,dx\nEurope,flu\nEurope,gout\n")
        register = self.file("reg.csv", "country\nFrance\n")
        figures = self.result("tables", "attack", release, "--register", register, "--on", "country")
        self.assertIn("--hierarchy", figures["note"])

    def test_levels_that_do_not_reach_k(self):
        text = self.error("tables", "protect", self.people, *PROTECT, "--k", "4", "--out", "out.csv", exit_code=1)
        self.assertIn("6 of 6 records", text)

    def test_a_hierarchy_that_lacks_values_names_them(self):
        hierarchy = self.file("h.csv", "F;*\n")
        text = self.error("tables", "protect", self.people, "--qi", "sex", "--roles", "suggested", "--hierarchy", f"sex={hierarchy}",
                          "--k", "1", "--out", "out.csv")
        self.assertIn("1 value (2 rows)", text)
        self.assertNotIn("M", text)
        self.assertIn("--show-values", text)
        text = self.error("tables", "protect", self.people, "--qi", "sex", "--roles", "suggested", "--hierarchy", f"sex={hierarchy}",
                          "--k", "1", "--out", "out.csv", "--show-values")
        self.assertIn("'M' (2 rows)", text)
        self.assertIn("M;*", text)
        # What a script reads, and the workbench, never has them.
        done = self.run_program("tables", "protect", self.people, "--qi", "sex", "--roles", "suggested", "--hierarchy",
                                f"sex={hierarchy}", "--k", "1", "--out", "out.csv", "--show-values", "--json")
        self.assertNotIn("'M'", done.stdout.decode())

    def test_spellings_and_decimal_commas_are_named(self):
        rows = "".join(f"{20 + i % 2},{['E11.9', 'e119', 'I10', 'i10 '][i % 4]},\"{i % 3},5\"\n" for i in range(24))
        table = self.file("spelt.csv", "age,illness,bmi\n" + rows)
        words = ("tables", "protect", table, "--qi", "age,bmi", "--sensitive", "illness", "--method", "levels", "--levels",
                 "age=0,bmi=1", "--hierarchy", "bmi=flat", "--k", "5", "--out", "out.csv")
        warnings = self.result(*words, "--l", "1")["warnings"]
        self.assertIn("'illness' has 2 values that differ", warnings[0])
        self.assertEqual(len(warnings), 1)
        warnings = self.result("tables", "protect", table, "--qi", "age", "--sensitive", "bmi", "--insensitive", "illness", "--k", "5",
                               "--out", "bmi.csv")["warnings"]
        self.assertIn("'bmi' has numbers with a decimal comma", warnings[0])
        # At 20 there are E11.9 and I10, at 21 e119 and i10: two values each, and not four in all.
        self.assertEqual(self.result("tables", "protect", *words[2:-2], "--l", "2", "--out", "two.csv")["models"]["l"]["achieved"], 2)
        spelt = self.file("one.csv", "age,illness\n" + "20,E11.9\n20,e119\n" * 6)
        message = self.error("tables", "protect", spelt, "--qi", "age", "--sensitive", "illness", "--method", "levels", "--levels",
                             "age=0", "--l", "2", "--out", "x.csv", exit_code=1)
        self.assertIn("12 of 12 records are in classes that break a model", message)

    def test_disk_full_leaves_nothing(self):
        def small_files():
            import resource
            resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
        rows = "".join(f"{i % 50},{i}\n" for i in range(60_000))
        table = self.file("large.csv", "age,other\n" + rows)
        # What no model looks at is put aside first.
        for role, full in (("--sensitive", "{}"), ("--insensitive", "TMPDIR")):
            for out in ("out.csv", "out.parquet"):
                text = self.error("tables", "protect", table, "--qi", "age", role, "other", "--allow", "other", "--method", "levels",
                                  "--k", "2", "--out", out, exit_code=3, preexec_fn=small_files)
                self.assertIn(full.format(out), text)
                self.assertFalse((self.path / out).exists())

    def test_bad_usage(self):
        for arguments in (["tables"], ["tables", "asess", "x"], ["tables", "assess", self.people, "--nonsense"],
                          ["tables", "assess", self.people], ["tables", "assess", self.people, "--memory", "much"]):
            with self.subTest(arguments):
                self.error(*arguments)

    def test_json_errors_are_one_object_too(self):
        done = self.run_program("tables", "asess", "--json")
        self.assertEqual(json.loads(done.stdout)["error"]["exit"], 2)
        done = self.run_program("tables", "assess", self.people, "--qi", "nothing", "--json")
        self.assertEqual(done.returncode, 2)
        self.assertEqual(json.loads(done.stdout)["error"]["exit"], 2)

    def test_no_value_of_the_data_in_an_error(self):
        for text in ("name,age\nSECRET,1,2\n", "name,age\n\"SECRET,1\n", "name,age\nSECRET\n"):
            self.assertNotIn("SECRET", self.error("tables", "profile", self.file("s.csv", text)))

    def test_a_hung_up_reader_is_no_crash(self):
        reading, writing = os.pipe()
        os.close(reading)
        done = subprocess.run([PROGRAM, "help", "--markdown"], stdout=writing, stderr=subprocess.PIPE, timeout=60)
        os.close(writing)
        self.assertGreaterEqual(done.returncode, 0)

    # --- stopping and progress

    def begun(self, folder, *arguments):
        """The program while it runs, as soon as it has begun a file or folder of its own in that folder: one that has
        its name, as .pratique-...-new has not."""
        before = os.listdir(folder)
        running = subprocess.Popen([PROGRAM, *arguments], cwd=self.path, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL, env=self.environment)
        until = time.monotonic() + 60
        while time.monotonic() < until:
            for name in os.listdir(folder):
                if name not in before and not name.endswith("_hierarchies") and not name.endswith("-new"):
                    return running
            time.sleep(0.02)
        running.kill()
        self.fail("it does not begin")

    def interrupted(self, folder, *arguments, number=signal.SIGINT):
        running = self.begun(folder, *arguments)
        running.send_signal(number)
        return running.wait(timeout=30)

    def test_ctrl_c_leaves_nothing(self):
        before = sorted(os.listdir(self.path))
        self.assertEqual(self.interrupted(self.path, "generate", "census", "--rows", "100000000", "--out", "c.csv"), 130)
        left = [name for name in os.listdir(self.path) if name not in before]
        self.assertEqual([name for name in left if not name.endswith("_hierarchies")], [])

    def test_ctrl_c_while_reading_removes_the_private_folder(self):
        fifo = str(self.path / "pipe")
        os.mkfifo(fifo)
        with open(fifo, "r+b", buffering=0) as kept_open:
            kept_open.write(b"a,b\n1,2\n")
            self.assertEqual(self.interrupted(self.temporary, "tables", "profile", fifo), 130)
        self.assertEqual(os.listdir(self.temporary), [])

    def test_what_a_killed_run_left_is_removed_by_the_next(self):
        fifo = str(self.path / "pipe")
        os.mkfifo(fifo)
        with open(fifo, "r+b", buffering=0) as kept_open:
            kept_open.write(b"a,b\n1,2\n")
            self.interrupted(self.temporary, "tables", "profile", fifo, number=signal.SIGKILL)
        self.assertNotEqual(os.listdir(self.temporary), [])
        self.result("tables", "profile", self.people)
        self.assertEqual(os.listdir(self.temporary), [])

    def test_a_killed_run_leaves_no_file_and_the_next_removes_its_folder(self):
        before = sorted(os.listdir(self.path))
        self.assertEqual(self.interrupted(self.path, "generate", "census", "--rows", "100000000", "--out", "c.csv",
                                          number=signal.SIGKILL), -signal.SIGKILL)
        [left] = [self.path / name for name in os.listdir(self.path) if name not in before]
        self.assertTrue(left.name.startswith(".pratique-"))
        self.assertEqual(stat.S_IMODE(left.stat().st_mode), 0o700)
        self.assertEqual({stat.S_IMODE(file.stat().st_mode) for file in left.iterdir()}, {0o600})
        self.result("tables", "protect", self.people, *PROTECT, "--k", "3", "--out", "out.csv")
        self.assertEqual(sorted(os.listdir(self.path)), sorted([*before, ".pratique", "out.csv", "out.csv.manifest.json"]))

    def test_two_writers_of_one_release_do_not_mix(self):
        def protect(seed):
            return subprocess.Popen([PROGRAM, "tables", "protect", self.people, *PROTECT, "--k", "3", "--seed", seed, "--out",
                                     "out.csv"], cwd=self.path, env=self.environment, stdout=subprocess.DEVNULL)
        for _ in range(5):
            self.assertEqual({running.wait(timeout=60) for running in [protect(str(seed)) for seed in range(4)]}, {0})
            self.assertTrue(self.result("verify", "out.csv")["holds"])

    def test_the_private_folder_is_private(self):
        fifo = str(self.path / "pipe")
        os.mkfifo(fifo)
        with open(fifo, "r+b", buffering=0) as kept_open:
            kept_open.write(b"a,b\n1,2\n")
            running = self.begun(self.temporary, "tables", "profile", fifo)
            modes = [stat.S_IMODE(entry.stat().st_mode) for entry in self.temporary.iterdir()]
            running.terminate()
            self.assertEqual(running.wait(timeout=30), 130)
        self.assertEqual(modes, [0o700])

    def test_a_terminal_gets_a_bar_and_a_pipe_gets_none(self):
        ours, theirs = pty.openpty()
        running = subprocess.Popen([PROGRAM, "generate", "census", "--rows", "100000000", "--out", "c.csv"],
                                   cwd=self.path, stdout=subprocess.DEVNULL, stderr=theirs)
        time.sleep(1.5)
        running.send_signal(signal.SIGINT)
        running.wait(timeout=30)
        os.close(theirs)
        shown = os.read(ours, 1 << 16).decode()
        self.assertIn("%", shown)
        self.assertRegex(shown, r"\d+ (s|min) left")
        done = self.run_program("generate", "census", "--rows", "1000", "--out", "d.csv")
        self.assertEqual(done.stderr, b"")

    # --- documents

    def test_the_reference_is_not_stale(self):
        printed = self.run_program("help", "--markdown").stdout.decode()
        self.assertEqual((ROOT / "docs" / "cli.md").read_text(), printed,
                         "docs/cli.md is stale: build/pratique help --markdown > docs/cli.md")

    def test_generated_worlds_repeat_on_any_number_of_threads(self):
        for threads in ("1", "2"):
            self.result("generate", "consortium", "--hospitals", "3", "--patients", "200", "--seed", "5", "--out",
                        f"w{threads}", "--threads", threads)
        for file in sorted((self.path / "w1").rglob("*")):
            if file.is_file():
                other = self.path / "w2" / file.relative_to(self.path / "w1")
                self.assertEqual(file.read_bytes(), other.read_bytes(), file.name)


if __name__ == "__main__":
    unittest.main()
