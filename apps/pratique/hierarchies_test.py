#!/usr/bin/env python3
"""apps/pratique/hierarchies_test.py PROGRAM: what columns take by default, drafts to edit, and the example of docs/config.md."""
import datetime
import json
import pathlib
import random
import re
import unittest

from program_in_folder import ProgramInFolder

DOCS = pathlib.Path(__file__).resolve().parents[2] / "docs"


def patients(count=400, seed=2):
    draw = random.Random(seed)
    lines = ["patient,date_of_birth,age,sex,zip,diagnosis,hospital"]
    for i in range(count):
        born = datetime.date(1940, 1, 1) + datetime.timedelta(days=draw.randrange(20000))
        lines.append(f"P{i:04},{born},{2020 - born.year},{draw.choice('FM')},{draw.choice(['02138', '02139', '10025', '10027'])},"
                     f"{draw.choice(['250.01', '428', 'V45.1', '401.9'])},{draw.choice(['north', 'south'])}")
    return "\n".join(lines) + "\n"


ROLES = ("--id", "patient", "--qi", "date_of_birth,age,sex,zip", "--sensitive", "diagnosis", "--insensitive", "hospital")


class HierarchiesTest(ProgramInFolder):
    def setUp(self):
        super().setUp()
        self.file("patients.csv", patients())

    def manifest(self):
        return json.loads((self.path / "out.csv.manifest.json").read_text())

    def private_manifest(self):
        return json.loads((self.path / ".pratique/private" / f"{self.manifest()['private']}.json").read_text())

    def test_quasi_identifiers_take_what_fits_them(self):
        for method in ("optimal", "local", "mondrian", "cluster-up", "microaggregate"):
            with self.subTest(method):
                self.result("tables", "protect", "patients.csv", *ROLES, "--k", "5", "--method", method, "--out", "out.csv")
                # 20,000 days from 1940 on are 54 or 55 years.
                # Widths tell the range of all values: they are for whoever has these.
                self.assertEqual(self.manifest()["parameters"]["hierarchies"], {})
                self.assertEqual(self.private_manifest()["parameters"]["hierarchies"],
                                 {"date_of_birth": "date", "age": "interval:5,10,20,40", "sex": "flat", "zip": "prefix"})
                self.assertEqual(self.result("report", "out.csv", "--out", "report.json")["standing"], "holds")
        # Levels between a value and nothing are used: with flat alone dates of birth could only go.
        flat = [word for name in ("date_of_birth", "age", "zip") for word in ("--hierarchy", name + "=flat")]
        by_default = self.result("tables", "protect", "patients.csv", *ROLES, "--k", "5", "--out", "out.csv")
        worse = self.result("tables", "protect", "patients.csv", *ROLES, "--k", "5", *flat, "--out", "flat.csv")
        self.assertLess(by_default["metrics"]["lm"], worse["metrics"]["lm"])
        self.assertEqual(worse["levels"]["date_of_birth"], 1)

    def test_ages_that_are_ranges_go_into_wider_ones_and_are_attacked_as_what_they_are(self):
        draw = random.Random(4)
        people = [(f"N{i}", 10 * draw.randrange(10), draw.choice("FM")) for i in range(300)]
        self.file("ranges.csv", "age,sex\n" + "".join(f"[{age}-{age + 10}),{sex}\n" for _, age, sex in people))
        self.result("tables", "protect", "ranges.csv", "--qi", "age,sex", "--hierarchy", "sex=flat", "--k", "12", "--rows-are-people",
                    "--method", "optimal", "--out", "out.csv")
        self.assertEqual(self.private_manifest()["parameters"]["hierarchies"]["age"], "interval:20,40,80")
        cells = {line.split(",")[0] for line in (self.path / "out.csv").read_text().split()[1:]}
        self.assertEqual(cells, {"0..19", "20..39", "40..59", "60..79", "80..99"})
        # Whoever has the ages, or the same ranges, finds everybody among those alike; with the manifest and without.
        (self.path / "bare.csv").write_text((self.path / "out.csv").read_text())
        for ages in (lambda age: f"{age + 3}", lambda age: f"[{age}-{age + 10})", lambda age: f"{age}-{age + 9}"):
            self.file("register.csv", "name,age,sex\n" + "".join(f"{name},{ages(age)},{sex}\n" for name, age, sex in people))
            for release in ("out.csv", "bare.csv"):
                found = self.result("tables", "attack", release, "--register", "register.csv", "--on", "age,sex", "--rows-are-people")
                self.assertEqual(found["release_rows_matched"], 300, (ages(0), release))

    def test_only_what_nobody_gave_is_taken(self):
        self.result("tables", "protect", "patients.csv", *ROLES, "--k", "5", "--hierarchy", "age=interval:10", "--out", "out.csv")
        parameters = self.manifest()["parameters"]
        self.assertEqual(parameters["hierarchies"]["age"], "interval:10")
        self.assertEqual(parameters["default_hierarchies"], ["date_of_birth", "sex", "zip"])

    def test_a_draft_is_written_again_unless_somebody_edited_it(self):
        words = ("hierarchy", "draft", "patients.csv", "zip", "--out", "zip.csv")
        self.result(*words)
        self.result(*words)
        edited = (self.path / "zip.csv").read_text().replace("02138;", "02138;Cambridge;", 1)
        self.file("zip.csv", edited)
        self.assertIn("--force", self.error(*words))
        self.assertEqual((self.path / "zip.csv").read_text(), edited)
        self.result(*words, "--force")
        self.assertNotEqual((self.path / "zip.csv").read_text(), edited)

    def test_a_map_replaces_a_map_and_nothing_else(self):
        words = ("tables", "explore", "patients.csv", *ROLES, "--ks", "5", "--methods", "optimal", "--out", "map")
        self.result(*words)
        self.result(*words)
        for name in ("ru-map.csv", "ru-map.json", "ru-map.svg"):
            kept = (self.path / "map" / name).read_text()
            self.file(f"map/{name}", "somebody's own\n")
            self.assertIn("--force", self.error(*words))
            self.file(f"map/{name}", kept)
        self.file("map/ru-map.csv", "somebody's own\n")
        self.result(*words, "--force")

    def test_a_draft_is_a_hierarchy(self):
        for column, spec, leaf in (("zip", "prefix", "02138;0213*;021**;02***;0****;*"), ("sex", "flat", "F;*"),
                                   ("diagnosis", "icd9", "250.01;250.0;250;249-259;240-279;*")):
            with self.subTest(column):
                result = self.result("hierarchy", "draft", "patients.csv", column, "--out", column + ".csv")
                self.assertEqual(result["spec"], spec)
                draft = self.path / (column + ".csv")
                lines = draft.read_text().splitlines()
                self.assertIn(leaf, lines)
                self.assertEqual(len(lines), result["values"])
                self.assertEqual(draft.stat().st_mode & 0o777, 0o600)
                self.assertEqual([level["labels"] for level in result["levels"]][-1], 1)
        drafted = self.result("tables", "protect", "patients.csv", *ROLES, "--k", "5", "--hierarchy", "zip=zip.csv", "--seed", "1",
                              "--out", "out.csv")
        built_in = self.result("tables", "protect", "patients.csv", *ROLES, "--k", "5", "--seed", "1", "--out", "same.csv")
        self.assertEqual((self.path / "out.csv").read_bytes(), (self.path / "same.csv").read_bytes())
        self.assertEqual(drafted["levels"], built_in["levels"])
        # Ages in the order of numbers, of which 5 stands before 10.
        self.file("ages.csv", "age\n10\n5\n90\n17\n")
        self.result("hierarchy", "draft", "ages.csv", "age", "--hierarchy", "age=interval:50", "--out", "ages-tree.csv")
        self.assertEqual((self.path / "ages-tree.csv").read_text(), "5;0..49;*\n10;0..49;*\n17;0..49;*\n90;50..99;*\n")
        # What was edited is not written over.
        self.error("hierarchy", "draft", "patients.csv", "zip", "--out", "ages-tree.csv")

    def test_the_example_of_the_page_is_what_the_page_says(self):
        page = (DOCS / "config.md").read_text()
        self.file("patients.yaml", (DOCS / "examples/config/patients.yaml").read_bytes())
        commands = [block.replace("\\\n", " ").split()[1:] for block in re.findall(r"^    (pratique tables protect (?:.*\\\n)*.*)$", page, re.M)]
        self.assertEqual(len(commands), 2)
        results = []
        for command in commands:
            result = self.result(*command, "--force")
            results.append(((self.path / "release.csv").read_bytes(), result["metrics"], result["models"]))
            self.assertTrue(self.result("verify", "release.csv")["holds"])
        self.assertEqual(results[0], results[1])

    def test_levels_are_those_of_the_page(self):
        page = (DOCS / "hierarchies.md").read_text()
        rows = re.findall(r"^\| `([^`]+)` \| ((?:`[^`]+`(?:, )?)+) \|", page, re.M)
        self.assertEqual([spec for spec, _ in rows], ["flat", "interval:5,10,20", "date", "prefix", "icd9", "icd10", "atc"])
        for spec, levels in rows:
            with self.subTest(spec):
                labels = re.findall(r"`([^`]+)`", levels)
                self.file("one.csv", f"x,y\n{labels[0]},1\n")
                self.result("hierarchy", "draft", "one.csv", "x", "--hierarchy", f"x={spec}", "--out", "tree.csv", "--force")
                self.assertEqual((self.path / "tree.csv").read_text().strip().split(";"), labels)


if __name__ == "__main__":
    unittest.main()
