#!/usr/bin/env python3
"""people_test.py PROGRAM: several rows of one person, from the question to the ledger."""
import collections
import csv
import json
import random
import unittest

from program_in_folder import ProgramInFolder


def visits(people=300, seed=7):
    draw = random.Random(seed)
    rows = []
    for person in range(people):
        age, sex, illness = draw.randint(20, 79), draw.choice("FM"), draw.choice(["flu", "cold", "gout", "angina"])
        for _ in range(draw.choice([1, 1, 2, 3, 6])):
            rows.append([len(rows), 5000 + person, age, sex, illness, draw.choice("ABC")])
    draw.shuffle(rows)
    return rows


class PeopleTest(ProgramInFolder):
    COLUMNS = ("--id", "visit_id", "--qi", "age,sex", "--sensitive", "illness", "--insensitive", "ward", "--hierarchy",
               "age=interval:5,10,20")

    def setUp(self):
        super().setUp()
        self.people = visits()
        self.file("visits.csv", "visit_id,patient_nbr,age,sex,illness,ward\n" +
                  "".join(",".join(map(str, row)) + "\n" for row in self.people))

    def protect(self, *options, **kwargs):
        return self.result("tables", "protect", "visits.csv", *self.COLUMNS, "--k", "5", "--seed", "1", "--out", "out.csv",
                           *options, **kwargs)

    def alone(self):
        """How many people have been in wards, taken together, as nobody else has with their illness, which no model holds."""
        wards = {}
        for row in self.rows("out.csv"):
            wards.setdefault(row["patient_nbr"], []).append((row["ward"], row["illness"]))
        alike = collections.Counter(tuple(sorted(of_person)) for of_person in wards.values())
        return sum(count == 1 for count in alike.values())

    def test_rows_that_a_number_joins_single_people_out_together(self):
        """Every ward has many patients, so no row stands alone; three visits to A, B and C may."""
        result = self.protect("--person", "patient_nbr")
        self.assertGreater(self.alone(), 0)
        self.assertEqual(result["after"]["singled_out"], self.alone())
        self.assertIn("overwritten", result["metrics"])

    def test_who_has_no_private_manifest_does_not_take_several_values_for_a_forgery(self):
        """Illness is one per person in setUp; ward is not."""
        self.result("tables", "protect", "visits.csv", "--id", "visit_id", "--qi", "age,sex", "--sensitive", "ward", "--insensitive",
                    "illness", "--hierarchy", "age=interval:5,10,20", "--person", "patient_nbr", "--k", "5", "--seed", "1", "--out",
                    "wards.csv")
        self.assertTrue(self.result("verify", "wards.csv")["holds"])
        (self.path / ".pratique").rename(self.path / "kept")
        self.assertTrue(self.result("verify", "wards.csv")["holds"])
        self.result("report", "wards.csv", "--public", "--purpose", "x", "--out", "wards.html")

    def test_cells_of_another_visit_are_measured(self):
        """Two people whose ages grow: 29 and 30 in 20..29 contradict one row each, 31 and 32 in 30..39 none."""
        rows = "".join(f"{p},{age}\n" for p in range(4) for age in ([29, 29, 30] if p < 2 else [31, 31, 32]))
        self.file("grow.csv", "patient,age\n" + rows)
        result = self.result("tables", "protect", "grow.csv", "--person", "patient", "--qi", "age", "--hierarchy",
                             "age=interval:10", "--k", "2", "--method", "levels", "--levels", "age=1", "--out", "grown.csv")
        self.assertEqual(result["rows_changed"], 4)
        self.assertAlmostEqual(result["metrics"]["overwritten"], 2 / 12)

    def test_an_attack_counts_people(self):
        """One man of 50 with three visits is one person, and found; the manifest says whose rows they are."""
        self.file("visits.csv", "patient,age,illness\n" + "".join(f"p{i},{30 + i // 5 * 10},flu{i % 2}\n" * 3 for i in range(10)))
        self.result("tables", "protect", "visits.csv", "--person", "patient", "--qi", "age", "--sensitive", "illness", "--k",
                    "5", "--method", "levels", "--levels", "age=0", "--hierarchy", "age=interval:10", "--out", "out.csv")
        self.file("register.csv", "name,age\nAnn,30\n")
        found = self.result("tables", "attack", "out.csv", "--register", "register.csv", "--on", "age")
        self.assertEqual(found["release_rows"], 10)
        self.file("one.csv", "whose,age\n" + "x,50\n" * 3)
        rows = self.result("tables", "attack", "one.csv", "--register", self.file("r.csv", "name,age\nBob,50\n"), "--on", "age")
        people = self.result("tables", "attack", "one.csv", "--register", "r.csv", "--on", "age", "--person", "whose")
        self.assertEqual((rows["linked_uniquely"], people["linked_uniquely"]), (0, 1))

    def test_people_and_rows_that_are_people_contradict_each_other(self):
        told = self.error("tables", "protect", "visits.csv", *self.COLUMNS, "--k", "5", "--person", "patient_nbr",
                          "--rows-are-people", "--out", "out.csv")
        self.assertIn("contradict", told)

    def test_the_chart_of_the_original_counts_each_person_once(self):
        """40 people of whom two rows say 30 and one says 31 are one class of 40, not two."""
        self.file("grow.csv", "patient,age\n" + "".join(f"{p},30\n{p},30\n{p},31\n" for p in range(40)))
        self.result("tables", "protect", "grow.csv", "--person", "patient", "--qi", "age", "--k", "5", "--out", "out.csv")
        self.result("report", "out.csv", "--out", "report.json")
        chart = json.loads((self.path / "report.json").read_text())["releases"][0]["charts"]["groups"][0]
        for series in range(len(chart["series"])):
            self.assertEqual(sum(row["values"][series] or 0 for row in chart["rows"]), 40, chart["series"][series])

    def test_five_rows_of_one_patient_are_one_person(self):
        told = self.error("tables", "protect", "visits.csv", "--id", "visit_id,patient_nbr", *self.COLUMNS[2:], "--k", "5",
                          "--out", "out.csv")
        self.assertIn("--person patient_nbr", told)
        self.assertIn("--rows-are-people", told)
        result = self.protect("--person", "patient_nbr", "--l", "2")
        self.assertEqual((result["people_in"], result["rows_in"]), (300, len(self.people)))
        people = {}
        for row in self.rows("out.csv"):
            people.setdefault((row["age"], row["sex"]), set()).add(row["patient_nbr"])
        self.assertGreaterEqual(min(map(len, people.values())), 5)
        self.assertEqual(result["models"]["k"]["achieved"], min(map(len, people.values())))
        released = {int(row["patient_nbr"]) for row in self.rows("out.csv")}
        self.assertEqual(released, set(range(1, result["people_out"] + 1)))
        checked = self.result("verify", "out.csv")
        self.assertIn("people", checked["claims"][0]["explanation"])

    def test_the_rest_of_the_flow_counts_people(self):
        self.protect("--person", "patient_nbr")
        report = self.result("report", "out.csv", "--out", "report.json")
        self.assertEqual(report["standing"], "holds")
        self.assertTrue(self.result("repeat", "out.csv")["same"])
        self.result("ledger", "init", "ledger")
        added = self.result("ledger", "add", "ledger", "out.csv", "--max-breach", "1")
        self.assertEqual(added["sequence"]["people"], 300)
        self.assertAlmostEqual(added["sequence"]["singled_out"], self.alone() / 300)
        self.assertGreaterEqual(added["sequence"]["k_alone"], 5)
        self.assertIn("models", self.result("tables", "explain", "out.csv", "--class", "1"))
        points = self.result("tables", "explore", "visits.csv", *self.COLUMNS, "--person", "patient_nbr", "--ks", "5",
                             "--methods", "optimal", "--out", "map")["points"]
        self.assertEqual(len(points), 1)

    def test_risk_is_that_of_people(self):
        rows = "".join(f"{who},{age}\n" for who, age in [("a", 30), ("a", 30), ("b", 40), ("b", 40), ("b", 41), ("c", 40)])
        self.file("few.csv", "patient,age\n" + rows)
        asked = self.error("tables", "assess", "few.csv", "--qi", "age")
        self.assertTrue(asked.rstrip().endswith("--person patient"), asked)
        self.assertIn("--rows-are-people", asked)
        self.assertIn("contradict", self.error("tables", "assess", "few.csv", "--qi", "age", "--person", "patient",
                                               "--rows-are-people"))
        # The map of risk and utility asks as well, and whatever nobody gave a role.
        self.assertIn("--person patient", self.error("tables", "explore", "few.csv", "--qi", "age", "--ks", "2", "--out", "map"))
        by_rows = self.result("tables", "assess", "few.csv", "--qi", "age", "--rows-are-people")
        people = self.result("tables", "assess", "few.csv", "--qi", "age", "--person", "patient")
        self.assertEqual((by_rows["rows"], people["rows"]), (6, 3))
        # a alone is 30; b is 40 by most of the rows, as c is.
        self.assertEqual((people["classes"], people["unique"]), (2, 1))

    def test_visits_that_are_overwritten_are_warned_about(self):
        # Each has one visit a year: of three rows two leave with the age of the third.
        rows = "".join(f"{who},{30 + who % 3 + visit}\n" for who in range(60) for visit in range(3))
        self.file("years.csv", "patient,age\n" + rows)
        result = self.result("tables", "protect", "years.csv", "--person", "patient", "--qi", "age", "--k", "5", "--out", "out.csv")
        self.assertEqual(result["rows_changed"], 120)
        self.assertIn("67 % of the rows", " ".join(result["warnings"]))

    def test_several_illnesses_of_one_person(self):
        rows = "".join(f"{who},{30 + who % 6},{['flu', 'gout', 'cold'][(who + visit) % 3]}\n" for who in range(60) for visit in range(2))
        self.file("ills.csv", "patient,age,ill\n" + rows)
        asked = ("tables", "protect", "ills.csv", "--person", "patient", "--qi", "age", "--sensitive", "ill", "--hierarchy",
                 "age=interval:10", "--k", "5")
        self.assertEqual(self.result(*asked, "--method", "levels", "--levels", "age=1", "--out", "out.csv")["not_measured"], ["ill"])
        # The report says it in its first lines, and a next version what to do.
        verdict = self.result("report", "out.csv", "--out", "report.json")["releases"][0]["verdict"]
        self.assertIn("Not attacked, because somebody has several values of it: ill.", verdict)
        told = self.error(*asked, "--method", "again", "--against", "out.csv", "--out", "next.csv")
        self.assertIn("one value for each person", told)
        self.assertIn("pratique codes protect", told)

    def test_money_is_nobodys_number(self):
        self.file("bills.csv", "Erlös,age\n" + "".join(f"{1000 + i % 60},{20 + i % 5}\n" for i in range(100)))
        self.result("tables", "protect", "bills.csv", "--id", "Erlös", "--qi", "age", "--k", "5", "--out", "out.csv")

    def test_a_row_that_moves_to_another_class_is_noticed(self):
        self.protect("--person", "patient_nbr")
        rows = self.rows("out.csv")
        manifest = json.loads((self.path / "out.csv.manifest.json").read_text())
        classes = {row["age"] for row in rows}
        several = next(row for row in rows
                       if sum(other["patient_nbr"] == row["patient_nbr"] for other in rows) > 1)
        several["age"] = next(age for age in sorted(classes) if age != several["age"])
        with open(self.path / "out.csv", "w", newline="") as out:
            writer = csv.DictWriter(out, rows[0])
            writer.writeheader()
            writer.writerows(rows)
        self.assertFalse(self.result("verify", "out.csv", exit_code=1)["claims"][0]["holds"])
        self.assertEqual(manifest["claims"][0]["person"], "patient_nbr")

    def test_identifiers_from_a_settings_file_contradict_nothing(self):
        self.file("c.yaml", "identifiers: [visit_id]\nquasi_identifiers: [age, sex]\nsensitive: [illness]\n"
                            "insensitive: [ward]\nhierarchies: {age: 'interval:5,10,20'}\nmodels: {k: 5}\n")
        for person in (("--person", "patient_nbr"), ()):
            if not person:
                self.file("c.yaml", (self.path / "c.yaml").read_text() + "person: patient_nbr\n")
            self.result("tables", "protect", "visits.csv", "--config", "c.yaml", *person, "--out", "out.csv")
            self.assertTrue(self.result("report", "out.csv", "--out", "report.html")["holds"])

    def test_rows_may_be_people_all_the_same(self):
        result = self.result("tables", "protect", "visits.csv", "--id", "visit_id,patient_nbr", *self.COLUMNS[2:], "--k", "5",
                             "--rows-are-people", "--out", "out.csv")
        self.assertNotIn("people_in", result)
        # It stays visible to whoever reads about the release.
        self.result("report", "out.csv", "--out", "report.html")
        self.assertIn("--rows-are-people", (self.path / "report.html").read_text())
        self.assertEqual(list(self.result("verify", "out.csv").items())[0], ("rows_are_people", True))
        self.result("ledger", "init", "l.ledger")
        self.assertEqual(list(self.result("ledger", "add", "l.ledger", "out.csv").items())[0], ("rows_are_people", True))
        self.assertTrue(self.result("ledger", "show", "l.ledger", "1")["body"]["rows_are_people"])


    def test_names_that_repeat_are_asked_about_only_where_no_number_tells_people_apart(self):
        given = ["Emma", "Hugo", "Louis", "Manon"]
        for header, asked in (("N° IPP", False), ("Fallnummer", True)):
            rows = "".join(f"{given[i % 4]};{80000 + i};{20 + i % 3}\n" for i in range(60))
            table = self.file("t.csv", f"Prénom;{header};age\n" + rows)
            protect = ["tables", "protect", table, "--id", f"Prénom,{header}", "--qi", "age", "--k", "5", "--out", "out.csv"]
            if asked:
                self.assertIn("'Prénom' repeats", self.error(*protect))
            else:
                self.result(*protect)
        # The number is offered as --person, though the name comes first.
        table = self.file("t.csv", "name;patient_nbr;age\n" + "".join(f"{given[i % 4]};{800 + i // 2};{20 + i // 2 % 3}\n" for i in range(60)))
        self.assertIn("--person patient_nbr", self.error("tables", "protect", table, "--id", "name,patient_nbr", "--qi", "age", "--k", "5",
                                                         "--out", "o.csv"))

    def test_who_came_more_often_than_all_others_of_the_class_is_warned_about(self):
        rows = [f"{700 + i},{20 + i % 2},flu\n" for i in range(20)] + [f"{700 + i},{20 + i % 2},flu\n" for i in (3, 4, 6, 8) for _ in range(i)]
        table = self.file("t.csv", "patient,age,illness\n" + "".join(rows[:20]))
        protect = ["tables", "protect", table, "--person", "patient", "--qi", "age", "--sensitive", "illness", "--k", "5", "--out", "o.csv"]
        self.assertNotIn("as many rows", str(self.result(*protect)["warnings"]))
        self.file("t.csv", "patient,age,illness\n" + "".join(rows))
        found = self.result(*protect)
        self.assertIn("4 people are the only one of their class with as many rows", str(found["warnings"]))
        self.assertEqual(found["after"]["alone_by_rows"], 4)
        # So do the report's verdict and the ledger, which counts nobody as exposed for it.
        verdict = self.result("report", "o.csv", "--out", "o.html")["releases"][0]["verdict"]
        self.assertRegex(verdict, "By how many rows somebody has, .* of the released people stand alone in their class.")
        self.result("ledger", "init", "rows.ledger")
        entry = self.result("ledger", "add", "rows.ledger", "o.csv", "--max-breach", "1")
        self.assertEqual(entry["sequence"]["alone_by_rows"], 0.2)
        path = self.path / "o.csv.manifest.json"
        manifest = json.loads(path.read_text())
        del manifest["results"]["after"]["alone_by_rows"]
        path.write_text(json.dumps(manifest))
        self.result("verify", "o.csv", exit_code=1)


if __name__ == "__main__":
    unittest.main()
