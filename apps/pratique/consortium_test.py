#!/usr/bin/env python3
"""consortium as its participants meet it, each in its own process. Run by ctest as: consortium_test.py PROGRAM"""
import collections
import hashlib
import json
import os
import random
import signal
import socket
import stat
import subprocess
import time
import unicodedata
import unittest

from manifest_schema import SCHEMA, problems
from program_in_folder import PROGRAM, ProgramInFolder

KEYS = {"protocol", "sites", "k", "disclosed", "checks", "operations", "bytes", "seconds"}


def free_ports(count):
    """Free now, side by side."""
    while True:
        first = random.randrange(20000, 32000)
        sockets = []
        try:
            for port in range(first, first + count):
                sockets.append(socket.socket())
                sockets[-1].bind(("127.0.0.1", port))
            return first
        except OSError:
            continue
        finally:
            for one in sockets:
                one.close()


class ConsortiumTest(ProgramInFolder):
    def init(self, sites=4, *options, out="C", k=5, wait=30):
        names = [f"H{i + 1}" for i in range(sites)]
        self.result("consortium", "init", "--sites", ",".join(names), "--k", str(k), "--out", out,
                    "--port", str(free_ports(sites + 1)), "--wait", str(wait), "--step", str(wait), *options)
        return names

    def world(self, names, people=120, chance=0.4, seed=1):
        """Person i has sample i."""
        source = random.Random(seed)
        lists = {name: [] for name in names}
        for i in range(people):
            for name in [name for name in names if source.random() < chance] or [source.choice(names)]:
                lists[name].append(i)
        for name, held in lists.items():
            self.file(f"data/{name}/identified.csv", "element\n" + "".join(f"person {i}\n" for i in held))
            self.file(f"data/{name}/deidentified.csv", "element\n" + "".join(f"sample {i}\n" for i in held))

    def elements(self, name):
        return [row["element"] for row in self.rows(name)]

    def start(self, *words):
        return subprocess.Popen([PROGRAM, "consortium", *words, "--json"], env=self.environment, cwd=self.path,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def start_all(self, names, config="C/consortium.yaml", without=()):
        processes = {"A": self.start("authority", "--config", config, "--name", "A")}
        for name in names:
            processes[name] = self.start(
                "site", "--config", config, "--name", name, "--identified", f"data/{name}/identified.csv",
                "--deidentified", f"data/{name}/deidentified.csv", "--out", f"{name}.csv")
        for name in without:
            processes[name].kill()
            processes.pop(name).communicate()
        return processes

    def end(self, processes, timeout=60):
        """Exit code, result and words of each."""
        ended = {}
        try:
            for name, process in processes.items():
                out, words = process.communicate(timeout=timeout)
                ended[name] = (process.returncode, json.loads(out) if out else None, words)
        finally:
            for process in processes.values():
                if process.poll() is None:
                    process.kill()
                    process.communicate()
        return ended

    def trails(self, names, side="deidentified"):
        trails = collections.defaultdict(list)
        for name in names:
            for element in self.elements(f"data/{name}/{side}.csv"):
                trails[element].append(name)
        return trails

    def in_the_clear(self, names, result, method, k=5):
        """What trails protect --secure discloses, by site and trail."""
        for side in ("identified", "deidentified"):
            self.file(f"{side}.csv", "location,element\n" + "".join(
                f"{name},{element}\n" for name in reversed(names) for element in self.elements(f"data/{name}/{side}.csv")))
        self.result("trails", "protect", "--secure", "--identified", "identified.csv", "--deidentified",
                    "deidentified.csv", "--reserved", "deidentified", "--method", method, "--k", str(k),
                    "--seed", str(result["seed"]), "--out", "clear.csv")
        trails = self.trails(names)
        return collections.Counter((row["location"], tuple(trails[row["element"]])) for row in self.rows("clear.csv"))

    def disclosed(self, names, path):
        trails = self.trails(names)
        return collections.Counter((name, tuple(trails[element])) for name in names
                                   for element in self.elements(path.format(name)))

    def test_run_writes_what_trails_protect_would(self):
        for method in ("greedy", "force", "best"):
            names = self.init(4, "--method", method, out=method)
            self.world(names)
            result = self.result("consortium", "run", "--config", f"{method}/consortium.yaml", "--data", "data")
            self.assertLessEqual(KEYS, set(result))
            self.assertEqual((result["protocol"], result["sites"], result["k"]), ("proven", 4, 5))
            self.assertTrue(all(check["held"] for check in result["checks"]))
            self.assertGreaterEqual(result["operations"], result["least_operations"])
            written = self.disclosed(names, "data/{}/disclosed.csv")
            self.assertEqual(sum(written.values()), result["disclosed"])
            self.assertGreater(result["disclosed"], 0)
            self.assertEqual(written, self.in_the_clear(names, result, method))

    def test_spellings_of_a_name_are_one_person(self):
        # Spelt twice by every site, or by each site in its own way: k counts people, as in the clear.
        spellings = ["Ann\u00e1{} Meier", "ANNA{} MEIER", " anna{}  meier "]
        names = self.init(3, k=3)
        source = random.Random(1)
        lists = {name: ([], []) for name in names}
        for i in range(40):
            for place, name in enumerate(name for name in names if source.random() < 0.6):
                people, samples = lists[name]
                spelt = spellings[:2] if i % 4 == 0 else [spellings[(i + place) % 3]]
                people += [spelling.format(i) for spelling in spelt]
                samples += [f"sample {i}"] if i % 5 else []
        for name, (people, samples) in lists.items():
            self.file(f"data/{name}/identified.csv", "element\n" + "".join(f"{person}\n" for person in people))
            self.file(f"data/{name}/deidentified.csv", "element\n" + "".join(f"{sample}\n" for sample in samples))
        result = self.result("consortium", "run", "--config", "C/consortium.yaml", "--data", "data")
        self.assertGreater(result["disclosed"], 0)
        self.assertEqual(self.disclosed(names, "data/{}/disclosed.csv"), self.in_the_clear(names, result, "greedy", k=3))
        for view in ("external", "central", "contributor"):
            submitted = [] if view == "external" else ["--submitted", "data/*/deidentified.csv"]
            verified = self.result("trails", "verify", "--identified", "data/*/identified.csv", "--deidentified",
                                   "data/*/disclosed.csv", "--reserved", "deidentified", "--k", "3", "--view", view, *submitted)
            self.assertTrue(verified["holds"], view)

    def test_processes_of_their_own(self):
        names = self.init(3, k=3)
        self.world(names)
        ended = self.end(self.start_all(names))
        for name, (code, result, words) in ended.items():
            self.assertEqual(code, 0, f"{name}: {words}")
            self.assertLessEqual(KEYS, set(result))
            self.assertEqual(result["session"], ended["A"][1]["session"])
        self.assertEqual(sum(ended[name][1]["disclosed"] for name in names), ended["A"][1]["disclosed"])
        self.assertEqual(self.disclosed(names, "{}.csv"), self.in_the_clear(names, ended["A"][1], "greedy", k=3))
        # Each list with its manifest, for its owner alone, and signed by the authority.
        for name in names:
            self.assertEqual(stat.S_IMODE(os.stat(self.path / f"{name}.csv").st_mode), 0o600)
            verified = self.result("verify", f"{name}.csv")
            self.assertTrue(verified["holds"])
            self.assertEqual(verified["claims"][0]["standing"], "attested")
            self.assertIn("--authority", verified["note"])
            self.assertNotIn("--authority", self.result("verify", f"{name}.csv", "--authority", "C/A.pem")["note"])
            # What decided ties would let a site run the method again; only the authority knows.
            self.assertNotIn("seed", ended[name][1])
            self.assertEqual(json.loads((self.path / f"{name}.csv.manifest.json").read_text())["seed"], 0)
            self.assertNotIn(str(ended["A"][1]["seed"]), (self.path / f"{name}.csv.manifest.json").read_text())
            # How many samples the site has is nobody else's business: it is in no file that leaves with the list.
            self.assertNotIn("submitted", (self.path / f"{name}.csv.manifest.json").read_text())

    def test_outcome_is_unlinkable_for_every_view(self):
        names = self.init(4)
        self.world(names, people=200)
        self.result("consortium", "run", "--config", "C/consortium.yaml", "--data", "data")
        lists = {side: ["--" + side, f"data/*/{side}.csv"] for side in ("identified", "deidentified")}
        del lists["deidentified"]
        for view in ("external", "central", "contributor"):
            submitted = [] if view == "external" else ["--submitted", "data/*/deidentified.csv"]
            result = self.result("trails", "verify", *lists["identified"], "--deidentified", "data/*/disclosed.csv",
                                 "--reserved", "deidentified", "--k", "5", "--view", view, *submitted)
            self.assertGreaterEqual(result["k"] or 5, 5, view)

    def test_a_changed_list_or_statement_does_not_verify(self):
        names = self.init(2, k=2)
        self.world(names, people=40, chance=0.7)
        self.result("consortium", "run", "--config", "C/consortium.yaml", "--data", "data")
        path = self.path / "data/H1/disclosed.csv"
        manifest_path = self.path / "data/H1/disclosed.csv.manifest.json"
        before = path.read_text()
        manifest = json.loads(manifest_path.read_text())
        self.assertEqual(list(problems(manifest, SCHEMA)), [])
        self.assertTrue(self.result("verify", "data/H1/disclosed.csv")["holds"])
        # Another sample for one of these, with every hash of the manifest set right again.
        changed = before.replace(before.split("\n")[1], "sample 99999", 1)
        path.write_text(changed)
        self.assertFalse(self.result("verify", "data/H1/disclosed.csv", exit_code=1)["holds"])
        for output in [manifest["output"], *manifest["outputs"]]:
            output["sha256"] = hashlib.sha256(changed.encode()).hexdigest()
            output["bytes"] = len(changed.encode())
        manifest_path.write_text(json.dumps(manifest))
        result = self.result("verify", "data/H1/disclosed.csv", exit_code=1)
        self.assertIn("did not sign", result["claims"][0]["explanation"])
        # A larger k than the authority decided for.
        path.write_text(before)
        for output in [manifest["output"], *manifest["outputs"]]:
            output["sha256"] = hashlib.sha256(before.encode()).hexdigest()
            output["bytes"] = len(before.encode())
        manifest["claims"][0]["k"] = 7
        manifest_path.write_text(json.dumps(manifest))
        self.assertFalse(self.result("verify", "data/H1/disclosed.csv", exit_code=1)["holds"])

    def test_what_is_said_of_the_session_is_what_the_authority_signed(self):
        names = self.init(2, k=2)
        self.world(names, people=40, chance=0.7)
        self.result("consortium", "run", "--config", "C/consortium.yaml", "--data", "data")
        path = self.path / "data/H1/disclosed.csv.manifest.json"
        before = path.read_text()
        signed = json.loads(json.loads(before)["claims"][0]["statement"])
        verify = ("verify", "data/H1/disclosed.csv", "--authority", "C/A.pem")
        self.assertNotIn("contradictions", self.result(*verify))
        self.assertIn(signed["session"][:16], self.report())
        for part, name, other in (("parameters", "session", "5e55" * 16), ("parameters", "site", "H2"),
                                  ("parameters", "sites", ["H1"]), ("parameters", "protocol", "stranon"),
                                  ("parameters", "method", "best"), ("parameters", "coalition", 2),
                                  ("results", "disclosed", 1000), ("results", "sites", 40), ("results", "k", 3)):
            manifest = json.loads(before)
            self.assertNotEqual(manifest[part][name], other)
            manifest[part][name] = other
            path.write_text(json.dumps(manifest))
            result = self.result(*verify, exit_code=1)
            self.assertEqual(result["contradictions"], [f"the authority's statement has another {name}"])
            shown = self.report(exit_code=1)
            self.assertIn("contradicts itself", shown)
            self.assertIn(signed["session"][:16], shown)
            self.assertNotIn("5e555e55", shown)
        manifest = json.loads(before)
        manifest["claims"][0]["coalition"] = 2
        path.write_text(json.dumps(manifest))
        self.assertEqual(self.result(*verify, exit_code=1)["contradictions"],
                         ["the authority's statement has another coalition"])

    def report(self, exit_code=0):
        self.result("report", "data/H1/disclosed.csv", "--out", "report.html", "--force", exit_code=exit_code)
        return (self.path / "report.html").read_text()

    def test_a_list_that_another_authority_signed(self):
        names = self.init(2, k=2)
        self.init(2, out="D", k=2)
        self.world(names, people=40, chance=0.7)
        self.result("consortium", "run", "--config", "D/consortium.yaml", "--data", "data")
        verify = ("verify", "data/H1/disclosed.csv", "--authority")
        self.assertTrue(self.result(*verify, "D/A.pem")["holds"])
        refused = self.result(*verify, "C/A.pem", exit_code=1)
        self.assertFalse(refused["holds"])
        self.assertIn("not signed by the authority", refused["contradictions"][0])
        self.assertIn("certificate", self.error(*verify, "data/H1/identified.csv"))

    def test_keys_are_private_and_folders_are_never_overwritten(self):
        self.init(2, k=2)
        for key in (self.path / "C").glob("*.key"):
            self.assertEqual(stat.S_IMODE(os.stat(key).st_mode), 0o600, key)
        self.assertIn("already", self.error("consortium", "init", "--sites", "H1,H2", "--out", "C"))

    def test_sites_make_their_own_keys(self):
        self.result("consortium", "request", "--name", "H1", "--out", "h1")
        names = self.init(2, "--requests", "h1", k=2)
        self.assertFalse((self.path / "C/H1.key").exists())
        self.world(names, people=40, chance=0.7)
        self.file("C/H1.key", (self.path / "h1/H1.key").read_bytes())
        os.chmod(self.path / "C/H1.key", 0o600)
        self.assertGreater(self.result("consortium", "run", "--config", "C/consortium.yaml", "--data", "data")["disclosed"], 0)

    def test_bad_configuration_ends_with_2_before_any_data_is_sent(self):
        names = self.init(2, k=2)
        self.world(names, people=40, chance=0.7)
        good = (self.path / "C/consortium.yaml").read_text()
        config = "C/consortium.yaml"

        def refused(*words):
            return self.error("consortium", *(words or ("run", "--config", config, "--data", "data")))

        for before, after, said in (("sites: [H1, H2]", "sites: [H1, H1]", "two participants are called"),
                                    ("sites: [H1, H2]", "sites: [H1, h1]", "capitals do not count"),
                                    ("H2: 127.0.0.1:", "H2: nosuch.invalid:", "no address is known of 'nosuch.invalid'"),
                                    ("sites: [H1, H2]", "sites: [H1, ca]", "'ca'"),
                                    ("k: 2", "k: 1000", "no site has as many"),
                                    ("k: 2", "k: many", "whole number"),
                                    ("protocol: proven", "protocol: rsa", "protocol"),
                                    ("  H2: ", "  H9: ", "H9"),
                                    ("dates: keep", "colour: red", "colour")):
            self.file(config, good.replace(before, after))
            self.assertIn(said, refused())
        self.file(config, good)
        self.assertIn("H7", refused("site", "--config", config, "--name", "H7", "--identified", "data/H1/identified.csv",
                                    "--deidentified", "data/H1/deidentified.csv", "--out", "o.csv"))
        self.assertIn("consortium.yaml", refused("authority", "--config", "nowhere/consortium.yaml", "--name", "A"))
        # A port that somebody else has.
        port = int(good.split("A: 127.0.0.1:")[1].split()[0])
        with socket.socket() as taken:
            taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            taken.bind(("127.0.0.1", port))
            taken.listen()
            self.assertIn(str(port), refused("authority", "--config", config, "--name", "A"))
        # A certificate of another consortium, and one for another name.
        mine = (self.path / "C/H2.pem").read_text()
        self.result("consortium", "init", "--sites", "H1,H2", "--out", "D")
        self.file("C/H2.pem", (self.path / "D/H2.pem").read_text())
        self.assertIn("not signed by this consortium", refused())
        self.file("C/H2.pem", (self.path / "C/H1.pem").read_text())
        self.assertIn("not H2's", refused())
        self.file("C/H2.pem", mine)
        # Sites that do not agree, and a file that is none.
        self.file("C/other.yaml", good.replace("k: 2", "k: 3"))
        processes = self.start_all(["H1"])
        processes["H2"] = self.start("site", "--config", "C/other.yaml", "--name", "H2", "--identified",
                                     "data/H2/identified.csv", "--deidentified", "data/H2/deidentified.csv", "--out", "o.csv")
        for name, (code, result, words) in self.end(processes).items():
            self.assertEqual((code, result["error"]["exit"]), (2, 2), name)
            self.assertIn("H2 has another configuration", words)
        self.file("data/H1/identified.csv", "name\nx\n")
        self.assertIn("element", refused())

    def test_what_one_site_cannot_do_ends_it_for_all_at_once(self):
        names = self.init(3, k=2, wait=60)
        self.world(names, people=40, chance=0.7)
        run = ("consortium", "run", "--config", "C/consortium.yaml", "--data", "data")
        began = time.monotonic()
        people = (self.path / "data/H3/identified.csv").read_text()
        self.file("data/H3/identified.csv", "element\nperson 1\n")
        self.assertIn("H3 has more samples than people", self.error(*run))
        self.file("data/H3/identified.csv", people)
        port = int((self.path / "C/consortium.yaml").read_text().split("H2: 127.0.0.1:")[1].split()[0])
        with socket.socket() as taken:
            taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            taken.bind(("127.0.0.1", port))
            taken.listen()
            self.assertIn(f"port {port}", self.error(*run))
            for name, (code, result, words) in self.end(self.start_all(names)).items():
                self.assertEqual(code, 2, name)
                self.assertIn(f"port {port}", words)
        self.assertLess(time.monotonic() - began, 40)  # and not the minute that they would wait
        # Two sessions: the second says what both together tell.
        self.assertNotIn("earlier session", self.result(*run).get("note", ""))
        again = self.result(*run)
        self.assertIn("earlier session", again["note"])
        self.assertTrue(all("earlier session" in one["note"] for one in again["participants"]))

    def test_two_runs_over_one_folder_follow_each_other(self):
        names = self.init(3, k=2)
        self.init(3, out="D", k=3)
        self.world(names, people=200, chance=0.5)
        ended = self.end({config: self.start("run", "--config", f"{config}/consortium.yaml", "--data", "data") for config in "CD"})
        self.assertEqual([code for code, _, _ in ended.values()], [0, 0], ended)
        sessions = {json.loads((self.path / f"data/{name}/disclosed.csv.manifest.json").read_text())["parameters"]["session"]
                    for name in names}
        self.assertEqual(len(sessions), 1)  # and not some of one and some of the other

    def test_two_runs_of_one_consortium_follow_each_other(self):
        names = self.init(3, k=2)
        self.world(names, people=60, chance=0.6)
        for name in names:
            for side in ("identified", "deidentified"):
                self.file(f"other/{name}/{side}.csv", (self.path / f"data/{name}/{side}.csv").read_text())
        ended = self.end({data: self.start("run", "--config", "C/consortium.yaml", "--data", data) for data in ("data", "other")})
        self.assertEqual([code for code, _, _ in ended.values()], [0, 0], ended)
        for data, (_, result, _) in ended.items():
            for name in names:
                manifest = json.loads((self.path / data / name / "disclosed.csv.manifest.json").read_text())
                self.assertEqual(manifest["parameters"]["session"], result["session"])

    def test_run_replaces_its_own_lists_and_no_others(self):
        names = self.init(2, k=2)
        self.world(names, people=40, chance=0.7)
        run = ("run", "--config", "C/consortium.yaml", "--data", "data")
        for verb, name in (("run", "disclosed.csv"), ("union", "union.csv")):
            words = ("consortium", verb, *run[1:])
            self.file(f"data/H2/{name}", "my own notes\nof patients\n")
            self.assertIn("did not write", self.error(*words))
            self.assertEqual((self.path / f"data/H2/{name}").read_text(), "my own notes\nof patients\n")
            self.assertFalse((self.path / f"data/H1/{name}").exists())
            self.file(f"data/H2/{name}", "")
            self.result(*words)
            self.result(*words)

    def test_who_does_not_come_or_dies_ends_it_for_all(self):
        names = self.init(3, k=3, wait=2)
        self.world(names)
        began = time.monotonic()
        for name, (code, result, words) in self.end(self.start_all(names, without=["H2"])).items():
            self.assertEqual(code, 3, name)
            self.assertIn("H2", words)
        self.assertLess(time.monotonic() - began, 15)
        # As if the network were cut: it neither answers nor closes. It takes seconds to encrypt so many.
        self.world(names, people=6000, chance=0.7)
        processes = self.start_all(names)
        time.sleep(0.5)
        processes["H3"].send_signal(signal.SIGSTOP)
        began = time.monotonic()
        ended = self.end({name: process for name, process in processes.items() if name != "H3"})
        processes["H3"].kill()
        processes["H3"].communicate()
        self.assertEqual({code for code, _, _ in ended.values()}, {3})
        self.assertLess(time.monotonic() - began, 20)
        self.assertEqual(list(self.path.glob("H*.csv*")), [])

    def test_the_thesis_protocol_comes_to_the_same(self):
        names = self.init(3, "--protocol", "stranon", "--alpha", "2", "--beta", "5", "--lock", "20", k=3)
        self.world(names, people=60)
        result = self.result("consortium", "run", "--config", "C/consortium.yaml", "--data", "data")
        self.assertLessEqual(KEYS, set(result))
        self.assertEqual(result["protocol"], "stranon")
        self.assertLessEqual({"full key switch", "lock"}, {check["name"] for check in result["checks"] if check["held"]})
        self.assertEqual(self.disclosed(names, "data/{}/disclosed.csv"), self.in_the_clear(names, result, "greedy", k=3))
        self.assertTrue(self.result("verify", "data/H1/disclosed.csv")["holds"])

    def test_plan_is_the_least_that_is_sure_enough(self):
        plan = self.result("consortium", "plan", "--confidence", "0.99", "--participants", "10", "--per-site", "2000")
        # One round on 2,001 records misses one in 2,001; theorem 13 needs 99 dummies for each record that comes back.
        self.assertEqual((plan["alpha"], plan["beta"], plan["lock"]), (1, 0, 198000))
        self.assertEqual(plan["bandwidth"], 10 * (2 * 2001 * 9 + 2 * 200000 * 9 + 2001 + 200000 + 198000 + 2 * 2001 * 9))
        small = self.result("consortium", "plan", "--confidence", "0.999", "--participants", "2", "--per-site", "3,40")
        self.assertEqual([site["records"] for site in small["plan"]], [3, 40])
        for site in small["plan"]:
            self.assertGreaterEqual(site["key_switch_found"], 0.999)
        self.error("consortium", "plan", "--confidence", "1")

    def test_union_is_what_sites_have_without_whose_it_is(self):
        self.init(3, k=2)
        lists = {"H1": ["Ann", "Bob", "Cem"], "H2": ["bob ", "Bob", "Cem", "Dan, Jr."], "H3": ["Cem", "Bob", "Eve\u0301"]}
        for name, elements in lists.items():
            self.file(f"data/{name}/deidentified.csv", "element\n" + "".join(f'"{element}"\n' for element in elements))
        union = ["consortium", "union", "--config", "C/consortium.yaml", "--data", "data"]
        result = self.result(*union)
        self.assertLessEqual(KEYS, set(result))
        everything = sorted(["Ann", "Bob", "Cem", "bob", "Dan, Jr.", "Ev\u00e9"])
        self.assertEqual(result["disclosed"], len(everything))
        for name in lists:
            self.assertEqual(sorted(self.elements(f"data/{name}/union.csv")), everything)
            self.assertEqual(stat.S_IMODE(os.stat(self.path / f"data/{name}/union.csv").st_mode), 0o600)
        self.assertEqual(self.result(*union, "--of", "common", "--minimum", "2")["disclosed"], 2)
        self.assertEqual(sorted(self.elements("data/H2/union.csv")), ["Bob", "Cem"])
        # Too few: nothing is told, and what is there stays.
        refused = self.result(*union, "--of", "common", "--minimum", "3", exit_code=1)
        self.assertEqual([check["name"] for check in refused["checks"] if not check["held"]], ["minimum"])
        # What went before it is told, too.
        self.assertLessEqual({"keys", "agreement"}, {check["name"] for check in refused["checks"] if check["held"]})
        self.assertGreater(refused["bytes"], 0)
        self.assertEqual((refused["disclosed"], len(refused["session"])), (0, 64))
        # That it was too few is an answer, too: it was the third, and there are no more.
        self.assertEqual(sorted(self.elements("data/H2/union.csv")), ["Bob", "Cem"])
        self.assertIn("quota", self.error(*union))

    def test_each_takes_part_in_a_union_in_its_own_house(self):
        names = self.init(3, k=2)
        lists = {"H1": ["Ann", "Bob"], "H2": ["Bob", "Cem"], "H3": ["Bob", "Eve"]}
        for name, elements in lists.items():
            self.file(f"{name}.list.csv", "element\n" + "".join(f"{element}\n" for element in elements))

        def start(name, *options):
            return self.start("union", "--config", "C/consortium.yaml", "--name", name, *options, *(
                [] if name == "A" else ["--elements", f"{name}.list.csv", "--out", f"{name}.csv"]))

        ended = self.end({name: start(name, "--of", "common") for name in ("A", *names)})
        for name, (code, result, words) in ended.items():
            self.assertEqual((code, result["disclosed"]), (0, 1), words)
        for name in names:
            self.assertEqual(self.elements(f"{name}.csv"), ["Bob"])
        # Who asks for something else is refused before anything is sent.
        ended = self.end({name: start(name, *(["--of", "common"] if name == "H2" else [])) for name in ("A", *names)})
        for name, (code, result, words) in ended.items():
            self.assertEqual(code, 2, name)
            self.assertIn("another configuration", words)
        self.assertIn("--data", self.error("consortium", "union", "--config", "C/consortium.yaml"))

    def test_lists_as_strangers_write_them(self):
        names = self.init(3, k=2)
        held = {"H1": range(0, 20), "H2": range(5, 25), "H3": ()}
        for name, numbers in held.items():
            people, samples = ([f"Zo\u00eb  M\u00fcller {i}" for i in numbers], [f"S{i}" for i in numbers])
            if name == "H1":  # with a mark, CRLF, blank lines, and some twice
                people = [*people[:3], "", *people, "", ""]
                samples = [*samples, samples[0], "  "]
                self.file(f"data/{name}/identified.csv", ("\ufeffelement\r\n" + "".join(f"{x}\r\n" for x in people)).encode())
                self.file(f"data/{name}/deidentified.csv", ("element\r\n" + "".join(f"{x}\r\n" for x in samples)).encode())
                continue
            people = [unicodedata.normalize("NFD", x.replace("  ", " ")) for x in people]
            self.file(f"data/{name}/identified.csv", "element\n" + "".join(f"{x}\n" for x in people))
            self.file(f"data/{name}/deidentified.csv", "element\n" + "".join(f"{x}\n" for x in samples))
        result = self.result("consortium", "run", "--config", "C/consortium.yaml", "--data", "data")
        self.assertEqual([one["submitted"] for one in result["participants"] if one["name"] != "A"], [20, 20, 0])
        self.assertEqual(self.elements("data/H3/disclosed.csv"), [])  # a site with nothing takes part all the same
        disclosed = [element for name in names for element in self.elements(f"data/{name}/disclosed.csv")]
        self.assertGreater(len(disclosed), 0)
        self.assertLessEqual(set(disclosed), {f"S{i}" for i in range(25)})
        # A row of somebody without a name is another matter.
        self.file("data/H1/identified.csv", "element,ward\nAnn,1\n,2\n")
        self.assertIn("no element", self.error("consortium", "run", "--config", "C/consortium.yaml", "--data", "data"))

    def test_finish_needs_something_to_finish(self):
        self.init(2, k=2)
        self.assertIn("did not finish", self.error("consortium", "finish", "--config", "C/consortium.yaml", "--name", "H1"))

    def test_a_site_that_withholds_samples_gains_nothing(self):
        names = self.init(3, k=4)
        self.world(names, people=60, chance=0.5)
        full = {name: self.elements(f"data/{name}/deidentified.csv") for name in names}
        for name, held in full.items():
            self.file(f"full/{name}/deidentified.csv", "element\n" + "".join(f"{element}\n" for element in held))
        withheld = full["H2"][9:]
        self.file("data/H2/deidentified.csv", "element\n" + "".join(f"{element}\n" for element in withheld))
        self.assertGreater(self.result("consortium", "run", "--config", "C/consortium.yaml", "--data", "data")["disclosed"], 0)
        self.file("truth.csv", "deidentified,identified\n" + "".join(
            f"{sample},{sample.replace('sample', 'person')}\n" for sample in {sample for held in full.values() for sample in held}))
        result = self.result("trails", "verify", "--identified", "data/*/identified.csv", "--deidentified",
                             "data/*/disclosed.csv", "--reserved", "deidentified", "--k", "4", "--view", "contributor",
                             "--submitted", "full/*/deidentified.csv", "--truth", "truth.csv")
        self.assertTrue(result["holds"])

    def test_two_sites_that_pool_what_they_know(self):
        names = self.init(4, "--coalition", "2", k=3)
        self.world(names, people=150, chance=0.3)
        result = self.result("consortium", "run", "--config", "C/consortium.yaml", "--data", "data")
        self.assertGreater(result["disclosed"], 0)
        verified = self.result("trails", "verify", "--identified", "data/*/identified.csv", "--deidentified",
                               "data/*/disclosed.csv", "--reserved", "deidentified", "--k", "3", "--view", "contributor",
                               "--coalition", "2", "--submitted", "data/*/deidentified.csv")
        self.assertTrue(verified["holds"])

    def test_help_says_what_scripts_rely_on(self):
        for verb in ("init", "authority", "site", "run", "union", "plan", "request", "finish"):
            self.assertEqual(self.run_program("consortium", verb, "--help").returncode, 0)


if __name__ == "__main__":
    unittest.main()
