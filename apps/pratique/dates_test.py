#!/usr/bin/env python3
"""apps/pratique/dates_test.py PROGRAM: dates of any common form are days to every method, and nobody's birthday leaves."""
import datetime
import random
import re
import unittest

from program_in_folder import ProgramInFolder

FORMS = {
    "iso": "%Y-%m-%d",
    "month-first": "%m/%d/%Y",
    "day-first": "%d.%m.%Y",
    "year-first": "%Y%m%d",
    "timestamp": "%Y-%m-%dT08:30:00",
}


def people(form, count=200, seed=3):
    draw = random.Random(seed)
    first = datetime.date(1940, 1, 1)
    born = [first + datetime.timedelta(days=draw.randrange(20000)) for _ in range(count)]
    rows = [f"P{i:03},{day.strftime(form)},{draw.choice('FM')},{draw.choice(['flu', 'gout', 'cold'])}"
            for i, day in enumerate(born)]
    return born, "id,dob,sex,illness\n" + "\n".join(rows) + "\n"


class DatesTest(ProgramInFolder):
    def protect(self, method, *options, **kwargs):
        return self.result("tables", "protect", "people.csv", "--id", "id", "--qi", "dob,sex", "--sensitive", "illness", "--k",
                           "5", "--seed", "1", "--method", method, "--out", "out.csv", *options, **kwargs)

    def test_one_cell_that_is_no_date_does_not_make_words_of_all(self):
        rows = [f"{day:02d}.{month:02d}.19{50 + month},{'FM'[day % 2]}" for day in range(1, 28) for month in range(1, 12)]
        self.file("births.csv", "dob,sex\n" + "\n".join([*rows, "00.00.1950,F"]) + "\n")
        command = ["tables", "protect", "births.csv", "--qi", "dob,sex", "--k", "3", "--method", "mondrian", "--out", "births_out.csv"]
        message = self.error(*command)
        self.assertIn("297 of the 298 values of 'dob' are dates", message)
        self.assertNotIn("00.00.1950", message)
        self.result(*command, "--hierarchy", "dob=flat")
        self.file("births.csv", "dob,sex\n" + "\n".join([*rows, ",F"]) + "\n")
        self.result(*command, "--force")

    def test_a_missing_day_does_not_list_the_others(self):
        for missing in ("", "unknown"):
            text = people(FORMS["iso"])[1]
            rows = text.splitlines()
            for i in range(1, len(rows), 40):
                rows[i] = re.sub(r"\d{4}-\d\d-\d\d", missing, rows[i])
            self.file("people.csv", "\n".join(rows) + "\n")
            for method in ("mondrian", "cluster-up", "local"):
                self.protect(method, "--force")
                cells = {row["dob"] for row in self.rows("out.csv")}
                self.assertFalse([cell for cell in cells if cell.startswith("{")], method)
                self.assertFalse([cell for cell in cells if re.fullmatch(r"\d{4}-\d\d-\d\d", cell)], method)
                self.assertTrue([cell for cell in cells if ".." in cell or re.fullmatch(r"\d{4}.*", cell)], method)
                self.assertTrue(self.result("verify", "out.csv")["holds"])

    def test_a_drafted_hierarchy_of_dates_is_of_days(self):
        releases = {}
        for name, form in FORMS.items():
            self.file("people.csv", people(form)[1])
            self.result("hierarchy", "draft", "people.csv", "dob", "--out", "dob.csv", "--force")
            leaves = [line.split(";")[0] for line in (self.path / "dob.csv").read_text().splitlines()]
            self.assertFalse([leaf for leaf in leaves if not re.fullmatch(r"\d{4}-\d\d-\d\d", leaf)], name)
            self.protect("mondrian", "--hierarchy", "dob=dob.csv", "--force")
            cells = [row["dob"] for row in self.rows("out.csv")]
            self.assertFalse([cell for cell in cells if cell.startswith("{")], name)
            releases[name] = sorted(cells)
            self.assertTrue(self.result("verify", "out.csv")["holds"])
        self.assertEqual(len(set(map(tuple, releases.values()))), 1)
        self.file("people.csv", "dob,sex\n03/05/1970,F\n04/06/1971,M\n")
        self.assertIn("which number is the month", self.error("hierarchy", "draft", "people.csv", "dob", "--out",
                                                             "dob.csv", "--force"))

    def test_a_word_among_numbers_is_said_and_words_for_nothing_are_no_words(self):
        rows = [f"{20 + i % 50},{'FM'[i % 2]}" for i in range(200)]
        command = ["tables", "protect", "ages.csv", "--qi", "age,sex", "--k", "5", "--method", "mondrian", "--seed", "1", "--out",
                   "ages_out.csv", "--force"]
        self.file("ages.csv", "age,sex\n" + "\n".join(rows + ["unknown,F", "N/A,M", ",F", "-,M", "NA,F"]) + "\n")
        made = self.result(*command)
        self.assertNotIn("warnings", made)
        cells = [row["age"] for row in self.rows("ages_out.csv")]
        self.assertTrue([cell for cell in cells if ".." in cell])
        self.assertFalse([cell for cell in cells if "unknown" in cell or "N/A" in cell])
        self.assertTrue(self.result("verify", "ages_out.csv")["holds"])
        self.result("report", "ages_out.csv", "--out", "ages.json")
        self.file("ages.csv", "age,sex\n" + "\n".join(rows + ["old,F"]) + "\n")
        self.assertIn("'age' has 1 value that is not a number among 50 that are", " ".join(self.result(*command)["warnings"]))

    def test_a_population_has_dates_in_a_form_of_its_own(self):
        born, text = people(FORMS["month-first"])
        self.file("people.csv", text)
        everybody = people(FORMS["day-first"])[1] + "".join(
            f"Q{i},{day.strftime(FORMS['day-first'])},F,flu\n" for i, day in enumerate(born))
        self.file("all.csv", everybody)
        self.protect("optimal", "--hierarchy", "dob=date", "--k-map", "5", "--population", "all.csv")
        self.assertTrue(self.result("verify", "out.csv")["holds"])
        self.file("all.csv", everybody.replace("/", "."))  # the same again
        cells = {row["dob"] for row in self.rows("out.csv")}
        self.assertFalse([cell for cell in cells if "/" in cell])

    def test_every_form_gives_the_same_release(self):
        for method, options in (("mondrian", ()), ("cluster-up", ()), ("microaggregate", ()),
                                ("optimal", ("--hierarchy", "dob=date"))):
            releases = {}
            for name, form in FORMS.items():
                with self.subTest(method, form=name):
                    born, text = people(form)
                    self.file("people.csv", text)
                    result = self.protect(method, *options)
                    releases[name] = (self.path / "out.csv").read_text()
                    cells = {row["dob"] for row in self.rows("out.csv")}
                    # Ranges, means and months, never a list of birthdays.
                    self.assertFalse([cell for cell in cells if "," in cell or "|" in cell or "{" in cell])
                    self.assertTrue(self.result("verify", "out.csv")["holds"])
                    self.assertEqual(self.result("report", "out.csv", "--out", "report.json")["standing"], "holds")
                    self.assertLess(result["metrics"]["lm"], 1)
            if method != "cluster-up":  # ties there go by the order of the texts
                self.assertEqual(len(set(releases.values())), 1, method)

    def test_squared_error_is_in_days(self):
        born, text = people(FORMS["month-first"])
        self.file("people.csv", text)
        result = self.protect("microaggregate")
        # What the class says against what was, in days, over the variance in days: the same unit on both sides.
        self.assertGreater(result["metrics"]["squared_error"]["dob"], 0)
        self.assertLess(result["metrics"]["squared_error"]["dob"], 1e8)
        for row in self.rows("out.csv"):
            self.assertTrue(re.fullmatch(r"\d{4}-\d{2}-\d{2}|\d{4}-\d{2}-\d{2}\.\.\d{4}-\d{2}-\d{2}", row["dob"]), row["dob"])

    def test_who_can_tell_the_month_is_asked(self):
        rows = "".join(f"P{i},{1 + i % 12:02}/{1 + i * 5 % 12:02}/19{40 + i % 50},F,flu\n" for i in range(60))
        self.file("people.csv", "id,dob,sex,illness\n" + rows)
        protect = ("tables", "protect", "people.csv", "--id", "id", "--qi", "dob,sex", "--sensitive", "illness", "--k", "5",
                   "--method", "mondrian", "--out", "out.csv")
        told = self.error(*protect)
        self.assertIn("--date-form dob=month-first", told)
        self.assertFalse((self.path / "out.csv").exists())
        for form in ("month-first", "day-first"):
            self.result(*protect, "--date-form", f"dob={form}")
            self.assertTrue(self.result("repeat", "out.csv")["same"])
            self.assertEqual(self.result("report", "out.csv", "--out", "report.json")["standing"], "holds")
        self.assertIn("not all dates", self.error(*protect, "--date-form", "dob=iso"))
        self.assertIn("quasi-identifier", self.error(*protect, "--date-form", "illness=day-first"))

    def test_a_register_in_another_form_is_linked(self):
        born, text = people(FORMS["month-first"])
        self.file("people.csv", text)
        self.file("register.csv", "name,dob,sex\n" + "".join(
            f"N{i},{day.strftime('%d.%m.%Y')},{line.split(',')[2]}\n"
            for i, (day, line) in enumerate(zip(born, text.splitlines()[1:]))))
        before = self.result("tables", "attack", "people.csv", "--register", "register.csv", "--on", "dob,sex")
        # By hand: people who share birthday and sex with nobody.
        keys = [(day, line.split(",")[2]) for day, line in zip(born, text.splitlines()[1:])]
        self.assertEqual(before["linked_uniquely"], sum(keys.count(key) == 1 for key in keys))
        self.protect("mondrian")
        after = self.result("tables", "attack", "out.csv", "--register", "register.csv", "--on", "dob,sex")
        self.assertEqual(after["linked_uniquely"], 0)
        self.result("ledger", "init", "ledger")
        added = self.result("ledger", "add", "ledger", "out.csv")["sequence"]
        self.assertEqual((added["attacked"], added["located"]), (True, 1))

    def test_numbers_with_commas_are_numbers(self):
        draw = random.Random(5)
        values = [(draw.randrange(180, 420) / 10, draw.choice(["flu", "gout", "cold"])) for _ in range(200)]
        releases = {}
        for form, write in (("point", "{:.1f}".format), ("comma", lambda number: f"{number:.1f}".replace(".", ","))):
            self.file("people.csv", "id;bmi;illness\n" + "".join(f"P{i};{write(bmi)};{ill}\n" for i, (bmi, ill) in enumerate(values)))
            for method in ("optimal", "mondrian", "microaggregate"):
                result = self.result("tables", "protect", "people.csv", "--id", "id", "--qi", "bmi", "--sensitive", "illness", "--k", "5",
                                     "--seed", "1", "--method", method, "--out", "out.csv")
                self.assertNotIn("warnings", result)
                self.assertLess(result["metrics"]["lm"], 0.5)
                self.assertTrue(self.result("verify", "out.csv")["holds"])
                self.assertEqual(self.result("report", "out.csv", "--out", "report.json")["standing"], "holds")
                releases.setdefault(method, set()).add((self.path / "out.csv").read_text())
        self.assertEqual([len(texts) for texts in releases.values()], [1, 1, 1])  # the same release of both
        # Whoever has a list with commas finds the people of the original by it.
        self.result("tables", "attack", "people.csv", "--register", "people.csv", "--on", "bmi")
        self.result("ledger", "init", "ledger")
        self.assertEqual(self.result("ledger", "add", "ledger", "out.csv", "--max-breach", "1")["sequence"]["located"], 1)

    def test_a_population_is_read_in_its_own_form_of_numbers(self):
        draw = random.Random(6)
        everybody = [draw.randrange(180, 420) / 10 for _ in range(400)]
        forms = {"point": "{:.1f}".format, "comma": lambda number: f"{number:.1f}".replace(".", ",")}
        releases = set()
        for ours in forms:
            for theirs in forms:
                self.file("people.csv", "bmi;illness\n" + "".join(
                    f"{forms[ours](bmi)};{['flu', 'gout'][i % 2]}\n" for i, bmi in enumerate(everybody[:100])))
                self.file("everybody.csv", "bmi;city\n" + "".join(f"{forms[theirs](bmi)};Bonn\n" for bmi in everybody))
                result = self.result("tables", "protect", "people.csv", "--qi", "bmi", "--sensitive", "illness", "--k-map", "5",
                                     "--population", "everybody.csv", "--method", "mondrian", "--seed", "1", "--out", "out.csv")
                self.assertNotIn("comma", " ".join(result["warnings"]))
                claim, = self.result("verify", "out.csv")["claims"]
                # By the definition: of everybody, those whose value the cell holds.
                fewest = 400
                for row in (self.path / "out.csv").read_text().splitlines()[1:]:
                    low, _, high = row.split(";")[0].partition("..")
                    fewest = min(fewest, sum(float(low) <= bmi <= float(high or low) for bmi in everybody))
                self.assertEqual(claim["achieved"], fewest)
                self.assertGreaterEqual(fewest, 5)
                releases.add((self.path / "out.csv").read_text())
        self.assertEqual(len(releases), 1)

    def test_a_comma_that_may_stand_between_thousands_is_asked_about(self):
        self.file("people.csv", "id;bill;illness\n" + "".join(f"P{i};{1 + i % 9},{100 + i % 7};flu\n" for i in range(60)))
        protect = ("tables", "protect", "people.csv", "--id", "id", "--qi", "bill", "--sensitive", "illness", "--k", "5", "--method",
                   "mondrian", "--out", "out.csv")
        self.assertIn("--number-form bill=decimal-comma", self.error(*protect))
        self.result(*protect, "--number-form", "bill=thousands-comma")
        self.assertRegex((self.path / "out.csv").read_text(), r"(?m)^\d{4}\.\.\d{4};flu$")
        self.assertIn("not all numbers", self.error(*protect, "--number-form", "bill=point"))
        self.assertIn("quasi-identifier", self.error(*protect, "--number-form", "illness=decimal-comma"))


if __name__ == "__main__":
    unittest.main()
