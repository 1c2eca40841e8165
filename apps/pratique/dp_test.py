#!/usr/bin/env python3
"""Differential privacy as a user meets it. Run by ctest as: dp_test.py PROGRAM"""
import json
import math
import os
import signal
import stat
import subprocess
import unittest

from program_in_folder import PROGRAM, ProgramInFolder

PEOPLE = "id,age,sex\n" + "".join(f"{i},{20 + i % 50},{'FM'[i % 2]}\n" for i in range(400))


class BudgetTest(ProgramInFolder):
    def setUp(self):
        super().setUp()
        self.file("people.csv", PEOPLE)

    def open(self, *more, epsilon="1"):
        return self.result("dp", "open", "budget", "--data", "people.csv", "--epsilon", epsilon, *more)

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


if __name__ == "__main__":
    unittest.main()
