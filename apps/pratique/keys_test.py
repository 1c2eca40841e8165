#!/usr/bin/env python3
"""apps/pratique/keys_test.py PROGRAM: secret keys and ledgers are neither read as data nor overwritten, and files that
name people are only for their owner."""
import json
import os
import subprocess
import unittest

from program_in_folder import PROGRAM, ProgramInFolder
from serve_test import WithServer

IS_A_KEY = "this is a secret key, which is never read as data"
PSEUDONYM_KEY = "pratique key 1 " + "0123456789abcdef" * 4 + "\n"
PEOPLE = "name,age\nAda,30\nBob,30\nCyd,40\nDan,40\n"


class NeverData(ProgramInFolder):
    def setUp(self):
        super().setUp()
        self.result("ledger", "init", "l.ledger")
        self.file("p.key", PSEUDONYM_KEY)
        self.file("t.csv", PEOPLE)
        self.file("renamed.csv", (self.path / "l.ledger.key").read_bytes())

    def test_every_way_to_name_a_file(self):
        protect = ("tables", "protect", "t.csv", "--id", "name", "--qi", "age", "--k", "2", "--out", "o.csv")
        for key in ("l.ledger.key", "p.key", "renamed.csv"):
            self.file("c.yaml", f"hierarchies: {{age: {key}}}\n")
            self.file("r.csv.manifest.json", (self.path / key).read_bytes())
            self.file("r.csv", "a\n1\n")
            for words in (("tables", "profile", key),
                          ("tables", "rows", key),
                          (*protect, "--config", key),
                          (*protect, "--config", "c.yaml"),
                          (*protect, "--hierarchy", "age=" + key),
                          (*protect, "--queries", key),
                          (*protect, "--population", key),
                          ("codes", "assess", key),
                          ("trails", "attack", "--identified", key[:-1] + "*", "--deidentified", key[:3] + "*"),
                          ("verify", "r.csv"),
                          ("repeat", "r.csv"),
                          ("ledger", "verify", key)):
                with self.subTest(words=words):
                    self.assertIn(IS_A_KEY, self.error(*words))

    def test_nor_from_standard_input(self):
        for key in ("l.ledger.key", "p.key"):
            text = (self.path / key).read_bytes()
            self.assertIn(IS_A_KEY, self.error("tables", "profile", "-", input=text))
            with open(self.path / key) as file:
                self.assertIn(IS_A_KEY, self.error("tables", "profile", "/dev/stdin", stdin=file))

    def test_whoever_signs_still_reads_it(self):
        self.result("tables", "protect", "t.csv", "--id", "name", "--qi", "age", "--k", "2", "--out", "o.csv")
        self.result("ledger", "add", "l.ledger", "o.csv")


class NeverOverwritten(ProgramInFolder):
    def setUp(self):
        super().setUp()
        self.file("t.csv", PEOPLE)

    def protect(self, out, *more):
        return ("tables", "protect", "t.csv", "--id", "name", "--qi", "age", "--k", "2", "--out", out, *more)

    def pseudonyms(self, key, out):
        return self.protect(out, "--identifiers", "pseudonym", "--key", key)

    def test_the_key_is_not_the_release(self):
        for key, out in (("kk", "kk"), ("./kk", "kk"), ("k2.manifest.json", "k2")):
            self.assertIn("the same file", self.error(*self.pseudonyms(key, out)))

    def test_nothing_replaces_a_key_or_a_ledger(self):
        self.result(*self.pseudonyms("kk", "o.csv"))
        self.result(*self.pseudonyms("k2.manifest.json", "o2.csv"))
        self.result("ledger", "init", "l.ledger")
        self.result("ledger", "init", "rel.csv.manifest.json", "--key", "r.key")
        guarded = ("kk", "k2.manifest.json", "l.ledger", "l.ledger.key", "rel.csv.manifest.json", "r.key")
        before = {name: (self.path / name).read_bytes() for name in guarded}
        os.symlink("kk", self.path / "link")
        for name in (*guarded, "link", "k2", "rel.csv"):
            self.assertIn("this would overwrite a ", self.error(*self.protect(name)))
        self.file("i.csv", "location,element\na,Ada\nb,Ada\na,Bob\n")
        attack = ("trails", "attack", "--identified", "i.csv", "--deidentified", "i.csv", "--element", "element")
        for words in ((*attack, "--out", "kk"), (*attack, "--partners", "l.ledger"),
                      ("trails", "resolve", "i.csv", "--fields", "element", "--out", "kk"),
                      ("ledger", "export", "l.ledger", "--out", "kk"),
                      ("generate", "census", "--rows", "10", "--out", "l.ledger")):
            self.error(*words)
        self.assertEqual(before, {name: (self.path / name).read_bytes() for name in guarded})

    def test_processes_that_start_together_share_the_key(self):
        for turn in range(15):
            key, outs = f"key-{turn}", [f"{turn}-{i}.csv" for i in range(2)]
            running = [subprocess.Popen([PROGRAM, *self.pseudonyms(key, out)], cwd=self.path, env=self.environment,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) for out in outs]
            for process in running:
                error = process.communicate()[1]
                self.assertEqual(process.returncode, 0, error)
            self.assertEqual((self.path / key).stat().st_mode & 0o777, 0o600)
            self.result(*self.pseudonyms(key, "kept.csv"))
            used = {json.loads((self.path / f"{out}.manifest.json").read_text())["parameters"]["key_fingerprint"]
                    for out in (*outs, "kept.csv")}
            self.assertEqual(len(used), 1)


class PeopleInFiles(ProgramInFolder):
    def mode(self, name):
        return (self.path / name).stat().st_mode & 0o777

    def test_who_may_read_what_is_written(self):
        self.addCleanup(os.umask, os.umask(0o022))
        self.file("i.csv", "location,element\na,Ada\nb,Ada\na,Bob\n")
        self.file("d.csv", "location,element\na,1\nb,1\na,2\n")
        attack = ("trails", "attack", "--identified", "i.csv", "--deidentified", "d.csv", "--element", "element")
        self.result(*attack, "--out", "links.csv", "--partners", "partners.csv", "--by-rank", "up")
        self.result(*attack, "--out", "links.parquet")
        self.result(*attack, "--errors", "0.01", "--out", "probable.csv", "--seed", "1")
        self.file("r.csv", "location,first,last\n" + "".join(f"a,Ada{i},L{i}\nb,Ada{i},L{i}\n" for i in range(30)))
        self.result("trails", "resolve", "r.csv", "--fields", "first,last", "--out", "persons.csv", "--seed", "1")
        for name in ("links.csv", "partners.csv", "links.parquet", "probable.csv", "persons.csv"):
            self.assertEqual(self.mode(name), 0o600, name)
        self.file("t.csv", PEOPLE)
        self.result("tables", "protect", "t.csv", "--id", "name", "--qi", "age", "--k", "2", "--out", "o.csv")
        self.result("report", "o.csv", "--out", "o.html")
        self.assertEqual(self.mode("o.html"), 0o600)  # it has figures about the original
        self.result("report", "o.csv", "--public", "--out", "o.html")
        for name in ("links.by-rank.csv", "o.csv", "o.csv.manifest.json", "o.html"):
            self.assertEqual(self.mode(name), 0o644, name)


class Workbench(WithServer):
    def setUp(self):
        super().setUp()
        self.assertEqual(self.server.run("ledger/init", ["l.ledger"])["state"], "done")
        (self.data / "t.csv").write_text(PEOPLE)
        (self.data / "p.key").write_text(PSEUDONYM_KEY)
        (self.data / "p.key").chmod(0o600)
        self.keys = {name: (self.data / name).read_bytes() for name in ("l.ledger.key", "p.key")}
        self.addCleanup(self.check_keys)

    def check_keys(self):
        for name, text in self.keys.items():
            self.assertEqual((self.data / name).read_bytes(), text)

    def check_refused(self, path, inputs=(), **options):
        """Before there is a job or by the job; nothing it wrote or said has a line of a key."""
        status, job = self.server.ask("POST", path, {"inputs": list(inputs), "options": options})
        if status == 202:
            job = self.server.wait(job)
            self.assertEqual(job["state"], "failed", job)
            self.assertIn(IS_A_KEY, json.dumps(job["problem"]))
        else:
            self.assertEqual(status, 422, job)
        secrets = [line for text in self.keys.values() for line in text.decode().splitlines() if len(line) > 40]
        for file in self.data.rglob("*"):
            asked = ".pratique" in file.parts  # has the words of the request
            if file.is_file() and file.name not in self.keys and not asked:
                text = file.read_bytes().decode(errors="replace")
                self.assertFalse([line for line in secrets if line in text], file)

    def test_no_pattern_gives_out_a_key(self):
        for pattern, element in (("l.ledger.ke*", "-----BEGIN PRIVATE KEY-----"), ("p.k*", PSEUDONYM_KEY.strip())):
            self.check_refused("trails/attack", identified=pattern, deidentified=pattern, element=[element],
                               partners="pp.csv", delimiter=",")
            self.assertEqual(self.server.ask("GET", "files/pp.csv")[0], 404)

    def test_no_settings_give_out_a_key(self):
        for key in self.keys:
            self.server.ask("PUT", "files/c.yaml?replace=1", f"hierarchies: {{age: {key}}}\n")
            self.check_refused("tables/protect", ["t.csv"], id=["name"], qi=["age"], k=2, out="o.csv", config="c.yaml")

    def test_no_manifest_gives_out_a_key(self):
        ran = self.server.run("tables/protect", ["t.csv"], id=["name"], qi=["age"], k=2, out="o.csv")
        self.assertEqual(ran["state"], "done")
        manifest = (self.data / "o.csv.manifest.json").read_text()
        for key in self.keys:
            self.server.ask("PUT", "files/m.csv.manifest.json?replace=1", manifest.replace("t.csv", key))
            status, job = self.server.ask("POST", "repeat", {"inputs": ["m.csv.manifest.json"]})
            self.assertEqual(status, 202, job)
            self.assertEqual(self.server.wait(job)["state"], "failed")

    def test_a_key_for_pseudonyms_is_out_of_reach(self):
        ask = self.server.ask
        self.assertEqual([file["path"] for file in ask("GET", "files")[1]], ["l.ledger", "t.csv"])
        for path in ("files/", "rows/", "distributions/"):
            self.assertEqual(ask("GET", path + "p.key")[0], 404, path)
        self.assertEqual(ask("DELETE", "files/p.key")[0], 404)
        self.assertEqual(ask("PUT", "files/p.key?replace=1", "a\n1\n")[0], 409)
        self.assertEqual(ask("PUT", "files/mine.csv", PSEUDONYM_KEY)[0], 422)
        self.check_refused("tables/rows", ["p.key"])
        self.check_refused("tables/protect", ["t.csv"], qi=["age"], k=2, out="p.key")
        ran = self.server.run("tables/protect", ["t.csv"], id=["name"], qi=["age"], k=2, out="o.csv",
                              identifiers="pseudonym", key="p.key")
        self.assertEqual(ran["state"], "done", ran)

    def test_no_manifest_overwrites_a_ledger_or_key(self):
        self.assertEqual(self.server.run("ledger/init", ["rel.csv.manifest.json"], key="k.csv.manifest.json")["state"],
                         "done")
        for out in ("rel.csv", "k.csv"):
            guarded = self.data / (out + ".manifest.json")
            before = guarded.read_bytes()
            ended = self.server.run("tables/protect", ["t.csv"], id=["name"], qi=["age"], k=2, out=out)
            self.assertEqual(ended["state"], "failed", ended)
            self.assertIn("this would overwrite a ", json.dumps(ended["problem"]))
            self.assertEqual(guarded.read_bytes(), before)
            self.assertFalse((self.data / out).exists())

    def test_no_link_leads_to_the_state(self):
        os.symlink(".pratique", self.data / "state")
        os.symlink(".pratique/token", self.data / "token.csv")
        ask = self.server.ask
        self.assertEqual([file["path"] for file in ask("GET", "files")[1]], ["l.ledger", "t.csv"])
        for name in ("state/token", "token.csv"):
            for path in ("files/", "rows/", "distributions/"):
                self.assertEqual(ask("GET", path + name)[0], 404, path + name)
            for method in ("DELETE", "PUT"):
                self.assertEqual(ask(method, f"files/{name}?replace=1", "a\n")[0], 400, name)
            self.assertEqual(ask("POST", "tables/rows", {"inputs": [name]})[0], 400, name)
        self.assertEqual((self.data / ".pratique/token").read_text(), self.server.token)


class StateFolder(ProgramInFolder):
    def refusal(self):
        done = self.run_program("serve", "--port", "0", "--data", str(self.path / "data"))
        self.assertEqual(done.returncode, 2, done.stderr)
        return done.stderr.decode()

    def test_is_no_link_and_its_owners(self):
        (self.path / "data").mkdir()
        (self.path / "elsewhere").mkdir()
        state = self.path / "data/.pratique"
        os.symlink("../elsewhere", state)
        self.assertIn("the folder for the state of jobs is a link", self.refusal())
        self.assertEqual(list((self.path / "elsewhere").iterdir()), [])
        state.unlink()
        state.mkdir()
        if os.geteuid() != 0:
            self.skipTest("only root can give a folder away")
        os.chown(state, 12345, 12345)
        self.assertIn("belongs to somebody else", self.refusal())


del WithServer  # its tests are those of its descendants

if __name__ == "__main__":
    unittest.main()
