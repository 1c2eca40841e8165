#!/usr/bin/env python3
"""pratique repeat: a manifest is enough to make the same bytes again. Run by ctest as: repeat_test.py PROGRAM"""
import hashlib
import json
import os
import subprocess
import unittest

from program_in_folder import PROGRAM
from releases_in_folder import ReleasesInFolder

# Eight people in four classes of two by age and town.
TABLE = "name,age,town,sick\n" + "".join(
    f"n{i},{age},{town},{sick}\n" for i, (age, town, sick) in enumerate(
        [(30, "a", "x"), (30, "a", "y"), (31, "b", "x"), (31, "b", "z"),
         (40, "a", "x"), (40, "a", "y"), (41, "b", "y"), (41, "b", "z")]))
PROTECT = ("tables", "protect", "t.csv", "--id", "name", "--qi", "age,town", "--sensitive", "sick", "--k", "2")


class RepeatTest(ReleasesInFolder):
    def setUp(self):
        super().setUp()
        self.file("t.csv", TABLE)

    def manifest(self, name):
        return json.loads((self.path / (name + ".manifest.json")).read_text())

    def test_the_same_manifest_gives_the_same_bytes(self):
        self.result(*PROTECT, "--out", "r.csv")  # the seed is drawn
        before = sorted(self.path.rglob("*"))
        repeated = self.result("repeat", "r.csv")
        self.assertTrue(repeated["same"])
        self.assertEqual(repeated["changed"], [])
        self.assertEqual([file["state"] for file in repeated["inputs"]], ["same"])
        self.assertEqual(repeated["outputs"][0]["recorded"], repeated["outputs"][0]["now"])
        self.assertEqual(sorted(self.path.rglob("*")), before)
        self.assertEqual(os.listdir(self.temporary), [])

    def test_every_option_counts_defaults_and_files_too(self):
        self.file("run.yaml", "quasi_identifiers: [age, town]\nidentifiers: [name]\nsensitive: [sick]\nhierarchies:\n  age: interval:10\n"
                              "method: mondrian\nk: 2\n")
        self.result("tables", "protect", "t.csv", "--config", "run.yaml", "--out", "r.csv")
        options = self.manifest("r.csv")["options"]
        self.assertEqual((options["method"], options["k"], options["suppression"]), ("mondrian", ["2"], 0.0))
        self.assertIsInstance(options["seed"], int)
        self.assertTrue(self.result("repeat", "r.csv")["same"])
        self.file("run.yaml", "quasi_identifiers: [age]\nidentifiers: [name]\n")
        repeated = self.result("repeat", "r.csv", exit_code=1)
        self.assertEqual(repeated["changed"], ["input"])
        self.assertEqual({file["path"]: file["state"] for file in repeated["inputs"]},
                         {"t.csv": "same", "run.yaml": "changed"})

    def test_another_input_is_named_and_nothing_is_run(self):
        self.result(*PROTECT, "--out", "r.csv")
        self.file("t.csv", TABLE + "n9,30,a,x\n")
        repeated = self.result("repeat", "r.csv", exit_code=1)
        self.assertEqual((repeated["same"], repeated["changed"]), (False, ["input"]))
        self.assertNotIn("outputs", repeated)
        (self.path / "t.csv").unlink()
        repeated = self.result("repeat", "r.csv", exit_code=1)
        self.assertEqual(repeated["inputs"][0]["state"], "missing")

    def test_another_result_and_another_version_are_told_apart(self):
        self.result(*PROTECT, "--out", "r.csv")
        path = self.path / "r.csv.manifest.json"
        kept = self.manifest("r.csv")
        path.write_text(json.dumps({**kept, "version": "0.0.1"}))
        repeated = self.result("repeat", "r.csv")
        self.assertEqual((repeated["same"], repeated["changed"]), (True, ["version"]))
        forged = {**kept, "options": {**kept["options"], "seed": kept["options"]["seed"] + 1}}
        path.write_text(json.dumps(forged))  # rows leave in another order
        repeated = self.result("repeat", "r.csv", exit_code=1)
        self.assertEqual(repeated["changed"], ["result"])

    def test_chance_that_was_not_kept_is_said(self):
        self.file("n.csv", "age,weight\n" + "".join(f"{20 + i // 4},{40 + i}.5\n" for i in range(40)))
        self.result("tables", "protect", "n.csv", "--qi", "age", "--k", "2", "--perturb", "weight=noise:0.5", "--out", "r.csv")
        repeated = self.result("repeat", "r.csv", exit_code=1)
        self.assertEqual(repeated["changed"], ["result"])
        self.assertIn("randomised", repeated["note"])

    def test_the_key_is_needed_and_never_made_anew(self):
        self.result(*PROTECT, "--identifiers", "pseudonym", "--key", "secret.key", "--out", "r.csv")
        self.assertTrue(self.result("repeat", "r.csv")["same"])
        (self.path / "secret.key").unlink()
        self.assertIn("key of this release is not at its recorded place", self.error("repeat", "r.csv"))
        self.assertFalse((self.path / "secret.key").exists())

    def test_it_is_found_from_another_folder(self):
        self.result(*PROTECT, "--out", "r.csv")
        elsewhere = self.path / "elsewhere"
        elsewhere.mkdir()
        done = subprocess.run([PROGRAM, "repeat", str(self.path / "r.csv"), "--json"], cwd=elsewhere,
                              capture_output=True, env=self.environment, timeout=60)
        self.assertEqual(done.returncode, 0, done.stderr.decode())
        self.assertTrue(json.loads(done.stdout)["same"])

    def repeat_in(self, folder, *words):
        """Called from another folder: exit code and result, or the message."""
        done = subprocess.run([PROGRAM, "repeat", *words, "--json"], cwd=self.path / folder, capture_output=True,
                              env=self.environment, timeout=60)
        return done.returncode, json.loads(done.stdout)

    def test_a_release_that_is_another_now_is_not_the_same(self):
        self.result(*PROTECT, "--out", "r.csv")
        released = (self.path / "r.csv").read_bytes()
        self.assertEqual(self.result("repeat", "r.csv")["released"], [{"path": "r.csv", "state": "same"}])
        self.file("r.csv", released + b"30,a,x\n")
        for state in ("changed", "missing"):
            repeated = self.result("repeat", "r.csv", exit_code=1)
            self.assertEqual((repeated["same"], repeated["changed"]), (False, ["release"]))
            self.assertEqual(repeated["released"], [{"path": "r.csv", "state": state}])
            self.assertTrue(repeated["outputs"][0]["same"])  # the run is told apart from it
            (self.path / "r.csv").unlink(missing_ok=True)
        self.file("t.csv", TABLE + "n9,30,a,x\n")
        self.assertEqual(self.result("repeat", "r.csv", exit_code=1)["changed"], ["release", "input"])

    def test_it_is_found_from_its_own_folder(self):
        (self.path / "sub" / "deep").mkdir(parents=True)
        self.result(*PROTECT, "--out", "sub/r.csv")
        self.result(*PROTECT, "--out", "./sub/deep/../d.csv")
        for folder, name in (("sub", "r.csv"), ("sub", "./r.csv"), ("sub/deep", "../r.csv"), ("sub", "d.csv"), (".", "sub/r.csv")):
            code, repeated = self.repeat_in(folder, name)
            self.assertEqual((code, repeated["same"]), (0, True), (folder, name, repeated))

    def test_the_original_may_lie_elsewhere(self):
        self.result(*PROTECT, "--out", "r.csv")
        (self.path / "away").mkdir()
        (self.path / "t.csv").rename(self.path / "away" / "people.csv")
        self.assertEqual(self.result("repeat", "r.csv", exit_code=1)["changed"], ["input"])
        self.assertTrue(self.result("repeat", "r.csv", "--original", "away/people.csv")["same"])
        code, repeated = self.repeat_in("away", "../r.csv", "--original", "people.csv")
        self.assertEqual((code, repeated["same"]), (0, True))
        self.file("away/other.csv", TABLE + "n9,30,a,x\n")
        self.assertIn("was not made from this file", self.error("repeat", "r.csv", "--original", "away/other.csv"))
        self.assertIn("pratique: ", self.error("repeat", "r.csv", "--original", "nowhere.csv"))

    def test_originals_of_every_kind_may_lie_elsewhere(self):
        for name in self.release_of_each_kind():
            manifest = self.manifest(name)
            data = [file["path"] for file in manifest["inputs"] if "role" not in file]
            moved = []
            for number, path in enumerate(data):
                (self.path / path).rename(self.path / f"moved-{number}")
                moved += ["--original", f"moved-{number}"]
            self.assertTrue(self.result("repeat", name, *moved)["same"], name)
            for number, path in enumerate(data):
                (self.path / f"moved-{number}").rename(self.path / path)

    def test_every_kind_repeats(self):
        for name in self.release_of_each_kind():
            self.assertTrue(self.result("repeat", name)["same"], name)

    def test_later_kinds_repeat_but_for_what_was_charged(self):
        fasta, notes, *charged = self.release_of_each_later_kind()
        for name in (fasta, notes):
            self.assertTrue(self.result("repeat", name)["same"], name)
        before = (self.path / "budget").read_bytes()
        for name in charged:
            self.assertIn("spent a privacy budget", self.error("repeat", name))
        self.assertEqual((self.path / "budget").read_bytes(), before)

    def test_a_manifest_makes_nothing_else_run(self):
        self.result(*PROTECT, "--out", "r.csv")
        kept = self.manifest("r.csv")
        path = self.path / "r.csv.manifest.json"
        for kind, verb, options in (("ledger", "init", {"LEDGER": "made.ledger"}), ("", "serve", {}), ("", "repeat", {}),
                                    ("tables", "explore", {"FILE": "t.csv", "out": "map"}),
                                    ("generate", "census", {"rows": 3, "out": "made.csv"}), ("tables", "nothing", {})):
            path.write_text(json.dumps({**kept, "kind": kind, "verb": verb, "options": options}))
            self.assertIn("pratique: ", self.error("repeat", "r.csv"))
        for out in (None, "", ["a", "b"], {"a": 1}):
            path.write_text(json.dumps({**kept, "options": {**kept["options"], "out": out}}))
            self.assertIn("pratique: ", self.error("repeat", "r.csv"))
        # What is written goes to the private folder, wherever the manifest says.
        path.write_text(json.dumps({**kept, "options": {**kept["options"], "out": "../../../../planted.csv"}}))
        before = sorted(self.path.parent.rglob("*"))
        self.assertTrue(self.result("repeat", "r.csv")["same"])
        self.assertEqual(sorted(self.path.parent.rglob("*")), before)

    def test_an_older_manifest_says_that_it_cannot_be_repeated(self):
        self.result(*PROTECT, "--out", "r.csv")
        old = self.manifest("r.csv")
        for key in ("format", "kind", "verb", "options", "outputs", "private"):
            old.pop(key)
        for file in old["inputs"]:
            del file["commitment"]
            content = (self.path / file["path"]).read_bytes()
            file.update(sha256=hashlib.sha256(content).hexdigest(), bytes=len(content))
        (self.path / "r.csv.manifest.json").write_text(json.dumps(old))
        self.assertIn("does not record the options", self.error("repeat", "r.csv"))


if __name__ == "__main__":
    unittest.main()
