#!/usr/bin/env python3
"""apps/pratique/interrupted_test.py PROGRAM: a release that replaces another is killed at every step on the way."""
import concurrent.futures
import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import unittest

from program_in_folder import PROGRAM, ProgramInFolder

KILLER = pathlib.Path(PROGRAM).parent / "libkill_at_step.so"
MOST_STEPS = 300


class InterruptedTest(ProgramInFolder):
    def setUp(self):
        super().setUp()
        draw = random.Random(3)
        rows = [(draw.randrange(20, 70), draw.choice("FM"), draw.choice(["flu", "cold", "gout", "asthma"])) for _ in range(60)]
        self.people = self.file("people.csv", "age,sex,ill\n" + "".join(f"{a},{s},{ill}\n" for a, s, ill in rows))
        roles = ("tables", "protect", self.people, "--qi", "age,sex", "--sensitive", "ill", "--rows-are-people", "--seed", "1")
        self.two_files = (*roles, "--method", "anatomy", "--l", "2")
        self.one_file = (*roles, "--k", "3")

    def whole(self, folder):
        """What is released there: the columns of each file and what made it. verify holds the contents against the manifest."""
        made = json.loads((folder / "out.csv.manifest.json").read_text())["parameters"]["method"]
        return made, {path.name: path.read_text().splitlines()[0] for path in folder.iterdir()
                      if not path.name.startswith(".") and not path.name.endswith(".manifest.json")}

    def kept_release(self, name, command):
        folder = self.path / name
        folder.mkdir()
        self.result(*command, "--out", str(folder / "out.csv"))
        return folder

    def killed_at(self, step, old, command, next_command):
        """What is there after the next command, or None where nothing was left to interrupt."""
        folder = self.path / f"killed-{step}"
        shutil.copytree(old, folder)
        out = str(folder / "out.csv")
        done = subprocess.run([PROGRAM, *command, "--out", out], capture_output=True, timeout=120, cwd=self.path,
                              env={**self.environment, "LD_PRELOAD": str(KILLER), "KILL_UNDER": f"{folder}/", "KILL_AT": str(step)})
        if done.returncode == 0:
            return None
        self.assertEqual(done.returncode, -signal.SIGKILL, done.stderr.decode())
        next_command(out)
        found = self.whole(folder)
        # A folder that was being made, and has not got its name, waits until nobody can be at it.
        self.assertEqual([name for name in os.listdir(folder) if name.startswith(".") and not name.endswith("-new")], [])
        shutil.rmtree(folder)
        return found

    def kill_at_every_step(self, before, after, next_command):
        old, new = self.kept_release("old", before), self.kept_release("new", after)
        expected = [self.whole(old), self.whole(new)]
        self.assertNotEqual(*expected)
        seen = []
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            for first in range(1, MOST_STEPS, 2):
                for found in pool.map(lambda step: self.killed_at(step, old, after, next_command), (first, first + 1)):
                    if found is not None:
                        self.assertIn(found, expected, f"around step {first}")
                        seen.append(expected.index(found))
                if found is None:
                    break
        self.assertLess(first, MOST_STEPS - 2)
        # Once the new one is there, it stays: no later step brings the old one back.
        self.assertEqual(seen, sorted(seen))
        return seen.count(0), seen.count(1)

    def verify(self, out):
        self.assertTrue(self.result("verify", out)["holds"])

    def test_two_files_take_the_place_of_one(self):
        old, new = self.kill_at_every_step(self.one_file, self.two_files, self.verify)
        # Renames of the manifest and of two files, and the removal of their folders, come after the decision.
        self.assertGreater(old, 10)
        self.assertGreater(new, 6)

    def test_one_file_takes_the_place_of_two(self):
        def report(out):
            self.result("report", out, "--format", "json", "--out", out.replace("out.csv", "../report.json"), "--force")
            self.verify(out)
        old, new = self.kill_at_every_step(self.two_files, self.one_file, report)
        self.assertGreater(old, 10)
        self.assertGreater(new, 5)

    def test_the_next_release_under_that_name_is_written_as_if_nothing_had_been(self):
        again = self.kept_release("again", (*self.one_file, "--l", "2"))
        wanted = self.whole(again)
        old = self.kept_release("old", self.one_file)
        for step in range(1, MOST_STEPS, 5):
            found = self.killed_at(step, old, self.two_files,
                                   lambda out: (self.result(*self.one_file, "--l", "2", "--out", out), self.verify(out)))
            if found is None:
                return
            self.assertEqual(found, wanted, f"step {step}")
        self.fail("it never ends")


if __name__ == "__main__":
    unittest.main()
