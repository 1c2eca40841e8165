#!/usr/bin/env python3
"""apps/pratique/search_test.py PROGRAM: a search that is too long for anybody ends in time, with the best it has."""
import json
import random
import signal
import subprocess
import time
import unittest

from program_in_folder import PROGRAM, ProgramInFolder

COLUMNS = [f"q{i}" for i in range(18)]


class SearchTest(ProgramInFolder):
    def setUp(self):
        super().setUp()
        draw = random.Random(3)
        rows = []
        for _ in range(2000):
            kind = draw.random()
            rows.append(",".join(str(int(40 * abs(kind + draw.gauss(0, 0.1)))) for _ in COLUMNS))
        self.file("wide.csv", "\n".join([",".join(COLUMNS), *rows]) + "\n")
        self.protect = ["tables", "protect", "wide.csv", "--qi", ",".join(COLUMNS), "--k", "5", "--seed", "1", "--out", "out.csv"]

    def test_ctrl_c_keeps_the_best_so_far(self):
        running = subprocess.Popen([PROGRAM, *self.protect, "--time-limit", "100000", "--suppression", "0.1", "--json"], cwd=self.path,
                                   env={**self.environment, "PRATIQUE_PROGRESS": "json"}, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(running.kill)  # whatever fails below
        known = []
        for line in running.stderr:
            told = json.loads(line)["progress"]
            # On a slow machine the first that is known is that everything may be hidden.
            if told["step"] == "searching" and "known" in told and not told["known"].startswith("best 1,"):
                known.append(told["known"])
                break
        self.assertRegex(known[0], r"best 0\.\d+")
        running.send_signal(signal.SIGINT)
        answer, said = running.communicate(timeout=60)
        self.assertEqual(running.returncode, 0, said)
        self.assertIn(b"best so far", said)
        result = json.loads(answer)
        self.assertGreater(result["lower_bound"], 0)
        self.assertAlmostEqual(result["gap"], 1 - result["lower_bound"] / result["metrics"]["lm"], places=9)
        self.assertTrue(self.result("verify", "out.csv")["holds"])

    def test_a_second_ctrl_c_gives_up(self):
        running = subprocess.Popen([PROGRAM, *self.protect, "--method", "local", "--time-limit", "100000"], cwd=self.path,
                                   env={**self.environment, "PRATIQUE_PROGRESS": "json"}, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.PIPE)
        for line in running.stderr:
            if json.loads(line)["progress"]["step"] == "searching":
                break
        for _ in range(20):
            running.send_signal(signal.SIGINT)
            time.sleep(0.01)
        running.communicate(timeout=60)
        self.assertIn(running.returncode, (0, 130))
        if running.returncode == 130:
            self.assertFalse((self.path / "out.csv").exists())

    def test_time_limits_hold(self):
        for method in ("optimal", "local", "best"):
            with self.subTest(method=method):
                began = time.monotonic()
                result = self.result(*self.protect, "--method", method, "--time-limit", "2", "--suppression", "0.2", "--force")
                self.assertLess(time.monotonic() - began, 40)  # of a busy machine
                self.assertLessEqual(result["lower_bound"], result["metrics"]["lm"] + 1e-9)
                self.assertTrue(self.result("verify", "out.csv")["holds"])

    def test_local_starts_from_anything(self):
        losses = {}
        for start in ("mondrian", "cluster-up", "cluster-down"):
            first = self.result(*self.protect, "--method", start, "--recoding", "labels", "--force")["metrics"]["lm"]
            losses[start] = self.result(*self.protect, "--method", "local", "--start", start, "--force")["metrics"]["lm"]
            self.assertLessEqual(losses[start], first + 1e-12)
            self.assertTrue(self.result("verify", "out.csv")["holds"])
        self.result(*self.protect, "--method", "local", "--levels", "q0=1", "--time-limit", "5", "--force")
        self.assertTrue(self.result("verify", "out.csv")["holds"])
        self.assertIn("not with both", self.error(*self.protect, "--method", "local", "--start", "mondrian", "--levels", "q0=1", "--force"))


if __name__ == "__main__":
    unittest.main()
