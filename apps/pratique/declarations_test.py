#!/usr/bin/env python3
"""Walks every declared verb and holds parsing, help, docs, --config and the API against its declaration.
Run by ctest as: declarations_test.py PROGRAM"""
import json
import pathlib
import subprocess
import unittest

from program_in_folder import PROGRAM, ProgramInFolder
from serve_test import Server

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PATHS = ("file", "folder", "out", "key")
KIND_OF = {"flag": "flag", "columns": "list", "column_spec": "pairs", "file_read": "file", "file_written": "out",
           "folder_read": "folder", "folder_written": "out", "key_file": "key"}
# In a file these are roles of columns, not options.
ROLES = ("identifiers", "sensitive", "insensitive")
NUMBERS = ("whole_number", "number", "share", "seed", "size")


def declarations():
    printed = subprocess.run([PROGRAM, "help", "--declarations"], capture_output=True, check=True).stdout
    return json.loads(printed)["commands"]


def words_of(command):
    return [command["noun"], command["verb"]] if command["noun"] else [command["verb"]]


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

    def test_nothing_but_the_declaration_says_what_there_is(self):
        # A sentence that lists choices or a default again would be free to differ.
        for command, option in self.walk():
            with self.subTest(command=name_of(command), option=option["name"]):
                self.assertLessEqual(option["description"].count("default"), 1)

    def test_wrong_values_are_refused_wherever_they_stand(self):
        own = [(c, o) for c, o in self.walk()
               if o["group"] != "General" and o["name"] not in ROLES and (not o["repeat"] or o["commas"])]
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
        for command, option in self.walk():
            if option["group"] == "General" or option["type"] not in NUMBERS or (option["repeat"] and not option["commas"]):
                continue
            outside = []
            whole = option["type"] in ("whole_number", "seed")
            if option.get("low", 0) > 0 or not whole:
                outside += [option["low"] - 1] if "low" in option else []
            if "high" in option:
                outside.append(option["high"] + 1 if option["high"] < 2 ** 53 - 1 else 2 ** 53)
            for value in outside:
                with self.subTest(command=name_of(command), option=option["name"], value=value):
                    self.assertIn(f"--{option['name']}: ", self.refused(command, option, int(value)))

    def test_a_file_may_hold_every_option(self):
        for command, option in self.walk():
            if option["group"] == "General" or option["name"] in ("config", *ROLES):
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
                    continue
                for place in ("/etc/passwd", "../outside.csv"):
                    with self.subTest(command=path, option=option["name"], place=place):
                        status, answer = server.ask("POST", path, {"inputs": inputs, "options": {option["name"]: place}})
                        self.assertIn(status, (400, 403, 422), answer)
                        self.assertNotIn("is required", answer["detail"])
                confined += 1
        self.assertGreater(confined, 60)

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
