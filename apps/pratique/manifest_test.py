#!/usr/bin/env python3
"""Manifests as the program writes them, held against docs/manifest.schema.json. Run by ctest as: manifest_test.py PROGRAM"""
import copy
import hashlib
import json
import os
import subprocess
import unittest

from manifest_schema import SCHEMA, problems
from releases_in_folder import COLUMNS, ReleasesInFolder


class ManifestTest(ReleasesInFolder):
    def manifest(self, release):
        return json.loads((self.path / f"{release}.manifest.json").read_text())

    def write(self, release, manifest):
        (self.path / f"{release}.manifest.json").write_text(json.dumps(manifest))

    def as_format_1(self, release):
        """As versions before 0.2 wrote it."""
        manifest = self.as_format_2(release)
        for key in ("format", "kind", "verb", "options", "outputs", "figures"):
            del manifest[key]
        for key in ("centre", "time_limit", "patient", "code", "recoding", "diversity", "distance", "delimiter", "encoding",
                    "format", "reserved", "auxiliary_key"):
            manifest["parameters"].pop(key, None)
        if manifest["output"]["format"] != "sets":
            del manifest["output"]["format"]
        for claim in manifest["claims"]:
            del claim["standing"]
            claim.pop("confidence", None)
        self.write(release, manifest)

    def test_manifests_of_every_kind_keep_to_the_schema(self):
        releases = self.release_of_each_kind()
        self.release("chance.csv", "--rho", "0.3:0.8@illness", "--allow", "illness")
        self.release("settings.parquet", "--hierarchy", "sex=" + self.file("sexes.csv", "F;anybody\nM;anybody\n"))
        self.file("sets.dat", "a b\nb a\na\na\n")
        self.result("codes", "protect", "sets.dat", "--k", "2", "--m", "1", "--method", "suppress", "--out", "sets.out")
        expected = {"out.csv": ("tables", "protect", "csv"), "codes-out.csv": ("codes", "protect", "csv"),
                    "apart.csv": ("codes", "protect", "csv"), "dna-out.csv": ("trails", "protect", "csv"),
                    "list-out.csv": ("fusion", "fred", "csv"), "chance.csv": ("tables", "protect", "csv"),
                    "settings.parquet": ("tables", "protect", "parquet"), "sets.out": ("codes", "protect", "sets")}
        self.assertLessEqual(set(releases), set(expected))
        for release, (kind, verb, form) in expected.items():
            manifest = self.manifest(release)
            self.assertEqual(list(problems(manifest, SCHEMA)), [], release)
            self.assertEqual((manifest["kind"], manifest["verb"]), (kind, verb))
            self.assertEqual(manifest["outputs"], [manifest["output"]])
            self.assertEqual(manifest["output"]["format"], form)
            self.assertEqual("delimiter" in manifest["output"], form == "csv")
            standing = {claim["model"]: claim["standing"] for claim in manifest["claims"]}
            self.assertTrue(standing)
            for model, word in standing.items():
                self.assertEqual(word, "tested" if model == "rho1-to-rho2" else "derived", model)
            # A file that the operator makes with a probability under 10^-12 is refused.
            for claim in manifest["claims"]:
                self.assertEqual(claim.get("confidence"), 1 - 1e-12 if claim["standing"] == "tested" else None)
        self.assertIn("setting", [file.get("role") for file in self.manifest("settings.parquet")["inputs"]])

    def test_manifests_of_later_kinds_keep_to_it_too(self):
        expected = {"out.fasta": ("genomes", "protect", "derived"), "notes-out.jsonl": ("notes", "protect", "derived"),
                    "histogram.csv": ("dp", "histogram", "attested"), "synthetic.csv": ("dp", "synthesize", "attested")}
        releases = self.release_of_each_later_kind()
        self.assertEqual(set(releases), set(expected))
        for release, (kind, verb, standing) in expected.items():
            manifest = self.manifest(release)
            self.assertEqual(list(problems(manifest, SCHEMA)), [], release)
            self.assertEqual((manifest["kind"], manifest["verb"]), (kind, verb))
            self.assertEqual({claim["standing"] for claim in manifest["claims"]}, {standing}, release)
            self.assertEqual(manifest["outputs"], [manifest["output"]])
            for figure in manifest["figures"]:
                self.assertTrue(figure["unit"] and figure["words"], release)
            self.assertTrue(self.result("verify", release)["holds"], release)

    def test_the_schema_finds_what_is_wrong(self):
        self.release()
        good = self.manifest("out.csv")

        def problems_after(change):
            manifest = copy.deepcopy(good)
            change(manifest)
            return " ".join(problems(manifest, SCHEMA))

        self.assertEqual(problems_after(lambda m: None), "")
        for key in SCHEMA["required"]:
            self.assertIn(f"no {key}", problems_after(lambda m: m.pop(key)))
        self.assertIn("more is unknown", problems_after(lambda m: m.update(more=1)))
        self.assertIn("not one of [3]", problems_after(lambda m: m.update(format=2)))
        self.assertIn("seed: no integer", problems_after(lambda m: m.update(seed=True)))
        self.assertIn("seed: below 0", problems_after(lambda m: m.update(seed=-1)))
        self.assertIn("commitment: does not match", problems_after(lambda m: m["inputs"][0].update(commitment="0")))
        self.assertIn("sha256 is unknown", problems_after(lambda m: m["inputs"][0].update(sha256="0" * 64)))
        self.assertIn("outputs[0]: no bytes", problems_after(lambda m: m["outputs"][0].pop("bytes")))
        self.assertIn("standing: not one of", problems_after(lambda m: m["claims"][0].update(standing="sworn")))
        self.assertIn("command[0]: no string", problems_after(lambda m: m["command"].__setitem__(0, 1)))

    def test_a_standing_that_the_verifier_does_not_give_fails(self):
        self.release("chance.csv", "--rho", "0.3:0.8@illness", "--allow", "illness")
        for model, other in (("k-anonymity", "attested"), ("rho1-to-rho2", "derived")):
            manifest = self.manifest("chance.csv")
            kept = copy.deepcopy(manifest)
            next(claim for claim in manifest["claims"] if claim["model"] == model)["standing"] = other
            self.write("chance.csv", manifest)
            claims = self.result("verify", "chance.csv", exit_code=1)["claims"]
            self.assertEqual([claim["model"] for claim in claims if not claim["holds"]], [model])
            self.write("chance.csv", kept)
        self.assertTrue(self.result("verify", "chance.csv")["holds"])

    def test_numbers_of_the_results_have_unit_and_words(self):
        def numbers(value, key):
            if isinstance(value, dict):
                for name, member in value.items():
                    yield from numbers(member, f"{key}.{name}" if key else name)
            elif isinstance(value, list):
                for member in value:
                    yield from numbers(member, key)
            elif isinstance(value, (int, float)) and not isinstance(value, bool):
                yield key

        for release in self.release_of_each_kind():
            manifest = self.manifest(release)
            figures = {figure["key"]: figure for figure in manifest["figures"]}
            self.assertEqual(len(figures), len(manifest["figures"]), release)
            self.assertTrue(figures, release)
            self.assertLessEqual(set(figures), set(numbers(manifest["results"], "")), release)
        figures = {figure["key"]: figure for figure in self.manifest("out.csv")["figures"]}
        self.assertEqual(figures["after.unique"],
                         {"key": "after.unique", "unit": "people", "words": "records alone in their class"})
        self.assertNotIn("before.unique", figures)
        self.assertEqual(figures["after.unique_share"]["unit"], "share")
        self.assertEqual(figures["rows_out"]["unit"], "number")
        manifest = self.manifest("out.csv")
        del manifest["figures"]  # as the first manifests of format 2
        self.write("out.csv", manifest)
        self.assertEqual(list(problems(manifest, SCHEMA)), [])
        self.assertTrue(self.result("verify", "out.csv")["holds"])
        self.assertTrue(self.result("report", "out.csv", "--out", "report.html")["holds"])

    def test_options_that_were_left_out_have_their_value(self):
        self.release_of_each_kind()
        for release, expected in (("out.csv", {"delimiter": {"people.csv": ","}, "encoding": {"people.csv": "utf-8"}}),
                                  ("codes-out.csv", {"format": "long", "method": "local"}), ("apart.csv", {"format": "long"}),
                                  ("dna-out.csv", {"runs": 4, "reserved": "none"}), ("list-out.csv", {"auxiliary_key": "name"})):
            parameters = {**self.manifest(release)["parameters"], **self.private_manifest(release)["parameters"]}
            self.assertEqual({key: parameters[key] for key in expected}, expected)
        self.release("models.csv", "--l", "2", "--t", "0.9")
        parameters = self.manifest("models.csv")["parameters"]
        self.assertEqual(parameters["recoding"], "free")
        self.assertEqual(parameters["diversity"], {"illness": "distinct"})
        self.assertEqual(parameters["distance"], {"illness": "equal"})
        self.result("tables", "protect", "people.csv", *COLUMNS, "--method", "local", "--l", "2", "--diversity", "recursive:3",
                    "--out", "recursive.csv")
        parameters = self.manifest("recursive.csv")["parameters"]
        self.assertEqual((parameters["recoding"], parameters["diversity"]), ("labels", {"illness": "recursive:3"}))
        self.assertEqual(self.manifest("models.csv")["options"]["diversity"], [])  # nobody asked for one

    def test_a_tested_claim_says_with_which_confidence(self):
        self.release("chance.csv", "--rho", "0.3:0.8@illness", "--allow", "illness")
        for claim in self.result("verify", "chance.csv")["claims"]:
            self.assertEqual(claim.get("confidence"), 1 - 1e-12 if claim["standing"] == "tested" else None)
        self.assertIn(b"0.999999999999", self.run_program("verify", "chance.csv").stdout)
        manifest = self.manifest("chance.csv")
        claim = next(claim for claim in manifest["claims"] if claim["standing"] == "tested")
        claim["confidence"] = 1
        self.write("chance.csv", manifest)
        self.assertFalse(self.result("verify", "chance.csv", exit_code=1)["holds"])
        del claim["confidence"]  # as it was before it was stated
        self.write("chance.csv", manifest)
        self.assertTrue(self.result("verify", "chance.csv")["holds"])

    def test_an_old_manifest_is_read_everywhere(self):
        releases = self.release_of_each_kind()
        self.result("tables", "protect", "people.csv", "--id", "name,sex,zip", "--qi", "age", "--sensitive", "illness", "--method",
                    "microaggregate", "--k", "5", "--seed", "1", "--out", "means.csv")
        releases.append("means.csv")
        for release in releases:
            self.assertNotIn("warning", self.result("verify", release))
            self.as_format_1(release)
            verified = self.result("verify", release)
            self.assertTrue(verified["holds"], release)
            # What nobody can check any more is said first.
            self.assertEqual(list(verified)[0], "warning")
            self.assertIn("format 1", verified["warning"])
        self.assertTrue(self.result("report", *releases, "--out", "report.html")["holds"])
        self.assertIn("The manifest is of format 1", self.result("report", releases[0], "--out", "one.html")["releases"][0]["verdict"])
        self.result("ledger", "init", "ledger")
        self.assertTrue(self.result("ledger", "add", "ledger", "out.csv", "--max-breach", "1")["added"])
        # What it records is still held against itself.
        manifest = self.manifest("out.csv")
        manifest["claims"][0]["k"] = 2
        self.write("out.csv", manifest)
        self.assertIn("k = 5 was requested",
                      self.result("report", "out.csv", "--out", "report.html", exit_code=1)["releases"][0]["verdict"])

    def test_a_later_format_is_refused_by_its_number(self):
        self.release()
        manifest = self.manifest("out.csv")
        manifest["format"] = 4
        self.write("out.csv", manifest)
        self.assertIn("format 4", self.error("report", "out.csv", "--out", "report.html"))
        self.result("ledger", "init", "ledger")
        self.assertIn("format 4", self.error("ledger", "add", "ledger", "out.csv"))

    def test_no_verb_reads_a_manifest_that_another_refuses(self):
        self.release()
        self.result("ledger", "init", "ledger")
        good = self.manifest("out.csv")
        wrong = {**good["output"], "sha256": "0" * 64}
        without_outputs = {key: value for key, value in good.items() if key != "outputs"}
        forged = [json.dumps({**good, "format": 99}), json.dumps({**good, "format": None}), json.dumps(without_outputs),
                  json.dumps({**good, "outputs": [wrong]}), json.dumps({**good, "outputs": []}),
                  json.dumps(good)[:-1] + ', "kind": "trails"}', json.dumps(good)[:-1] + ', "kind": "tables"}']
        for text in forged:
            (self.path / "out.csv.manifest.json").write_text(text)
            self.error("verify", "out.csv")
            self.error("report", "out.csv", "--out", "report.html")
            self.error("repeat", "out.csv")
            self.error("ledger", "add", "ledger", "out.csv")
        self.write("out.csv", good)
        self.assertTrue(self.result("verify", "out.csv")["holds"])

    @staticmethod
    def rehash(path, manifest):
        """As if the file had always been so."""
        for output in (manifest["output"], manifest["outputs"][0]):
            output.update(sha256=hashlib.sha256(path.read_bytes()).hexdigest(), bytes=path.stat().st_size)

    def changed(self, release, change):
        """Writes the manifest of the release with a change to it, and gives it back as it was."""
        path = self.path / (release + ".manifest.json")
        before = path.read_text()
        manifest = json.loads(before)
        change(manifest)
        path.write_text(json.dumps(manifest))
        return lambda: path.write_text(before)

    def test_a_manifest_that_names_a_device_or_a_pipe_is_refused(self):
        self.release()
        os.mkfifo(self.path / "pipe")
        os.symlink("/dev/zero", self.path / "zero.csv")
        for name in ("/dev/zero", "/dev/stdin", "-", "pipe", "zero.csv", "/dev/zer*"):
            for option, value in (("FILE", name), ("hierarchy", ["zip=" + name]), ("config", name)):
                restore = self.changed("out.csv", lambda manifest: manifest["options"].update({option: value}))
                for words in (["repeat", "out.csv"], ["tables", "explain", "out.csv", "--class", "1"]):
                    with self.subTest(words=words, option=option, name=name):
                        text = self.run_program(*words, stdin=subprocess.PIPE).stderr.decode()
                        self.assertIn("a device, a pipe or standard input", text)
                restore()
        self.result("repeat", "out.csv")
        self.file("everybody.csv", (self.path / "people.csv").read_text())
        self.result("tables", "protect", "people.csv", *COLUMNS, "--method", "mondrian", "--k-map", "2", "--population",
                    "everybody.csv", "--seed", "1", "--out", "map.csv")
        self.file("named.csv", "location,element\n" + "".join(f"H{i % 2},N{i}\n" for i in range(20)))
        self.file("dna.csv", "location,element\n" + "".join(f"H{i % 2},S{i:03}\n" for i in range(20)))
        self.result("trails", "protect", "--identified", "named.csv", "--deidentified", "dna.csv", "--k", "2", "--seed", "1",
                    "--out", "dna-out.csv")
        for name in ("/dev/zero", "/dev/stdin", "pipe"):
            for release, key in (("map.csv", "population"), ("dna-out.csv", "identified")):
                def change(manifest):
                    for claim in manifest["claims"]:
                        if key in claim:
                            claim[key]["path"] = name
                            for file in claim[key].get("files", []):
                                file["path"] = name
                restore = self.changed(release, change)
                with self.subTest(release=release, name=name):
                    self.assertIn("a device, a pipe or standard input", self.error("verify", release))
                restore()

    def test_verify_holds_the_manifest_against_itself(self):
        self.release("out.csv", "--l", "2")
        holds = self.result("verify", "out.csv")
        self.assertTrue(holds["holds"])
        self.assertNotIn("contradictions", holds)
        self.assertEqual([claim["columns"] for claim in holds["claims"]], [["age", "sex", "zip"]] * 2)
        # Each holds of the file, and promises less than was asked for.
        for change in (lambda m: m["claims"][0].update(quasi_identifiers=["sex"]),
                       lambda m: m["claims"][0].update(k=2),
                       lambda m: m["claims"].pop(),
                       lambda m: m["parameters"].update(quasi_identifiers=["sex"])):
            restore = self.changed("out.csv", change)
            fails = self.result("verify", "out.csv", exit_code=1)
            self.assertFalse(fails["holds"])
            self.assertTrue(fails["contradictions"])
            restore()
        # A column that nobody declared.
        path = self.path / "out.csv"
        lines = path.read_text().splitlines()
        path.write_text("\n".join([lines[0] + ",surname"] + [f"{line},Name{i}" for i, line in enumerate(lines[1:])]) + "\n")

        self.changed("out.csv", lambda manifest: self.rehash(path, manifest))
        fails = self.result("verify", "out.csv", exit_code=1)
        self.assertTrue(fails["contradictions"], fails)

    def test_a_release_of_codes_has_the_columns_that_it_lists(self):
        codes = "".join(f"P{i:02},{code}\n" for i in range(40) for code in ("250.00", ["401.1", "401.9"][i % 2]))
        self.file("codes.csv", "patient,code\n" + codes)
        self.result("codes", "protect", "codes.csv", "--hierarchy", "icd9", "--k", "5", "--m", "2", "--out", "c.csv")
        self.assertTrue(self.result("verify", "c.csv")["holds"])
        path = self.path / "c.csv"
        kept = path.read_text()
        head, *lines = kept.splitlines()
        named = ["Name_" + line for line in lines]
        # A column that is not listed, and called like an identifier; patients who are not numbers.
        for text, count in (("\n".join([head + ",ssn"] + [f"{line},{i}" for i, line in enumerate(lines)]), 2),
                            ("\n".join([head] + named), 1)):
            path.write_text(text + "\n")
            restore = self.changed("c.csv", lambda manifest: self.rehash(path, manifest))
            fails = self.result("verify", "c.csv", exit_code=1)
            self.assertEqual(len(fails["contradictions"]), count, fails)
            self.assertIn("contradicts", self.result("report", "c.csv", "--out", "r.json", "--force",
                                                     exit_code=1)["releases"][0]["verdict"])
            restore()

    def test_t_closeness_tells_nothing_about_the_suppressed(self):
        # Who is suppressed is 99 and alone; kuru or flu, the manifest is the same.
        releases = []
        for illness in ("kuru", "flu"):
            rows = [(20 + i % 2, ["flu", "gout"][i // 2 % 2]) for i in range(40)] + [(99, illness)]
            self.file("some.csv", "age,illness\n" + "".join(f"{age},{value}\n" for age, value in rows))
            self.result("tables", "protect", "some.csv", "--qi", "age", "--sensitive", "illness", "--hierarchy",
                        "age=flat", "--k", "5", "--t", "0.3", "--method", "levels", "--suppression", "0.1", "--seed",
                        "1", "--out", f"{illness}.csv")
            text = (self.path / f"{illness}.csv.manifest.json").read_text()
            self.assertNotIn("kuru", text.replace("kuru.csv", ""))
            manifest = json.loads(text)
            self.assertNotIn("reference", manifest["claims"][1])
            releases.append(((self.path / f"{illness}.csv").read_text(), manifest["claims"], manifest["results"]))
            self.assertTrue(self.result("verify", f"{illness}.csv")["holds"])
        self.assertEqual(releases[0][:2], releases[1][:2])

    def test_people_of_a_population_have_no_sensitive_values(self):
        self.file("some.csv", "age,illness\n" + "".join(f"{20 + i % 4},{['flu', 'cough'][i % 2]}\n" for i in range(20)))
        self.file("everybody.csv", "age\n" + "".join(f"{18 + i % 9}\n" for i in range(90)))
        self.file("illness.csv", "flu,lungs,*\ncough,lungs,*\ngout,joints,*\n")
        result = self.result("tables", "protect", "some.csv", "--qi", "age", "--sensitive", "illness", "--hierarchy",
                             "illness=illness.csv", "--k-map", "5", "--population", "everybody.csv", "--t", "0.6",
                             "--distance", "hierarchical", "--method", "optimal", "--out", "map.csv")
        self.assertEqual(result["rows_out"], 20)
        self.assertTrue(self.result("verify", "map.csv")["holds"])

    def test_a_null_anywhere_is_told_and_is_no_fault(self):
        def places(value, path=()):
            yield path
            inner = value.items() if isinstance(value, dict) else enumerate(value[:1]) if isinstance(value, list) else ()
            for key, item in inner:
                yield from places(item, (*path, key))

        seen = set()  # what all kinds have is read by the same code
        for release in self.release_of_each_kind():
            manifest = json.loads((self.path / (release + ".manifest.json")).read_text())
            for place in places(manifest):
                if not place or place in seen or place[0] in ("results", "figures", "verification", "command"):
                    continue
                if len(place) > 1:
                    seen.add(place)
                def change(document):
                    for key in place[:-1]:
                        document = document[key]
                    document[place[-1]] = None
                restore = self.changed(release, change)
                commands = [["verify", release]]
                if len(place) == 1:
                    commands += [["repeat", release], ["report", release, "--out", "r.html"]]
                for words in commands:
                    done = self.run_program(*words)
                    self.assertIn(done.returncode, (0, 1, 2), (place, words, done.stderr))
                restore()

    def test_every_file_of_a_release_must_be_there_as_it_was(self):
        self.release()
        manifest = self.manifest("out.csv")
        more = {"path": "out.csv.more", "sha256": "0" * 64, "bytes": 1, "format": "file"}
        manifest["outputs"].append(more)
        self.write("out.csv", manifest)
        self.assertFalse(self.result("verify", "out.csv", exit_code=1)["hash_matches"])
        self.file("out.csv.more", "x")
        more["sha256"] = "2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881"  # of x
        self.write("out.csv", manifest)
        self.assertTrue(self.result("verify", "out.csv")["holds"])
        for path in ("elsewhere", "out.csv", "out.csv/../out.csv.more"):
            more["path"] = path
            self.write("out.csv", manifest)
            self.assertFalse(self.result("verify", "out.csv", exit_code=1)["hash_matches"], path)


if __name__ == "__main__":
    unittest.main()
