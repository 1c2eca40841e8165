#!/usr/bin/env python3
"""private_manifest_test.py PROGRAM: what a release's manifest must not tell stays apart from it."""
import hashlib
import json
import stat
import unittest

from releases_in_folder import COLUMNS, PEOPLE, ILLNESSES, ReleasesInFolder

HIDDEN = ".pratique/private"


class PrivateManifest(ReleasesInFolder):
    def manifest(self, release):
        return json.loads((self.path / f"{release}.manifest.json").read_text())

    def private(self, release, folder=HIDDEN):
        return self.path / folder / f"{self.manifest(release)['private']}.json"

    def test_who_knows_all_but_one_value_cannot_try_values(self):
        self.release()
        told = (self.path / "out.csv.manifest.json").read_text()
        row = "Person07,27,F,13003,kuru-rarissima"
        self.assertIn(row, PEOPLE)
        for illness in [*ILLNESSES, "kuru-rarissima"]:
            guess = PEOPLE.replace(row, row.replace("kuru-rarissima", illness)).encode()
            for digest in (hashlib.sha256(guess).hexdigest(), hashlib.sha256(guess).hexdigest()[:16]):
                self.assertNotIn(digest, told)
        # Nor by its size, nor by figures of which the adversary knows all but one record.
        self.assertNotIn(str(len(PEOPLE)), told)
        for key in ("before", "rows_in", "metrics", "suppressed", "squared_error"):
            self.assertNotIn(f'"{key}"', told)

    def test_it_has_what_the_manifest_leaves_out_for_its_owner_alone(self):
        result = self.result("tables", "protect", self.file("people.csv", PEOPLE), *COLUMNS, "--k", "5", "--seed", "1",
                             "--out", "out.csv")
        path = self.private("out.csv")
        self.assertEqual(stat.S_IMODE(path.stat().st_mode), 0o600)
        self.assertEqual(stat.S_IMODE(path.parent.stat().st_mode), 0o700)
        kept = self.private_manifest("out.csv")
        self.assertEqual(kept["inputs"][0]["sha256"], hashlib.sha256(PEOPLE.encode()).hexdigest())
        self.assertEqual(kept["inputs"][0]["bytes"], len(PEOPLE))
        for key in ("before", "after", "rows_in", "metrics"):
            self.assertEqual(kept["results"][key], result[key], key)

    def test_two_runs_commit_differently(self):
        self.release("a.csv")
        self.release("b.csv")
        self.assertEqual((self.path / "a.csv").read_bytes(), (self.path / "b.csv").read_bytes())
        self.assertNotEqual(self.manifest("a.csv")["inputs"], self.manifest("b.csv")["inputs"])

    def test_every_kind_commits(self):
        for release in self.release_of_each_kind():
            manifest = self.manifest(release)
            told = json.dumps(manifest)
            for given in manifest["inputs"]:
                self.assertEqual(set(given) - {"role"}, {"path", "commitment"}, release)
            kept = self.private_manifest(release)
            known_to_all = {file["sha256"] for claim in manifest["claims"] if "identified" in claim
                            for file in claim["identified"]["files"]}
            for given in kept["inputs"]:
                if given["sha256"] not in known_to_all:
                    self.assertNotIn(given["sha256"], told, f"{release}: {given['path']}")
            self.assertNotIn('"before"', told, release)
            self.assertNotIn('"metrics"', told, release)

    def test_private_names_its_folder_which_is_not_the_release_s(self):
        self.release("out.csv", "--private", "safe")
        self.assertTrue(self.private("out.csv", "safe").exists())
        self.assertFalse((self.path / ".pratique").exists())
        self.file("release/x", "")
        message = self.error("tables", "protect", "people.csv", *COLUMNS, "--k", "5", "--out", "release/out.csv", "--private",
                             "release")
        self.assertIn("beside the release", message)
        self.assertIn("--private", message)

    def test_a_release_in_its_hidden_folder_does_not_lie_beside_it(self):
        self.release("first.csv")
        self.release(f"{HIDDEN}/out.csv")
        name = f"{self.manifest(f'{HIDDEN}/out.csv')['private']}.json"
        self.assertFalse((self.path / HIDDEN / name).exists())
        self.assertTrue((self.temporary.parent / "state/pratique/private" / name).exists())

    def test_standard_input_and_a_folder_in_the_way_leave_it_with_the_user(self):
        state = self.temporary.parent / "state"
        self.environment["XDG_STATE_HOME"] = str(state)
        done = self.run_program("tables", "protect", "-", *COLUMNS, "--k", "5", "--out", "out.csv", input=PEOPLE.encode())
        self.assertEqual(done.returncode, 0, done.stderr.decode())
        self.assertTrue((state / "pratique/private" / f"{self.manifest('out.csv')['private']}.json").exists())
        self.file(".pratique", "somebody's own file\n")
        self.release("next.csv")
        self.assertTrue((state / "pratique/private" / f"{self.manifest('next.csv')['private']}.json").exists())
        self.assertEqual(self.result("repeat", "next.csv")["same"], True)

    def test_a_report_has_the_figures_before_where_it_is_at_hand(self):
        self.release()
        hash_of_input = hashlib.sha256(PEOPLE.encode()).hexdigest()

        def reported(*more):
            self.result("report", "out.csv", "--out", "r.json", *more)
            text = (self.path / "r.json").read_text()
            mode = stat.S_IMODE((self.path / "r.json").stat().st_mode)
            self.assertEqual(mode, 0o644 if "--public" in more else 0o600)
            self.assertNotIn(hash_of_input, text)
            return json.loads(text)["releases"][0]

        whole = reported()
        self.assertTrue(whole["attacks"] and whole["metrics"])
        self.assertTrue(any("--public" in limit for limit in whole["limits"]))
        handed_out = reported("--public")
        self.assertEqual((handed_out["attacks"], handed_out["metrics"]), ([], []))
        self.assertEqual(handed_out["standing"], "holds")
        self.private("out.csv").rename(self.path / "elsewhere.json")
        without = reported()
        self.assertEqual(without["attacks"], [])
        self.assertTrue(any("not at hand" in note for note in without["notes"]))
        (self.path / "safe").mkdir()
        (self.path / "elsewhere.json").rename(self.path / "safe" / f"{self.manifest('out.csv')['private']}.json")
        self.assertEqual(reported("--private", "safe")["attacks"], whole["attacks"])

    def test_repeat_and_explain_need_it(self):
        self.release()
        self.result("repeat", "out.csv")
        self.result("tables", "explain", "out.csv", "--class", "1")
        before = sorted((self.path / HIDDEN).iterdir())
        self.assertEqual(len(before), 1, "repeat leaves none of its own")
        (self.path / ".pratique").rename(self.path / "gone")
        self.assertIn("--private", self.error("repeat", "out.csv"))
        self.assertTrue(self.error("tables", "explain", "out.csv", "--class", "1"))
        self.assertTrue(self.result("repeat", "out.csv", "--private", "gone/private")["same"])
        self.result("tables", "explain", "out.csv", "--class", "1", "--private", "gone/private")

    def test_a_ledger_knows_the_same_people_by_marks_that_need_its_key(self):
        self.release("a.csv")
        self.result("tables", "protect", "people.csv", *COLUMNS, "--method", "optimal", "--k", "5", "--out", "b.csv")
        self.result("ledger", "init", "l.ledger")
        self.result("ledger", "add", "l.ledger", "a.csv")
        added = self.result("ledger", "add", "l.ledger", "b.csv", "--max-breach", "1", "--known", "people.csv",
                            "--allow-unattacked")
        self.assertEqual(added["earlier"], [1])
        entries = (self.path / "l.ledger").read_text()
        self.assertNotIn(hashlib.sha256(PEOPLE.encode()).hexdigest(), entries)
        first, second = (self.result("ledger", "show", "l.ledger", entry)["body"]["inputs"]
                         for entry in ("1", "2"))
        self.assertEqual(first, second)
        # Another ledger has another key.
        self.result("ledger", "init", "m.ledger")
        self.result("ledger", "add", "m.ledger", "a.csv")
        self.assertNotEqual(self.result("ledger", "show", "m.ledger", "1")["body"]["inputs"], first)

    def test_a_report_to_hand_out_still_says_who_stands_alone(self):
        self.file("people.csv", PEOPLE)
        self.result("tables", "protect", "people.csv", "--qi", "age,sex", "--k", "5", "--sensitive", "illness", "--insensitive",
                    "name", "--allow", "name", "--id", "zip", "--hierarchy", "age=interval:10,20,40", "--out", "out.csv")
        for more in ((), ("--public",)):
            verdict = self.result("report", "out.csv", "--out", "r.html", *more)["releases"][0]["verdict"]
            self.assertIn("40 of the released records stand alone", verdict)

    def test_a_ledger_counts_nobody_who_was_not_released(self):
        """With and without somebody who is suppressed, the entries differ in nothing but marks and times."""
        entries = []
        for name, more in (("a", ""), ("b", "Zoe,80,M,99999,gout\n")):
            self.file(f"{name}.csv", PEOPLE + more)
            self.result("tables", "protect", f"{name}.csv", *COLUMNS, "--method", "levels", "--levels", "age=2,sex=0,zip=4",
                        "--suppression", "0.2", "--k", "5", "--seed", "1", "--out", f"{name}-out.csv")
            self.result("ledger", "init", f"{name}.ledger")
            self.result("ledger", "add", f"{name}.ledger", f"{name}-out.csv", "--max-breach", "1")
            entries.append(self.result("ledger", "show", f"{name}.ledger", "1")["body"])
        self.assertEqual((self.path / "a-out.csv").read_bytes(), (self.path / "b-out.csv").read_bytes())
        for entry in entries:
            del entry["inputs"], entry["manifest"]
        self.assertEqual(*entries)

    def test_a_ledger_does_not_guess_whose_a_release_is(self):
        self.release("a.csv")
        (self.path / ".pratique").rename(self.path / "gone")
        self.result("ledger", "init", "l.ledger")
        message = self.error("ledger", "add", "l.ledger", "a.csv")
        self.assertIn("--population", message)
        self.assertIn("--private", message)
        self.result("ledger", "add", "l.ledger", "a.csv", "--population", "clinic", "--people", "people.csv")

    def test_a_manifest_that_commits_to_other_files_is_noticed(self):
        self.release()
        manifest = self.manifest("out.csv")
        manifest["inputs"][0]["commitment"] = "0" * 64
        self.file("out.csv.manifest.json", json.dumps(manifest))
        for command in (("report", "out.csv", "--out", "r.html"), ("repeat", "out.csv")):
            self.assertIn("not those of its private manifest", self.error(*command))

    def test_a_manifest_of_format_2_is_still_read(self):
        self.release()
        self.file("out.csv.manifest.json", json.dumps(self.as_format_2("out.csv")))
        (self.path / ".pratique").rename(self.path / "gone")
        self.assertTrue(self.result("verify", "out.csv")["holds"])
        self.assertTrue(self.result("repeat", "out.csv")["same"])
        self.result("report", "out.csv", "--out", "r.json")
        self.assertTrue(json.loads((self.path / "r.json").read_text())["releases"][0]["attacks"])

    def test_a_killed_run_leaves_no_release_without_its_private_manifest(self):
        """The private manifest has its name before the manifest has: a file where its folder would be, and nothing leaves."""
        self.file(".pratique/private", "in the way")
        self.environment.update(XDG_STATE_HOME=str(self.temporary.parent / "file" / "inner"))
        (self.temporary.parent / "file").write_text("in the way")
        self.file("people.csv", PEOPLE)
        message = self.error("tables", "protect", "people.csv", *COLUMNS, "--k", "5", "--out", "out.csv",
                             exit_code=2)
        self.assertIn("--private", message)
        self.assertFalse((self.path / "out.csv").exists() or (self.path / "out.csv.manifest.json").exists())


if __name__ == "__main__":
    unittest.main()
