#!/usr/bin/env python3
"""Differential privacy as a user meets it. Run by ctest as: dp_test.py PROGRAM"""
import hashlib
import json
import math
import os
import signal
import stat
import subprocess
import time
import unittest

from program_in_folder import PROGRAM, ProgramInFolder

PEOPLE = "id,age,sex\n" + "".join(f"{i},{20 + i % 50},{'FM'[i % 2]}\n" for i in range(400))


class BudgetTest(ProgramInFolder):
    def setUp(self):
        super().setUp()
        self.file("people.csv", PEOPLE)

    def open(self, *more, epsilon="1"):
        return self.result("dp", "open", "budget", "--data", "people.csv", "--epsilon", epsilon, *more)

    def test_several_rows_of_a_patient_are_asked_about(self):
        self.file("stays.csv", "patient,age\n" + "".join(f"P{i // 3},{20 + i % 50}\n" for i in range(90)))
        stays = ("dp", "open", "stays", "--data", "stays.csv", "--epsilon", "1")
        self.assertIn("--person patient", self.error(*stays))
        self.result(*stays, "--person", "patient")
        self.result(*stays[:2], "others", *stays[3:], "--rows-are-people", "--additional")

    def test_a_budget_is_opened_and_shown(self):
        self.open("--delta", "1e-6", "--person", "id", "--max-rows", "3")
        shown = self.result("dp", "budget", "budget")
        self.assertEqual((shown["epsilon"], shown["spent"], shown["left"], shown["entries"]), (1, 0, 1, 0))
        self.assertEqual((shown["delta"], shown["person"], shown["max_rows"]), (1e-6, "id", 3))
        for private in ("budget.key", ".pratique-dp.json"):
            self.assertEqual(stat.S_IMODE(os.stat(self.path / private).st_mode), 0o600)
        self.assertTrue(self.result("ledger", "verify", "budget")["holds"])

    def test_a_second_budget_needs_a_word(self):
        self.open()
        said = self.error("dp", "open", "other", "--data", "people.csv", "--epsilon", "1", exit_code=1)
        self.assertIn("--additional", said)
        self.result("dp", "open", "other", "--data", "people.csv", "--epsilon", "1", "--additional")

    def test_bad_terms_are_refused(self):
        for options in (["--epsilon", "0"], ["--epsilon", "1", "--delta", "1"], ["--epsilon", "1", "--max-rows", "2"],
                        ["--epsilon", "1", "--person", "idd"], ["--epsilon", "1", "--analyst", "ann"],
                        ["--epsilon", "1", "--analyst", "ann=2"], ["--epsilon", "2000"]):
            with self.subTest(options):
                self.error("dp", "open", "budget", "--data", "people.csv", *options)


class QueryTest(ProgramInFolder):
    """400 people of ages 20 to 69, half of them F; in regions a (300) and b (100)."""

    def setUp(self):
        super().setUp()
        rows = [f"{i},{20 + i % 50},{'FM'[i % 2]},{'aaab'[i % 4]}\n" for i in range(400)]
        self.file("people.csv", "id,age,sex,region\n" + "".join(rows))

    def open(self, *more):
        self.result("dp", "open", "budget", "--data", "people.csv", "--epsilon", "400", "--delta", "1e-5", *more)

    def query(self, sql, *more, epsilon="100", exit_code=0):
        return self.result("dp", "query", "budget", sql, "--epsilon", epsilon, *more, exit_code=exit_code)

    def test_an_answer_with_intervals_and_costs(self):
        self.open()
        answer = self.query("SELECT region, COUNT(*), AVG(age) AS mean FROM data WHERE sex = 'F' GROUP BY region",
                            "--domain", "age=0..100", "--domain", "region=a|b|c")
        self.assertEqual(answer["columns"], ["region", "count", "mean"])
        self.assertEqual([row[0] for row in answer["rows"]], ["a", "b", "c"])
        # Even i are F; of these i % 4 is 0 or 2, all in a.
        self.assertAlmostEqual(answer["rows"][0][1], 200, delta=2)
        self.assertAlmostEqual(answer["rows"][0][2], 44, delta=1)
        self.assertAlmostEqual(answer["rows"][1][1], 0, delta=2)
        for row, intervals in zip(answer["rows"], answer["intervals"]):
            self.assertIsNone(intervals[0])
            for value, (low, high) in zip(row[1:], intervals[1:]):
                self.assertLessEqual(low, value)
                self.assertLessEqual(value, high)
        self.assertEqual((answer["epsilon_spent"], answer["epsilon_left"], answer["delta_spent"]), (100, 300, 0))
        self.assertTrue(answer["private"])
        budget = self.result("dp", "budget", "budget")
        self.assertEqual((budget["spent"], budget["left"], budget["entries"]), (100, 300, 1))

    def test_groups_are_found_with_delta(self):
        self.open()
        answer = self.query("SELECT region, COUNT(*) FROM data GROUP BY region")
        self.assertEqual(dict(answer["rows"]).keys(), {"a", "b"})
        self.assertAlmostEqual(answer["delta_spent"], 1e-6)

    def test_bounds_are_found_for_a_share_of_epsilon(self):
        # A salary of 10,000,000 that would move the mean by 25,000 where it were not clamped.
        rows = [f"{i},{1000 + i}\n" for i in range(399)]
        self.file("people.csv", "id,pay\n" + "".join(rows) + "399,10000000\n")
        self.open()
        answer = self.query("SELECT AVG(pay), COUNT(*), SUM(pay), SUM(pay + 1) AS more FROM data", "--find-bounds", "0.2")
        self.assertEqual((answer["epsilon_spent"], answer["epsilon_left"]), (100, 300))
        self.assertEqual([bounds["column"] for bounds in answer["bounds"]], ["pay", "more"])
        for bounds in answer["bounds"]:
            self.assertLessEqual(bounds["low"], 1001)
            self.assertGreaterEqual(bounds["low"], 900)
            self.assertGreaterEqual(bounds["high"], 1398)
            self.assertLess(bounds["high"], 10_000_000)
        # 20 of epsilon for bounds, 80 for four aggregates.
        self.assertEqual([cost["epsilon"] for cost in answer["costs"]], [20] * 4)
        truth = sum(1000 + i for i in range(399)) / 400
        self.assertAlmostEqual(answer["rows"][0][0], truth, delta=300)
        self.assertTrue(any("bounds of pay were found" in note for note in answer["notes"]))
        # Declared ones are not looked for.
        declared = self.query("SELECT AVG(pay) FROM data", "--domain", "pay=0..5000", "--find-bounds", "0.2")
        self.assertNotIn("bounds", declared)
        self.assertEqual(declared["costs"][0]["epsilon"], 100)
        self.error("dp", "query", "budget", "SELECT AVG(pay) FROM data", "--epsilon", "1", "--find-bounds", "2")

    def test_what_would_show_a_row_is_refused_and_costs_nothing(self):
        self.open()
        for sql in ("SELECT * FROM data", "SELECT age FROM data", "SELECT age, COUNT(*) FROM data",
                    "SELECT COUNT(*) FROM 'people.csv'", "SELECT COUNT(*) FROM data HAVING COUNT(*) > 3", "rubbish"):
            with self.subTest(sql):
                self.assertIn("pratique: this", self.error("dp", "query", "budget", sql, "--epsilon", "1"))
        self.assertIn("--domain age=0..100", self.error("dp", "query", "budget", "SELECT SUM(age) FROM data", "--epsilon", "1"))
        self.assertEqual(self.result("dp", "budget", "budget")["entries"], 0)

    def test_over_budget_is_refused_whatever_the_data(self):
        self.open()
        said = self.error("dp", "query", "budget", "SELECT COUNT(*) FROM data", "--epsilon", "401", exit_code=1)
        self.assertIn("400 is left", said)
        self.query("SELECT COUNT(*) FROM data", epsilon="400")
        # The same words whether or not anybody is counted.
        refused = [self.error("dp", "query", "budget", f"SELECT COUNT(*) FROM data WHERE age > {age}", "--epsilon", "1",
                              exit_code=1) for age in (0, 1000)]
        self.assertEqual(refused[0], refused[1])

    def test_other_data_is_refused(self):
        self.open()
        self.file("people.csv", "id,age,sex,region\n1,2,F,a\n")
        self.assertIn("changed", self.error("dp", "query", "budget", "SELECT COUNT(*) FROM data", "--epsilon", "1",
                                            exit_code=1))

    def test_a_plan_spends_nothing(self):
        self.open()
        plan = self.result("dp", "plan", "budget", "SELECT COUNT(*) FROM data", "--epsilon", "0.1")
        # P(|X| > t) = 2 q^(t + 1) / (1 + q) <= 0.05
        q = math.exp(-0.1)
        error = plan["columns"][0]["error"]
        self.assertLessEqual(2 * q ** (error + 1) / (1 + q), 0.05)
        self.assertGreater(2 * q ** error / (1 + q), 0.05)
        cost = self.result("dp", "plan", "budget", "SELECT COUNT(*) FROM data", "--error", str(error))["epsilon"]
        self.assertLessEqual(cost, 0.1001)
        self.assertGreater(cost, 0.09)
        self.assertEqual(self.result("dp", "budget", "budget")["entries"], 0)

    def test_tables_are_joined_by_the_person(self):
        # Everybody has two visits; those of even ids are to ward x, of which one was in 2020.
        rows = [f"{'0' if i % 3 else ''}{i},{'x' if i % 2 == 0 else 'y'},{2020 + k}-03-05\n" for i in range(400) for k in range(2)]
        self.file("visits.csv", "id,ward,day\n" + "".join(rows) + ",x,2020-01-01\n" * 50)
        self.open("--person", "id", "--max-rows", "2", "--table", "visits=visits.csv")
        answer = self.query("SELECT ward, COUNT(*), COUNT(DISTINCT id) FROM data JOIN visits USING (id) "
                            "WHERE sex = 'F' AND year(day) = 2020 GROUP BY ward", "--domain", "ward=x|y", "--max-groups", "2")
        # F are the even ids.
        for row, expected in zip(answer["rows"], (200, 0)):
            self.assertAlmostEqual(row[1], expected, delta=2)
            self.assertAlmostEqual(row[2], expected, delta=2)
        self.assertIn("joined by id", " ".join(answer["notes"]))
        self.assertEqual(self.result("dp", "budget", "budget")["tables"][0]["table"], "visits")
        self.assertAlmostEqual(self.query("SELECT COUNT(*) FROM visits")["rows"][0][0], 800, delta=2)
        self.assertIn("anything but the person", self.error(
            "dp", "query", "budget", "SELECT COUNT(*) FROM data JOIN visits ON data.sex = visits.ward", "--epsilon", "1"))
        said = self.error("dp", "open", "other", "--data", "visits.csv", "--epsilon", "1", "--person", "id", exit_code=1)
        self.assertIn("--additional", said)
        with open(self.path / "visits.csv", "a") as table:
            table.write("5,y,2020-01-01\n")
        self.assertIn("changed", self.error("dp", "query", "budget", "SELECT COUNT(*) FROM data", "--epsilon", "1", exit_code=1))

    def test_tables_need_names_and_the_person(self):
        self.file("visits.csv", "id,ward\n1,x\n")
        for options in (["--table", "visits=visits.csv"], ["--person", "id", "--table", "visits.csv"],
                        ["--person", "id", "--table", "data=visits.csv"], ["--person", "age", "--table", "visits=visits.csv"],
                        ["--person", "id", "--table", "v=visits.csv", "--table", "v=visits.csv"]):
            with self.subTest(options):
                self.error("dp", "open", "budget", "--data", "people.csv", "--epsilon", "1", *options)

    def test_noise_repeats_with_an_insecure_seed_alone(self):
        self.open()
        answers = [self.query("SELECT COUNT(*) FROM data", "--insecure-seed", "7", epsilon="0.01") for _ in range(2)]
        self.assertEqual(answers[0]["rows"], answers[1]["rows"])
        self.assertFalse(answers[0]["private"])
        self.assertIn("NOT PRIVATE", " ".join(answers[0]["notes"]))
        self.assertFalse(self.result("dp", "budget", "budget")["private"])
        secure = {self.query("SELECT COUNT(*) FROM data", epsilon="0.001")["rows"][0][0] for _ in range(5)}
        self.assertGreater(len(secure), 1)

    def test_two_programs_at_once_cannot_overspend(self):
        self.open()
        command = [PROGRAM, "dp", "query", "budget", "SELECT COUNT(*) FROM data", "--epsilon", "150", "--json"]
        running = [subprocess.Popen(command, cwd=self.path, env=self.environment, stdout=subprocess.PIPE,
                                    stderr=subprocess.PIPE) for _ in range(4)]
        codes = []
        for process in running:
            process.communicate()
            codes.append(process.returncode)
        self.assertEqual(sorted(codes), [0, 0, 1, 1])
        self.assertEqual(self.result("dp", "budget", "budget")["spent"], 300)

    def test_a_kill_while_answering_costs_at_most_the_charge(self):
        self.open()
        for delay in (0, 0.02, 0.05):
            with self.subTest(delay):
                process = subprocess.Popen([PROGRAM, "dp", "query", "budget", "SELECT COUNT(*) FROM data", "--epsilon", "1"],
                                           cwd=self.path, env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
                time.sleep(delay)
                process.send_signal(signal.SIGKILL)
                process.communicate()
                before = self.result("dp", "budget", "budget")["spent"]
                self.assertEqual(self.query("SELECT COUNT(*) FROM data", epsilon="1")["epsilon_left"], 400 - before - 1)


    def test_a_person_who_is_spelt_in_many_ways_is_one(self):
        spellings = ["".join(c.upper() if i >> b & 1 else c for b, c in enumerate("abcdef")) + " " * (i % 3) for i in range(64)]
        spellings += [f"{'0' * (i % 4)}77" for i in range(30)]
        others = [f"q{i}" for i in range(40)]
        self.file("spelt.csv", "id,n\n" + "".join(f'"{name}",1\n' for name in spellings + others))
        self.result("dp", "open", "spelt", "--data", "spelt.csv", "--epsilon", "400", "--person", "id")
        answer = self.result("dp", "query", "spelt", "SELECT COUNT(*) FROM data", "--epsilon", "100")
        self.assertAlmostEqual(float(answer["rows"][0][0]), 42, delta=1)


class HistogramTest(ProgramInFolder):
    """2,000 people: ages 0 to 99, 20 each, all under 50 in a and the others in b."""

    def setUp(self):
        super().setUp()
        self.file("people.csv", "age,region\n" + "".join(f"{i % 100},{'a' if i % 100 < 50 else 'b'}\n" for i in range(2000)))
        self.result("dp", "open", "budget", "--data", "people.csv", "--epsilon", "1000")

    def histogram(self, method, *more, columns="age", out="h.csv", epsilon="50"):
        return self.result("dp", "histogram", "budget", "--columns", columns, "--domain", "age=0..99", "--domain",
                           "region=a|b|c", "--method", method, "--epsilon", epsilon, "--out", out, *more)

    def test_a_claim_of_other_noise_contradicts_the_manifest(self):
        self.histogram("cells", epsilon="0.5")
        path = self.path / "h.csv.manifest.json"
        manifest = json.loads(path.read_text())
        self.result("verify", "h.csv")
        manifest["claims"][0]["epsilon"] = 0.01
        path.write_text(json.dumps(manifest))
        self.assertFalse(self.result("verify", "h.csv", exit_code=1)["holds"])

    def test_an_answers_error_counts_what_has_no_line_and_who_is_not_spread_evenly(self):
        # 2,000 people, two in each of a thousand cells of a million: no line has them.
        rows = "".join(f"{i % 1000},{i % 1000}\n" for i in range(2000))
        self.file("sparse.csv", "a,b\n" + rows)
        self.result("dp", "open", "s.ledger", "--data", "sparse.csv", "--epsilon", "4")
        domains = ("--columns", "a,b", "--domain", "a=0..9999", "--domain", "b=0..9999")
        self.result("dp", "histogram", "s.ledger", *domains, "--method", "cells", "--epsilon", "1", "--out", "sparse-h.csv")
        answer = self.ask("a < 1000 AND b < 1000", out="sparse-h.csv")
        self.assertGreaterEqual(answer["error"], abs(2000 - answer["answer"]))
        self.assertIn("without a line", " ".join(answer["notes"]))
        # All in one corner of a box that is taken to be uniform.
        self.file("corner.csv", "a,b\n" + "0,0\n" * 30)
        self.result("dp", "open", "c.ledger", "--data", "corner.csv", "--epsilon", "4", "--additional")
        domains = ("--columns", "a,b", "--domain", "a=0..9", "--domain", "b=0..9")
        self.result("dp", "histogram", "c.ledger", *domains, "--method", "kdtree", "--xi0", "1000", "--epsilon", "4", "--out",
                    "corner-h.csv")
        answer = self.ask("a = 0 AND b = 0", out="corner-h.csv")
        # The error holds with 95 % confidence; the noise of the box, of deviation 0.6, goes 10 beyond it once in 10^7 runs.
        self.assertGreaterEqual(answer["error"] + 10, abs(30 - answer["answer"]))
        self.assertLess(answer["error_of_noise"], answer["error"])

    def ask(self, *words, out="h.csv"):
        return self.result("dp", "ask", out, *words)

    def test_every_method_answers_from_the_release_alone(self):
        for method in ("auto", "cells", "hb", "kdtree", "dawa"):
            with self.subTest(method):
                made = self.histogram(method, out=f"{method}.csv")
                self.assertEqual(made["epsilon_spent"], 50)
                rows = self.rows(f"{method}.csv")
                self.assertEqual(list(rows[0]), ["age_low", "age_high", "count"])
                # Every value is in one line.
                covered = sorted(value for row in rows for value in range(int(row["age_low"]), int(row["age_high"]) + 1))
                self.assertEqual(covered, list(range(100)))
                answer = self.ask("age BETWEEN 30 AND 39", out=f"{method}.csv")
                self.assertAlmostEqual(answer["answer"], 200, delta=10)
                self.assertGreater(answer["error"], 0)
        self.assertAlmostEqual(self.ask("age < 10", "--sum", "age", out="cells.csv")["answer"], 20 * 45, delta=60)
        self.assertAlmostEqual(self.ask("age < 10", "--average", "age", out="cells.csv")["answer"], 4.5, delta=0.4)
        self.assertEqual(self.result("dp", "budget", "budget")["spent"], 250)

    def test_two_columns_and_words(self):
        for method in ("cells", "kdtree", "hb", "grid", "auto"):
            self.histogram(method, columns="age,region", out=f"{method}2.csv")
            self.assertAlmostEqual(self.ask("region = 'a' AND age >= 40", out=f"{method}2.csv")["answer"], 200, delta=25)
            self.assertAlmostEqual(self.ask("region = 'c'", out=f"{method}2.csv")["answer"], 0, delta=30)

    def test_what_leaves_tells_nothing_exact_and_is_attested(self):
        self.histogram("cells")
        manifest = json.loads((self.path / "h.csv.manifest.json").read_text())
        self.assertEqual((manifest["kind"], manifest["verb"]), ("dp", "histogram"))
        self.assertEqual([(claim["model"], claim["standing"]) for claim in manifest["claims"]],
                         [("differential-privacy", "attested")])
        text = json.dumps(manifest)
        self.assert_tells_no_number(manifest, 2000)
        self.assertNotIn(hashlib.sha256((self.path / "people.csv").read_bytes()).hexdigest(), text)
        self.assertEqual(self.result("verify", "h.csv")["claims"][0]["standing"], "attested")
        # Nobody can repeat the noise, and no file shows it: the report does not say otherwise.
        self.result("report", "h.csv", "--out", "h.md")
        page = (self.path / "h.md").read_text()
        self.assertIn("Attested: the released file", page)
        self.assertIn("not the same bytes", page)
        self.assertNotIn("Every claim was derived", page)

    def test_a_raw_table_and_a_changed_histogram_are_refused(self):
        self.assertIn("dp query", self.error("dp", "ask", "people.csv", "age > 3"))
        self.histogram("cells")
        with open(self.path / "h.csv", "a") as table:
            table.write("5,5,1000000\n")
        self.error("dp", "ask", "h.csv", "age > 3", exit_code=1)

    def test_what_does_not_fit_is_refused_before_it_is_charged(self):
        for words in (["--columns", "age,region", "--domain", "age=0..99", "--domain", "region=a|b", "--method", "dawa"],
                      ["--columns", "age", "--domain", "age=0..99", "--method", "grid"],
                      ["--columns", "age", "--domain", "region=a|b"], ["--columns", "agee", "--domain", "age=0..9"],
                      ["--columns", "age", "--domain", "age=0..99", "--counts", "n"], ["--columns", "age", "--domain", "age=0..99:10"]):
            with self.subTest(words):
                self.error("dp", "histogram", "budget", *words, "--epsilon", "1", "--out", "h.csv")
        self.assertEqual(self.result("dp", "budget", "budget")["entries"], 0)

    def test_a_file_that_is_counted_already(self):
        self.file("counted.csv", "age,n\n1,500\n2,700\n1,100\n3,x\n")
        self.result("dp", "open", "other", "--data", "counted.csv", "--epsilon", "100")
        self.result("dp", "histogram", "other", "--columns", "age", "--domain", "age=0..4", "--method", "cells", "--counts",
                    "n", "--epsilon", "100", "--out", "c.csv")
        counts = [int(row["count"]) for row in self.rows("c.csv")]
        for count, truth in zip(counts, [0, 600, 700, 0, 0]):
            self.assertAlmostEqual(count, truth, delta=2)

    def test_an_insecure_seed_claims_nothing(self):
        made = self.histogram("cells", "--insecure-seed", "1")
        self.assertFalse(made["private"])
        manifest = json.loads((self.path / "h.csv.manifest.json").read_text())
        self.assertEqual(manifest["claims"], [])
        self.assertFalse(manifest["parameters"]["private"])


class KmeansTest(ProgramInFolder):
    """Ages about 20 and 70 with incomes about 100 and 900, 1,000 people each; one row has no age."""

    def setUp(self):
        super().setUp()
        rows = [f"{20 + i % 5},{100 + i % 7}\n{70 + i % 5},{900 + i % 7}\n" for i in range(1000)]
        self.file("people.csv", "age,income\n" + "".join(rows) + ",5\n")
        self.result("dp", "open", "budget", "--data", "people.csv", "--epsilon", "100")

    def test_two_clusters(self):
        found = self.result("dp", "kmeans", "budget", "--columns", "age,income", "--domain", "age=0..100", "--domain",
                            "income=0..1000", "--clusters", "2", "--epsilon", "50")
        self.assertEqual((found["epsilon_spent"], found["epsilon_left"]), (50, 50))
        young, old = sorted(found["clusters"], key=lambda cluster: cluster["age"])
        for cluster, age, income in ((young, 22, 103), (old, 72, 903)):
            self.assertAlmostEqual(cluster["age"], age, delta=1)
            self.assertAlmostEqual(cluster["income"], income, delta=10)
            self.assertAlmostEqual(cluster["count"], 1000, delta=10)

    def test_what_is_refused_costs_nothing(self):
        bounds = ["--domain", "age=0..100"]
        for words in (["--columns", "age"], ["--columns", "age,income", *bounds], ["--columns", "agee", *bounds],
                      ["--columns", "age", "--domain", "age=a|b"]):
            with self.subTest(words):
                self.error("dp", "kmeans", "budget", *words, "--epsilon", "1")
        self.error("dp", "kmeans", "budget", "--columns", "age", *bounds, "--epsilon", "101", exit_code=1)
        self.assertEqual(self.result("dp", "budget", "budget")["entries"], 0)


class ChooseTest(ProgramInFolder):
    def test_the_corollary(self):
        for prior, factor, queries in ((0.1, 2, 1), (0.9, 3, 4), (0.5, 10, 7)):
            bound = min(math.log(factor), -math.log(prior)) / queries
            epsilon = self.result("dp", "choose", "--prior", str(prior), "--posterior-factor", str(factor),
                                  "--queries", str(queries))["epsilon"]
            self.assertLess(epsilon, bound)
            self.assertGreater(epsilon, bound - 2e-9)


class TesterTest(ProgramInFolder):
    def test_mechanisms_hold(self):
        for mechanism in ("laplace", "randomised-response"):
            verdict = self.result("dp", "test", mechanism, "--runs", "20000")
            self.assertTrue(verdict["holds"])
            self.assertGreater(verdict["epsilon_bound"], 0.5)
            self.assertLessEqual(verdict["epsilon_bound"], 1)
        self.assertIn("laplace", self.error("dp", "test", "zzz"))
        whole = self.result("dp", "test", "synthesis", "--runs", "1000")
        self.assertTrue(whole["holds"])
        self.assertEqual((whole["delta"], whole["pairs"], whole["runs"]), (0.01, 4, 8000))

    def test_a_study_that_cannot_be_written_is_not_begun(self):
        began = time.monotonic()
        self.assertIn("does not exist", self.error("dp", "study", "--draws", "1000", "--out", "nowhere/study.csv"))
        self.assertLess(time.monotonic() - began, 60)  # all draws would take hours
        self.result("dp", "study", "--rows", "100", "--draws", "2", "--vary", "ours", "--seed", "1", "--out", "study.csv")
        self.assertEqual([row["alpha"] for row in self.rows("study.csv")], ["0.01", "0.05", "0.1", "0.5"])


if __name__ == "__main__":
    unittest.main()
