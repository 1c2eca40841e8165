#!/usr/bin/env python3
"""Walks every declared verb and holds parsing, help, docs, --config and the API against its declaration.
Run by ctest as: declarations_test.py PROGRAM"""
import json
import pathlib
import re
import subprocess
import unittest

from program_in_folder import PROGRAM, ProgramInFolder
from serve_test import Server

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PATHS = ("file", "folder", "out", "key", "file_pairs")
KIND_OF = {"flag": "flag", "columns": "list", "column_spec": "pairs", "file_read": "file", "file_written": "out",
           "folder_read": "folder", "folder_written": "out", "key_file": "key", "file_or_word": "file", "file_or_number": "file",
           "column_hierarchy": "file_pairs", "release_hierarchy": "file_pairs"}
# Types that cannot name a file; every other one is confined.
HARMLESS = ("flag", "text", "choice", "column", "columns", "column_spec", "whole_number", "number", "share", "size", "seed")
# In a file these are roles of columns, not options.
ROLES = ("sensitive", "insensitive")
# Of a declaration, what is only said.
WORDS = ("description", "group", "default", "otherwise")
NUMBERS = ("whole_number", "number", "share", "seed", "size")


def declarations():
    printed = subprocess.run([PROGRAM, "help", "--declarations"], capture_output=True, check=True).stdout
    return json.loads(printed)["commands"]


def words_of(command):
    return f'{command["noun"]} {command["verb"]}'.split()


def name_of(command):
    return " ".join(words_of(command))


def flat(text):
    return " ".join(text.split())


class DeclarationsTest(ProgramInFolder):
    def walk(self):
        commands = declarations()
        self.assertGreater(len(commands), 30)
        for command in commands:
            for option in command["options"]:
                yield command, option

    def walk_distinct(self, but=()):
        """Each declaration once, with the first command that has it: what is declared alike is parsed alike."""
        seen = set()
        for command, option in self.walk():
            declared = json.dumps({key: option[key] for key in option if key not in (*WORDS, *but)}, sort_keys=True)
            if declared not in seen:
                seen.add(declared)
                yield command, option

    def with_inputs(self, command):
        """The words of the command, and as many inputs as it must have; it never comes to read them."""
        return words_of(command) + ["1" for part in command["inputs"] if part["required"]]

    def refused(self, command, option, value):
        """What is said to a wrong value, on the command line and in a file: the same."""
        said = self.error(*self.with_inputs(command), f"--{option['name']}={value}")
        self.file("run.yaml", f"{option['name']}: '{value}'\n")
        again = self.error(*self.with_inputs(command), "--config", "run.yaml")
        self.assertEqual(said.splitlines()[0], again.splitlines()[0])
        self.assertIn(f"where: run.yaml:1:{len(option['name']) + 3}", again)
        return said

    def test_kinds_know_which_options_name_files(self):
        """What a manifest says of files read is held against these; inputs and --config are known by their names."""
        printed = json.loads(subprocess.run([PROGRAM, "help", "--declarations"], capture_output=True, check=True).stdout)
        verbs = {(command["noun"], command["verb"]): command for command in printed["commands"]}
        self.assertGreater(len(printed["kinds"]), 3)
        for kind in printed["kinds"]:
            if kind["noun"] == "consortium":  # its programs wait for other people's, and are no jobs
                continue
            declared = {option["name"] for option in verbs[kind["noun"], kind["verb"]]["options"]
                        if option["kind"] in ("file", "file_pairs", "folder")} - {"config"}
            self.assertEqual(set(kind["file_options"]), declared, kind["noun"])

    def test_help_has_every_option_and_what_it_says(self):
        for command in declarations():
            done = self.run_program(*words_of(command), "--help")
            self.assertEqual(done.returncode, 0)
            text = flat(done.stdout.decode())
            for option in command["options"]:
                with self.subTest(command=name_of(command), option=option["name"]):
                    self.assertIn(f"--{option['name']}", text)
                    self.assertIn(flat(option["description"]), text)
            for part in command["inputs"]:
                self.assertIn(f"{part['name']} ", text)

    def test_the_reference_has_every_option(self):
        reference = (ROOT / "docs" / "cli.md").read_text()
        sections = dict(part.split("\n", 1) for part in reference.split("\n### ")[1:])
        shared = reference.split("\n## Options of every command\n")[1].split("\n## ")[0]
        for command, option in self.walk():
            with self.subTest(command=name_of(command), option=option["name"]):
                rows = sections[name_of(command)].split("\n## ")[0] + shared
                self.assertIn(f"| `--{option['name']}", rows)
                self.assertIn(f"| {option['description']} |", rows)

    def test_every_default_is_said(self):
        for command, option in self.walk():
            if option["default"] is not None and not option["required"]:
                with self.subTest(command=name_of(command), option=option["name"]):
                    self.assertIn(f"default: {option['default']}", option["description"])

    def test_a_default_is_a_value_that_the_option_takes(self):
        for command, option in self.walk():
            with self.subTest(command=name_of(command), option=option["name"]):
                default = option["default"]
                if default is None:
                    continue
                self.assertFalse(option["required"])
                self.assertNotIn("otherwise", option)
                values = default.split(",") if option["commas"] else [default]
                for value in values:
                    if option["type"] in ("whole_number", "number", "share", "seed"):
                        self.assertGreaterEqual(float(value), option.get("low", float("-inf")))
                        self.assertLessEqual(float(value), option.get("high", float("inf")))
                    if "choices" in option:
                        self.assertIn(value, option["choices"])

    def test_ranges_are_said(self):
        checked = 0
        for command, option in self.walk():
            if option["type"] in ("whole_number", "share", "seed") or "low" in option:
                with self.subTest(command=name_of(command), option=option["name"]):
                    low = f"{option['low']:.0f}"
                    self.assertRegex(option["description"], rf"[(; ]({low} to [0-9.]+|at least {low}|above {low}( and below \d+)?)[;)]")
                    checked += 1
        self.assertGreater(checked, 60)

    def test_nothing_but_the_declaration_says_what_there_is(self):
        # A sentence that lists choices or a default again would be free to differ.
        for command, option in self.walk():
            with self.subTest(command=name_of(command), option=option["name"]):
                self.assertLessEqual(option["description"].count("default"), 1)
                sentence = option["description"].split(" (one of ")[0]
                choices = option.get("choices", [])
                self.assertFalse(len(choices) > 2 and all(re.search(rf"\b{choice}\b", sentence) for choice in choices), sentence)

    def test_wrong_values_are_refused_wherever_they_stand(self):
        own = [(c, o) for c, o in self.walk_distinct()
               if o["group"] != "General" and o["name"] not in ("identifiers", *ROLES)]
        checked = 0
        for command, option in own:
            with self.subTest(command=name_of(command), option=option["name"]):
                if option["type"] in NUMBERS:
                    said = self.refused(command, option, "nonsense")
                elif option["type"] == "choice":
                    said = self.refused(command, option, "nonsense")
                    for choice in option["choices"]:
                        self.assertIn(choice, said)
                else:
                    continue
                self.assertIn(f"pratique: --{option['name']}: 'nonsense' is not", said)
                self.assertIn("--help explains the options", said)
                checked += 1
        self.assertGreater(checked, 60)

    def test_numbers_out_of_range_are_refused(self):
        for command, option in self.walk_distinct():
            if option["group"] == "General" or option["type"] not in NUMBERS:
                continue
            outside = []
            whole = option["type"] in ("whole_number", "seed")
            if option.get("low", 0) > 0 or not whole:
                outside += [option["low"] - 1] if "low" in option else []
            if "high" in option:
                outside.append(option["high"] + 1 if option["high"] < 2 ** 53 - 1 else 2 ** 53)
            if "open" in option:
                outside += [option[end] for end in ("low", "high") if end in option]
            for value in outside:
                with self.subTest(command=name_of(command), option=option["name"], value=value):
                    self.assertIn(f"--{option['name']}: '{int(value)}' is not a", self.refused(command, option, int(value)))
                    if "per_column" in option:
                        said = self.error(*self.with_inputs(command), f"--{option['name']}={int(value)}@age")
                        self.assertIn(f"--{option['name']}: '{int(value)}' is not a", said)

    def test_what_takes_one_value_is_refused_twice(self):
        for command, option in self.walk_distinct(but=["name"]):
            if option["repeat"] or option["kind"] == "flag":
                continue
            with self.subTest(command=name_of(command), option=option["name"]):
                said = self.error(*self.with_inputs(command), f"--{option['name']}=5", f"--{option['name']}=5")
                self.assertIn(f"--{option['name']} takes one value", said)
        by_name = {o["name"]: o for c, o in self.walk() if name_of(c) == "tables protect"}
        for name in ("k", "k-map", "population", "delta"):
            self.assertFalse(by_name[name]["repeat"], name)
        for name in ("l", "t", "guard"):
            self.assertTrue(by_name[name]["repeat"], name)

    def test_a_file_may_hold_every_option(self):
        for command, option in self.walk_distinct():
            if option["name"] in ("config", *ROLES):
                continue
            with self.subTest(command=name_of(command), option=option["name"]):
                # A value that no option takes: who knows the key says so, who does not would deny the key.
                self.file("run.yaml", f"{option['name']}:\n  a:\n    b: c\n")
                said = self.error(*self.with_inputs(command), "--config", "run.yaml")
                self.assertNotIn("there is no key", said)
                self.assertIn("run.yaml:", said)
        for command in declarations():
            self.file("run.yaml", "frobnicate: 1\n")
            said = self.error(*self.with_inputs(command), "--config", "run.yaml")
            self.assertIn("there is no key 'frobnicate'", said)
            self.assertIn("where: run.yaml:1:1", said)

    def test_required_options_are_asked_for(self):
        for command in declarations():
            required = [option["name"] for option in command["options"] if option["required"]]
            if not required:
                continue
            with self.subTest(command=name_of(command)):
                self.assertIn("is required", self.error(*self.with_inputs(command)))

    def test_the_words_win_over_the_file(self):
        table = "".join(f"{age},{sick}\n" for age, sick in [("30", "a"), ("30", "b"), ("40", "a"), ("40", "b")])
        self.file("t.csv", "age,sick\n" + table)
        self.file("run.yaml", "quasi_identifiers: [age]\nsensitive: [sick]\nk: 2\nmethod: mondrian\nout: a.csv\nseed: 7\n")
        first = self.result("tables", "protect", "t.csv", "--config", "run.yaml")
        self.assertEqual((first["method"], first["out"], first["seed"]), ("mondrian", "a.csv", 7))
        second = self.result("tables", "protect", "t.csv", "--config", "run.yaml", "--method", "local", "--out", "b.csv")
        self.assertEqual((second["method"], second["out"], second["seed"]), ("local", "b.csv", 7))

    def people(self):
        self.file("t.csv", "name,age,sick\nAnn,30,a\nBob,30,b\nCyd,40,a\nDan,40,b\n")
        return ("t.csv", "--config", "run.yaml", "--out", "r.csv")

    def test_a_file_that_says_one_thing_twice_is_refused(self):
        words = self.people()
        for text, first, second in (
                ("quasi_identifiers: [age]\nmodels: {k: 5}\nk: 2\n", "'models: k'", "'k'"),
                ("quasi_identifiers: [age, name]\nqi: [age]\nk: 2\n", "'quasi_identifiers'", "'qi'"),
                ("identifiers: [name]\nid: [name]\nqi: [age]\nk: 2\n", "'identifiers'", "'id'"),
                ("identifiers: [name]\nqi: [age, name]\nk: 2\n", "'identifiers'", "'qi'"),
                ("sensitive: [sick]\nqi: [age, sick]\nk: 2\n", "'sensitive'", "'qi'"),
                ("qi: [age]\nhierarchies: {age: flat}\nhierarchy: {age: prefix}\nk: 2\n", "'hierarchies'", "'hierarchy'")):
            with self.subTest(text=text):
                self.file("run.yaml", text)
                said = self.error("tables", "protect", *words)
                self.assertIn("is said twice", said)
                self.assertIn(first, said)
                self.assertIn(second, said)
                self.assertIn("where: run.yaml:", said)
                self.assertFalse((self.path / "r.csv").exists())

    def test_one_file_serves_the_commands_of_a_noun(self):
        self.people()
        self.file("run.yaml", "quasi_identifiers: [age]\nid: [name]\nsensitive: [sick]\nk: 2\nmethod: mondrian\nks: [2]\nidentifiers: surrogate\nkey: secret\n"
                              "register: nobody.csv\nlimit: 1\n")
        self.assertEqual(self.result("tables", "assess", "t.csv", "--config", "run.yaml")["k"], 2)
        self.assertEqual(len(self.result("tables", "rows", "t.csv", "--config", "run.yaml")["rows"]), 1)
        done = self.result("tables", "protect", "t.csv", "--config", "run.yaml", "--out", "r.csv")
        self.assertEqual(done["method"], "mondrian")
        self.file("run.yaml", "quasi_identifiers: [age]\nmethode: mondrian\n")
        said = self.error("tables", "assess", "t.csv", "--config", "run.yaml")
        self.assertIn("there is no key 'methode'", said)
        self.assertIn("Did you mean method", said)
        self.file("run.yaml", "patient: p\nqi: [age]\n")  # of another noun
        self.assertIn("there is no key 'patient'", self.error("tables", "assess", "t.csv", "--config", "run.yaml"))

    def test_a_file_holds_how_the_data_is_written_and_what_is_done_with_identifiers(self):
        self.file("t.csv", "name;age\nJos\u00e9;30\nBob;30\n".encode("latin-1"))
        self.file("run.yaml", "delimiter: ;\nencoding: latin-1\nthreads: 1\nid: [name]\nqi: [age]\nk: 2\nidentifiers: surrogate\nkey: secret\n")
        self.result("tables", "protect", "t.csv", "--config", "run.yaml", "--out", "r.csv")
        self.assertTrue((self.path / "r.csv").read_text().startswith("name;age\n"))
        self.file("run.yaml", "identifiers: name\nqi: [age]\nk: 2\n")
        said = self.error("tables", "protect", "t.csv", "--config", "run.yaml", "--out", "r2.csv")
        self.assertIn("identifiers", said)
        self.assertFalse((self.path / "r2.csv").exists())

    def test_a_column_may_have_a_comma_or_an_equals_sign_in_its_name(self):
        self.file("t.csv", '"Name, Vorname",a=b,sick\nAnn,30,x\nBob,30,y\nCyd,41,x\nDan,41,y\n')
        self.file("run.yaml", 'id: ["Name, Vorname"]\nqi: ["a=b"]\nsensitive: [sick]\nk: 2\nmethod: levels\nlevels: {"a=b": 1}\n'
                              'hierarchy: {"a=b": prefix}\n')
        self.result("tables", "protect", "t.csv", "--config", "run.yaml", "--out", "a.csv")
        said = self.result("tables", "protect", "t.csv", "--id", "Name\\, Vorname", "--qi", "a=b", "--sensitive", "sick", "--k", "2",
                           "--method", "levels", "--levels", "a=b=1", "--hierarchy", "a=b=prefix", "--seed", "1", "--out", "b.csv")
        self.assertEqual(said["out"], "b.csv")
        for release in ("a.csv", "b.csv"):
            self.assertEqual(sorted((self.path / release).read_text().splitlines()), ["3*,x", "3*,y", "4*,x", "4*,y", "a=b,sick"])
        server = Server(self.path)
        self.addCleanup(server.close)
        job = server.run("tables/protect", ["t.csv"], id=["Name, Vorname"], qi=["a=b"], sensitive=["sick"], k=2, out="c.csv")
        self.assertEqual(job["state"], "done", job)

    def test_the_kind_of_an_option_follows_from_its_type(self):
        for command, option in self.walk():
            expected = KIND_OF.get(option["type"])
            if expected is None:
                number = option["type"] in NUMBERS and option["type"] != "size" and "per_column" not in option
                expected = "list" if option["commas"] else "number" if number else "text"
            self.assertEqual(option["kind"], expected, option)

    def test_the_api_has_every_option_and_confines_every_path(self):
        self.file("x.csv", "a\n1\n")
        server = Server(self.path)
        self.addCleanup(server.close)
        _, commands = server.ask("GET", "commands")
        self.assertEqual(commands, declarations())
        _, document = server.ask("GET", "openapi.json")
        confined = 0
        for command in commands:
            path = "/".join(words_of(command))
            described = document["paths"]["/api/v1/" + path]["post"]["requestBody"]["content"]["application/json"]["schema"]
            properties = described["properties"]["options"]["properties"]
            self.assertEqual(sorted(properties), sorted(option["name"] for option in command["options"]))
            inputs = ["x.csv" for part in command["inputs"] if part["required"]]
            for option in command["options"]:
                if option["kind"] not in PATHS:
                    self.assertIn(option["type"], HARMLESS)
                    continue
                places = ("/etc/passwd", "../outside.csv")
                if option["kind"] == "file_pairs":
                    places = [f"a={place}" for place in places] + [f"1:a={place}" for place in places]
                for place in places:
                    with self.subTest(command=path, option=option["name"], place=place):
                        status, answer = server.ask("POST", path, {"inputs": inputs, "options": {option["name"]: place}})
                        self.assertIn(status, (400, 403, 422), answer)
                        self.assertNotIn("is required", answer["detail"])
                confined += 1
        self.assertGreater(confined, 60)

    def test_free_text_is_no_path(self):
        self.file("x.csv", "a\n1\n")
        server = Server(self.path)
        self.addCleanup(server.close)
        for purpose in ("/study of x", "../ and so on", "~ 5 %"):
            status, answer = server.ask("POST", "report", {"inputs": ["x.csv"], "options": {"out": "r.html", "purpose": purpose}})
            self.assertEqual(status, 202, answer)

    def test_a_job_takes_no_path_from_a_file(self):
        self.file("x.csv", "a\n1\n")
        self.file("run.yaml", "quasi_identifiers: [a]\nk: 2\nout: ledger.csv\n")
        server = Server(self.path)
        self.addCleanup(server.close)
        job = server.run("tables/protect", ["x.csv"], config="run.yaml", out="y.csv")
        self.assertNotIn("takes no path", json.dumps(job))  # what the request says wins, and is checked
        self.file("run.yaml", "quasi_identifiers: [a]\nk: 2\nqueries: /etc/passwd\n")
        job = server.run("tables/protect", ["x.csv"], config="run.yaml", out="y.csv")
        self.assertIn("takes no path from a --config file: 'queries'", json.dumps(job))


if __name__ == "__main__":
    unittest.main()
