#!/usr/bin/env python3
"""private_manifest_test.py PROGRAM: what a release's manifest must not tell stays apart from it."""
import hashlib
import json
import os
import pathlib
import re
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
            for given in kept["inputs"]:
                self.assertNotIn(given["sha256"], told, f"{release}: {given['path']}")
            self.assertNotIn('"before"', told, release)
            self.assertNotIn('"metrics"', told, release)

    def assert_told_alike(self, command, files):
        """The command on two sets of files writes the same bytes, and manifests that differ in nothing but what is keyed."""
        told = []
        for folder, inputs in zip("ab", files):
            for name, text in inputs.items():
                self.file(f"{folder}/{name}", text)
            done = self.run_program(*command, "--seed", "1", "--out", "out.csv", cwd=self.path / folder)
            self.assertEqual(done.returncode, 0, done.stderr.decode())
            text = (self.path / folder / "out.csv.manifest.json").read_text()
            text = re.sub(r'"(commitment|private|created)": "[^"]*"', r'"\1": ""', text)
            told.append(((self.path / folder / "out.csv").read_bytes(), text))
        self.assertEqual(told[0][0], told[1][0], "the test wants releases that are alike")
        self.assertEqual(*(text.splitlines() for _, text in told))
        self.assertNotEqual(*({name: inputs[name] for name in inputs} for inputs in files))

    def test_a_manifest_tells_nothing_of_who_was_suppressed(self):
        """Two tables that differ in one suppressed person: in the range of ages, the encoding, a note that names people."""
        people = "\n".join(f"{line},x" for line in PEOPLE.splitlines()).replace("illness,x", "illness,note", 1) + "\n"
        command = ("tables", "protect", "people.csv", "--id", "name", "--qi", "age,sex,zip", "--sensitive", "illness",
                   "--insensitive", "note", "--allow", "note", "--hierarchy", "zip=prefix", "--method", "levels", "--levels",
                   "age=5,sex=0,zip=5", "--suppression", "0.2", "--k", "5")
        self.assert_told_alike(command, [
            {"people.csv": people + "Zoe,80,X,13009,gout,x\n"},
            {"people.csv": (people + "Zo\u00eb,800,\u00d8,13009,gout,zoe@example.org\n").encode("latin-1")}])

    def test_a_manifest_tells_nothing_of_what_was_generalised_away(self):
        """Dates in two forms, and an age that makes the default intervals wider, all under '*'."""
        def table(birth, oldest):
            rows = "\n".join(f"P{i},{birth(i)},{20 + i if i else oldest},{'FM'[i % 2]},flu{i % 4}" for i in range(40))
            return f"name,born,age,sex,illness\n{rows}\n"
        command = ("tables", "protect", "people.csv", "--id", "name", "--qi", "born,age,sex", "--sensitive", "illness",
                   "--method", "levels", "--levels", "born=4,age=5,sex=0", "--k", "5")
        self.assert_told_alike(command, [
            {"people.csv": table(lambda i: f"1970-03-{i % 28 + 1:02}", 80)},
            {"people.csv": table(lambda i: f"03/{i % 28 + 1:02}/1970", 800)}])

    def test_a_manifest_tells_nothing_of_the_visits_of_a_suppressed_person(self):
        rows = "".join(f"{i},{'FM'[i % 2]},flu{i % 3}\n" * 2 for i in range(20))
        command = ("tables", "protect", "visits.csv", "--person", "patient", "--qi", "sex", "--sensitive", "illness", "--k",
                   "5", "--suppression", "0.2", "--method", "levels", "--levels", "sex=0")
        self.assert_told_alike(command, [
            {"visits.csv": f"patient,sex,illness\n{rows}99,X,gout\n99,X,gout\n"},
            {"visits.csv": f"patient,sex,illness\n{rows}99,X,gout\n99,X,flu1\n"}])

    def test_a_manifest_tells_nothing_of_samples_that_stay(self):
        people = "location,name\n" + "".join(f"A,p{i}\n" for i in range(4)) + "B,q\n"
        command = ("trails", "protect", "--identified", "people.csv", "--identified-element", "name", "--deidentified",
                   "dna.csv", "--deidentified-element", "sample", "--k", "2")
        self.assert_told_alike(command, [
            {"people.csv": people, "dna.csv": "location,sample\nA,s1\nA,s2\nB,s3\n"},
            {"people.csv": people, "dna.csv": "location,sample\nA,s1\nA,s2\nB,s4\n"}])

    def test_a_population_is_found_beside_the_manifest_from_any_folder(self):
        self.file("people.csv", PEOPLE)
        self.file("all.csv", PEOPLE + "".join(row + "\n" for row in PEOPLE.splitlines()[1:]))
        self.result("tables", "protect", "people.csv", *COLUMNS, "--k-map", "4", "--population", "all.csv", "--method",
                    "optimal", "--out", "out.csv")
        (self.path / "sent").mkdir()
        (self.path / "elsewhere").mkdir()
        for name in ("out.csv", "out.csv.manifest.json", "all.csv"):
            (self.path / name).rename(self.path / "sent" / name)
        found = self.run_program("verify", "../sent/out.csv", cwd=self.path / "elsewhere")
        self.assertEqual(found.returncode, 0, found.stderr)
        (self.path / "sent" / "all.csv").rename(self.path / "sent" / "gone.csv")
        gone = self.run_program("verify", "../sent/out.csv", cwd=self.path / "elsewhere")
        self.assertEqual(gone.returncode, 2)
        self.assertIn(b"all.csv", gone.stderr)

    def test_a_population_is_committed_to_and_compared_by_who_has_the_private_manifest(self):
        self.file("people.csv", PEOPLE)
        everybody = PEOPLE + "".join(row + "\n" for row in PEOPLE.splitlines()[1:])
        self.file("all.csv", everybody)
        self.result("tables", "protect", "people.csv", *COLUMNS, "--k-map", "4", "--population", "all.csv", "--method",
                    "optimal", "--out", "out.csv")
        self.assertNotIn(hashlib.sha256(everybody.encode()).hexdigest(),
                         (self.path / "out.csv.manifest.json").read_text())
        found = self.result("verify", "out.csv")["claims"][0]
        self.assertTrue(found["holds"])
        self.assertNotIn("private manifest", found["explanation"])
        self.file("all.csv", everybody + "Zoe,80,F,13009,gout\n")
        changed = self.result("verify", "out.csv", exit_code=1)["claims"][0]
        self.assertIn("not the one", changed["explanation"])
        # Who has not got the private manifest derives the claim from the file that is there.
        (self.path / ".pratique").rename(self.path / "gone")
        found = self.result("verify", "out.csv")["claims"][0]
        self.assertIn("only its private manifest can show", found["explanation"])
        self.assertFalse(self.result("verify", "out.csv", "--private", "gone/private", exit_code=1)["holds"])
        message = self.error("tables", "protect", "people.csv", *COLUMNS, "--k-map", "4", "--population", "people.csv", "--out",
                             "x.csv")
        self.assertIn("the population is the table itself", message)

    def test_a_map_has_no_hash_of_the_table_and_is_its_owners(self):
        self.file("people.csv", PEOPLE)
        self.result("tables", "explore", "people.csv", *COLUMNS, "--ks", "3,5", "--methods", "mondrian", "--out", "map")
        for name in ("ru-map.json", "ru-map.csv", "ru-map.svg"):
            path = self.path / "map" / name
            self.assertNotIn(hashlib.sha256(PEOPLE.encode()).hexdigest(), path.read_text())
            self.assertEqual(stat.S_IMODE(path.stat().st_mode), 0o600, name)

    def test_a_ledger_has_no_hash_of_a_report_about_the_original(self):
        self.release()
        self.result("report", "out.csv", "--out", "r.html")
        self.result("ledger", "init", "l.ledger")
        self.result("ledger", "add", "l.ledger", "out.csv", "--report", "r.html", "--max-breach", "1")
        self.assertNotIn(hashlib.sha256((self.path / "r.html").read_bytes()).hexdigest(), (self.path / "l.ledger").read_text())
        self.assertIn("report", self.result("ledger", "show", "l.ledger", "1")["body"])

    def test_it_lies_beside_the_file_that_a_link_leads_to_and_protect_says_where(self):
        self.file("vault/people.csv", PEOPLE)
        (self.path / "desk").mkdir()
        (self.path / "desk/people.csv").symlink_to("../vault/people.csv")
        result = self.result("tables", "protect", "desk/people.csv", *COLUMNS, "--k", "5", "--out", "out.csv")
        kept = self.path / "vault" / HIDDEN / f"{self.manifest('out.csv')['private']}.json"
        self.assertTrue(kept.exists())
        self.assertEqual(pathlib.Path(self.path, result["private_manifest"]).resolve(), kept.resolve())
        self.assertFalse((self.path / "desk/.pratique").exists())
        self.assertTrue(self.result("repeat", "out.csv")["same"])
        shown = self.run_program("tables", "protect", "desk/people.csv", *COLUMNS, "--k", "5", "--out", "two.csv")
        self.assertIn("private manifest", shown.stdout.decode())

    def test_a_private_folder_inside_the_release_s_is_refused_unless_the_original_is_there(self):
        self.file("data/people.csv", PEOPLE)
        (self.path / "release").mkdir()
        for inside in ("release/safe", "release/a/../b/c", "release"):
            message = self.error("tables", "protect", "data/people.csv", *COLUMNS, "--k", "5", "--out", "release/out.csv",
                                 "--private", inside)
            self.assertIn("beside the release", message)
        self.result("tables", "protect", "data/people.csv", *COLUMNS, "--k", "5", "--out", "data/out.csv", "--private",
                    "data/safe")

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

    @unittest.skipIf(os.geteuid() != 0, "only root can give a folder away")
    def test_a_hidden_folder_of_somebody_else_s_gets_nothing(self):
        self.file("people.csv", PEOPLE)
        (self.path / ".pratique").mkdir()
        os.chown(self.path / ".pratique", 4711, -1)
        self.release()
        self.assertEqual(list((self.path / ".pratique").iterdir()), [])

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
        # Only what whoever has the release can find in it.
        self.assertEqual(({attack["before"] for attack in handed_out["attacks"]}, handed_out["metrics"]), ({None}, []))
        self.assertEqual(handed_out["standing"], "holds")
        self.private("out.csv").rename(self.path / "elsewhere.json")
        without = reported()
        self.assertEqual({attack["before"] for attack in without["attacks"]}, {None})
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
        self.result("ledger", "add", "l.ledger", "a.csv", "--max-breach", "1")
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
        self.result("ledger", "add", "m.ledger", "a.csv", "--max-breach", "1")
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
            for column in entry["values"]:
                for marks in (column["values"], column.get("beginnings", {})):
                    marks.pop("marks", None)
        self.assertEqual(*entries)

    def test_a_ledger_does_not_guess_whose_a_release_is(self):
        self.release("a.csv")
        (self.path / ".pratique").rename(self.path / "gone")
        self.result("ledger", "init", "l.ledger")
        message = self.error("ledger", "add", "l.ledger", "a.csv")
        self.assertIn("--population", message)
        self.assertIn("--private", message)
        self.result("ledger", "add", "l.ledger", "a.csv", "--population", "clinic", "--people", "people.csv", "--max-breach", "1")

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
