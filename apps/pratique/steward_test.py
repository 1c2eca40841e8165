#!/usr/bin/env python3
"""What a hospital's steward meets: files in the forms that hospitals write. Run by ctest as: steward_test.py PROGRAM"""
import datetime
import json
import random
import shlex
import unittest

from fusion_web_test import RULES
from program_in_folder import ProgramInFolder


def csv_text(header, rows, delimiter=","):
    return "".join(delimiter.join(map(str, row)) + "\n" for row in [header.split(","), *rows])


def comma(number):
    return f"{number:.1f}".replace(".", ",")


class FusedListsTest(ProgramInFolder):
    """Decimal commas in every file that an adversary of named lists reads."""

    def setUp(self):
        super().setUp()
        self.file("rules.fcl", RULES)
        draw = random.Random(7)
        self.people = []
        for _ in range(120):
            valuation, holdings = draw.randrange(10, 100) / 10, draw.randrange(5000, 55000) / 10
            income = 30000 + 2500 * valuation + 9 * holdings + draw.randrange(-2000, 2000)
            self.people.append(("Ann " + "".join(draw.choices("bcdfghklmnprst", k=12)), valuation, holdings, income))

    def write(self, form, thousands=None):
        self.file("list.csv", csv_text("name,valuation,points,income",
                                       [(n, form(v), form(v + 1), form(i)) for n, v, _, i in self.people], ";"))
        self.file("web.csv", csv_text("name,holdings", [(n, form(h)) for n, _, h, _ in self.people], ";"))
        self.file("release.csv", csv_text("name,valuation", [(n, form(v)) for n, v, _, _ in self.people], ";"))

    def web(self, *more, **options):
        return self.result("fusion", "web", "--release", "release.csv", "--auxiliary", "web.csv", "--key", "name", "--target", "income",
                           "--rules", "rules.fcl", "--truth", "list.csv", *more, **options)

    def fred(self, *more, **options):
        return self.result("fusion", "fred", "list.csv", "--auxiliary", "web.csv", "--key", "name", "--qi", "valuation", "--target",
                           "income", "--rules", "rules.fcl", "--tp", "1e7", "--tu", "1e-6", "--k-max", "5", "--seed", "1", "--out",
                           "out.csv", "--force", *more, **options)

    def test_commas_change_no_figure(self):
        found = []
        for form in (lambda number: f"{number:.1f}", comma):
            self.write(form)
            web, fred = self.web(), self.fred("--insensitive", "points", "--allow", "points")
            self.assertEqual(web["scored"], 120)
            self.assertTrue(self.result("verify", "out.csv")["holds"])
            cells = sorted((row["name"], row["valuation"]) for row in csv_rows(self.path / "out.csv", ";"))
            found.append(({key: web[key] for key in ("within_10_percent", "dissimilarity_after", "dissimilarity_before")}, fred["k_opt"],
                          fred["released"], cells))
        self.assertEqual(found[0], found[1])
        # What is no quasi-identifier leaves as it was written.
        points = {row["name"]: row["points"] for row in csv_rows(self.path / "out.csv", ";")}
        self.assertEqual(points, {n: comma(v + 1) for n, v, _, _ in self.people})
        drafted = self.result("fusion", "rules", "--from", "list.csv", "--auxiliary", "web.csv", "--key", "name", "--target", "income",
                              "--inputs", "valuation,holdings")
        self.assertEqual(drafted["rows_used"], 120)

    def test_commas_that_mean_two_things_are_asked_about(self):
        self.write(lambda number: f"{number:.1f}")
        self.file("web.csv", csv_text("name,holdings", [(n, f"{1 + i % 5},{500 + i}") for i, (n, *_) in enumerate(self.people)], ";"))
        ask = ["fusion", "web", "--release", "release.csv", "--auxiliary", "web.csv", "--key", "name", "--target", "income", "--rules",
               "rules.fcl", "--truth", "list.csv"]
        self.assertIn("--number-form holdings=thousands-comma", self.error(*ask))
        small = self.result(*ask, "--number-form", "holdings=decimal-comma")
        large = self.result(*ask, "--number-form", "holdings=thousands-comma")
        small, large = (next(row for row in found["adversaries"] if row["adversary"] == "rules") for found in (small, large))
        self.assertNotEqual(small["dissimilarity_after"], large["dissimilarity_after"])
        self.assertIn("in no file", self.error(*ask, "--number-form", "holdings=thousands-comma", "--number-form", "valuation=decimal-comma"))

    def test_numbers_that_cannot_be_read_are_refused_by_name(self):
        self.write(lambda number: f"{number:.1f}")
        self.file("web.csv", csv_text("name,holdings", [(n, f"{h / 1000:.1f}'000") for n, _, h, _ in self.people], ";"))
        for words in (["web", "--release", "release.csv", "--truth", "list.csv", "--fail-above", "0.9"],
                      ["fred", "list.csv", "--qi", "valuation", "--insensitive", "points", "--allow", "points", "--tp", "1", "--tu",
                       "1e-9", "--out", "out.csv"]):
            self.assertIn("'holdings'", self.error("fusion", *words, "--auxiliary", "web.csv", "--key", "name", "--target", "income",
                                                   "--rules", "rules.fcl"))

    def test_dates_of_a_list_are_dates(self):
        self.file("list.csv", csv_text("name,valuation,born,income",
                                       [(n, v, f"{1 + i % 28:02}.{1 + i % 12:02}.{1950 + i % 40}", i * 100 + 30000)
                                        for i, (n, v, _, _) in enumerate(self.people)]))
        self.file("web.csv", csv_text("name,holdings", [(n, h) for n, _, h, _ in self.people]))
        self.fred("--qi", "born", "--method", "mondrian")
        for row in self.rows("out.csv"):
            self.assertRegex(row["born"], r"^\d{4}-\d\d-\d\d(\.\.\d{4}-\d\d-\d\d)?$|^\*$")

    def test_nothing_leaves_beside_names_that_nobody_decided_about(self):
        self.file("web.csv", csv_text("name,holdings", [(n, h) for n, _, h, _ in self.people]))
        rows = [(n, f"{101 + i}-12-{1001 + i}", f"{1931 + i % 60}-03-02", f"p{i}@example.org", v, i * i % 7 % 3, m)
                for i, (n, v, _, m) in enumerate(self.people)]
        self.file("list.csv", csv_text("name,SSN,DOB,email,valuation,stars,income", rows))
        ask = ["fusion", "fred", "list.csv", "--auxiliary", "web.csv", "--key", "name", "--qi", "valuation", "--target", "income",
               "--rules", "rules.fcl", "--tp", "1", "--tu", "1e-9", "--k-max", "3", "--seed", "1", "--out", "out.csv"]
        told = self.error(*ask)
        self.assertIn("nobody decided about 4 of its columns", told)
        self.assertFalse(list(self.path.glob("out.csv*")))
        # The words to add, as they stand there, are enough.
        words = shlex.split(told.strip().splitlines()[-1])
        self.assertIn("SSN", words[words.index("--id") + 1].split(","))
        self.result(*ask, *words)
        released = self.rows("out.csv")[0]
        self.assertFalse({"SSN", "email"} & set(released))
        self.assertTrue(self.result("verify", "out.csv")["holds"])
        # Names stay, so what follows from a valuation tells each person's, however wide its class is.
        self.file("points.csv", csv_text("name,valuation,points,income", [(n, v, v + 1, m) for n, v, _, m in self.people]))
        self.assertIn("points: it follows from 'valuation'",
                      self.error("fusion", "fred", "points.csv", *ask[3:], "--insensitive", "points", "--force"))
        # What names people leaves only by its name, and everybody is told first.
        some = ["--id", "SSN,DOB", "--insensitive", "email,stars", "--force"]
        self.assertIn("--allow email", self.error(*ask, *some))
        self.result(*ask, *some, "--allow", "email")
        self.assertEqual({row["email"] for row in self.rows("out.csv")}, {row[3] for row in rows})
        self.assertEqual(list(self.result("verify", "out.csv").items())[0], ("allowed", ["email"]))
        self.result("report", "out.csv", "--out", "report.html")
        self.assertIn("Left as it is although it may tell who somebody is: email", (self.path / "report.html").read_text())
        self.result("ledger", "init", "l.ledger")
        added = self.result("ledger", "add", "l.ledger", "out.csv", "--allow-unattacked")
        self.assertEqual(list(added.items())[0], ("allowed", ["email"]))
        # Whoever cuts that out is contradicted by the file.
        manifest = json.loads((self.path / "out.csv.manifest.json").read_text())
        manifest["parameters"].pop("allowed")
        self.file("out.csv.manifest.json", json.dumps(manifest))
        said = self.result("verify", "out.csv", "--private", "nowhere", exit_code=1)
        self.assertTrue(any("'email' " in text for text in said["contradictions"]), said["contradictions"])

    def test_five_rows_of_a_person_are_no_crowd(self):
        self.file("web.csv", csv_text("name,holdings", [(n, h) for n, _, h, _ in self.people]))
        self.file("list.csv", csv_text("name,valuation,income", [(n, v, i) for n, v, _, i in self.people for _ in range(5)]))
        ask = ["fusion", "fred", "list.csv", "--auxiliary", "web.csv", "--key", "name", "--qi", "valuation", "--target", "income",
               "--rules", "rules.fcl", "--tp", "1", "--tu", "1e-9", "--k-max", "3", "--seed", "1", "--out", "out.csv"]
        self.assertIn("--rows-are-people", self.error(*ask))
        self.assertFalse(list(self.path.glob("out.csv*")))
        self.result(*ask, "--rows-are-people")
        self.assertEqual(list(self.result("verify", "out.csv").items())[0], ("rows_are_people", True))
        self.result("report", "out.csv", "--out", "report.html")
        self.assertIn("--rows-are-people", (self.path / "report.html").read_text())


def csv_rows(path, delimiter):
    header, *rows = (line.split(delimiter) for line in path.read_text().splitlines())
    return [dict(zip(header, row)) for row in rows]


class LinkedFilesTest(ProgramInFolder):
    """Registers and targets in their own forms of dates and numbers, with slips in them."""

    def setUp(self):
        super().setUp()
        draw = random.Random(11)
        first = datetime.date(1940, 1, 1)
        self.people = [(f"p{i}", first + datetime.timedelta(days=draw.randrange(20000)), draw.randrange(100, 2000) / 10,
                        draw.choice("ABCD")) for i in range(200)]

    def write(self, name, day, number=str, columns="patient,dob,weight,dx"):
        self.file(name, csv_text(columns, [(p, day(d), number(w), x)[:columns.count(",") + 1] for p, d, w, x in self.people], ";"))

    def test_a_register_with_slips_is_read_and_they_are_counted(self):
        self.write("in.csv", str)
        self.write("register.csv", lambda d: "31.02.1970" if d.day == 1 else d.strftime("%d.%m.%Y"), comma)
        attack = ["tables", "attack", "in.csv", "--register", "register.csv", "--on", "dob,weight"]
        slips = sum(d.day == 1 for _, d, _, _ in self.people)
        self.assertGreater(slips, 0)
        found = self.result(*attack)
        self.assertEqual(found["unread_register"], {"dob": slips})
        self.assertEqual(found["linked_uniquely"], 200 - slips)
        self.assertIn("could not be read", found["note"])

    def test_dates_that_mean_two_things_are_asked_about(self):
        self.people = [(p, d.replace(day=1 + i % 12), w, x) for i, (p, d, w, x) in enumerate(self.people)]
        self.write("in.csv", str)
        self.write("register.csv", lambda d: d.strftime("%m/%d/%Y"))
        alone = len([1 for _, d, _, _ in self.people if sum(d == other for _, other, _, _ in self.people) == 1])
        attack = ["tables", "attack", "in.csv", "--register", "register.csv", "--on", "dob"]
        self.assertIn("--date-form dob=month-first", self.error(*attack))
        self.assertEqual(self.result(*attack, "--date-form", "dob=month-first")["linked_uniquely"], alone)
        self.assertIn("'born' is compared", self.error(*attack, "--date-form", "born=month-first"))
        population = ["tables", "assess", "in.csv", "--qi", "dob", "--population", "register.csv"]
        self.assertIn("--date-form dob=day-first", self.error(*population))
        self.result(*population, "--date-form", "dob=month-first")

    def releases(self):
        self.write("in.csv", str)
        for k in ("2", "3"):
            self.result("tables", "protect", "in.csv", "--id", "patient", "--qi", "dob,weight", "--sensitive", "dx", "--k", k, "--method",
                        "mondrian", "--seed", "1", "--out", f"r{k}.csv")

    def compose(self, *more, **options):
        return self.result("fusion", "compose", "--release", "r2.csv", "--release", "r3.csv", "--qi", "dob,weight", "--sensitive", "dx",
                           *more, **options)

    def test_targets_are_read_in_their_own_form(self):
        self.releases()
        self.write("targets.csv", lambda d: d.strftime("%d.%m.%Y"), comma)
        figures = ("located", "perfect_breach", "vulnerable", "breach_at", "differenced", "tried")
        here, there = self.compose("--targets", "in.csv"), self.compose("--targets", "targets.csv")
        self.assertEqual([here[key] for key in figures], [there[key] for key in figures])
        self.assertEqual((here["located"], here["tried"]), (1, True))

    def test_targets_of_two_meanings_are_asked_about(self):
        self.people = [(p, d.replace(day=1 + i % 12), w, x) for i, (p, d, w, x) in enumerate(self.people)]
        self.releases()
        self.write("targets.csv", lambda d: d.strftime("%m/%d/%Y"))
        ask = ["fusion", "compose", "--release", "r2.csv", "--release", "r3.csv", "--qi", "dob,weight", "--sensitive", "dx", "--targets",
               "targets.csv"]
        self.assertIn("--date-form dob=month-first", self.error(*ask))
        self.assertEqual(self.result(*ask, "--date-form", "dob=month-first")["located"], 1)

    def test_what_could_not_be_compared_was_not_tried(self):
        self.releases()
        self.write("targets.csv", lambda d: f"the year {d.year}", lambda w: f"{w} kg")
        found = self.compose("--targets", "targets.csv", "--max-breach", "0.5", exit_code=1)
        self.assertEqual((found["tried"], found["perfect_breach"], found["vulnerable"], found["differenced"]), (False, None, None, None))
        shown = self.run_program("fusion", "compose", "--release", "r2.csv", "--release", "r3.csv", "--qi", "dob,weight", "--sensitive",
                                 "dx", "--targets", "targets.csv").stdout.decode()
        self.assertIn("not tried", shown)
        self.assertNotRegex(shown, r"one value left\s+0 %")

    def test_a_register_in_which_people_repeat_is_asked_about(self):
        self.releases()
        self.write("register.csv", str, columns="patient,dob,weight")
        once = (self.path / "register.csv").read_text()
        self.file("register.csv", once + "".join(once.splitlines(keepends=True)[1:]))
        attack = ["tables", "attack", "in.csv", "--rows-are-people", "--register", "register.csv", "--on", "dob,weight"]
        self.assertEqual(self.result(*attack)["targets"], 400)
        attack.remove("--rows-are-people")
        self.assertIn("--register-person patient", self.error(*attack))
        self.assertEqual(self.result(*attack, "--register-person", "patient")["targets"], 200)
        compose = ["fusion", "compose", "--release", "r2.csv", "--release", "r3.csv", "--qi", "dob,weight", "--sensitive", "dx", "--targets",
                   "register.csv"]
        self.assertIn("--person patient", self.error(*compose))
        self.assertEqual(self.result(*compose, "--person", "patient")["targets"], 200)
        self.assertEqual(self.result(*compose, "--rows-are-people")["targets"], 400)

    def test_a_voter_list_in_its_own_form_names_summaries(self):
        codes = ["A01", "B02", "C03", "D04"]
        self.file("release.csv", csv_text("patient,code", [(i, codes[(i + j) % 4]) for i in range(40) for j in range(2)]))
        people = self.people[:40]
        days = {d: sum(other == d for _, other, _, _ in people) for _, d, _, _ in people}
        self.file("summaries.csv", csv_text("dob,code", [(d, codes[i % 4]) for i, (_, d, _, _) in enumerate(people)]))
        attack = ["codes", "attack", "release.csv", "--discharge", "summaries.csv", "--names", "voters.csv", "--on", "dob"]
        named = sum(count == 1 for count in days.values())
        for form in ("%Y-%m-%d", "%d.%m.%Y", "%m/%d/%Y"):
            self.file("voters.csv", csv_text("voter_id,dob", [(p, d.strftime(form)) for p, d, _, _ in people]))
            self.assertEqual(self.result(*attack)["summaries_named"], named)
        lines = (self.path / "voters.csv").read_text()
        self.file("voters.csv", lines + lines.splitlines()[-1] + "\n")
        self.assertIn("'voter_id' repeats", self.error(*attack))
        self.assertEqual(self.result(*attack, "--rows-are-people")["summaries_named"], named - 1)


class SuggestedRolesTest(ProgramInFolder):
    def test_free_text_and_other_peoples_names_do_not_leave(self):
        draw = random.Random(1)
        first = "Anna Berta Clara Dora Emma Frieda Greta Hanna Ida Julia Karl Otto Max Paul Hans Ruth".split()
        last = "Meier Schmidt Huber Klein Gross Weber Koch Bauer Wolf Vogel Lang Roth Beck Frank Jung".split()
        notes = ["patient stable", "called wife Mrs Klein", "no complaints today", "discharged to home", "refused medication",
                 "told Dr Huber about the fall", "see letter", "n/a", "pain improved"]
        texts = ["note", "visit_notes", "comment", "remarks", "Bemerkung", "freitext", "info"]
        people = ["mother", "mothers_name", "father", "next_of_kin", "referring_physician"]
        rows = []
        for i in range(300):
            said = [draw.choice(notes) for _ in texts[:-1]] + [f"told {draw.choice(first)} {draw.choice(last)} to come again"]
            rows.append([20 + i % 60, draw.choice("FM"), draw.choice("ABCD"), *said, *(draw.choice(first) for _ in people)])
        self.file("in.csv", csv_text(",".join(["age", "sex", "diagnosis", *texts, *people]), rows))
        roles = {column["name"]: column["suggested_role"] for column in self.result("tables", "profile", "in.csv")["columns"]}
        self.assertEqual({name: roles[name] for name in texts + people}, {name: "identifier" for name in texts + people})
        self.assertEqual([roles[name] for name in ("age", "sex", "diagnosis")], ["quasi-identifier", "quasi-identifier", "sensitive"])
        self.result("tables", "protect", "in.csv", "--roles", "suggested", "--k", "5", "--seed", "1", "--out", "out.csv")
        self.assertEqual((self.path / "out.csv").read_text().splitlines()[0], "age,sex,diagnosis")

    def test_names_of_people_do_not_leave_under_any_header(self):
        draw = random.Random(3)
        first = "Alice Bob Carol Dev Ewan Fatima Grace Hamish Jürgen Heike Uwe".split()
        last = "Smith Jones Patel Khan Müller Schäfer Lefèvre Gaçon".split()
        people = ("Notfallkontakt,Betreuer,Kontakt,NOK,Carer,Pflegekraft,Nom de jeune fille,Hausarzt,prescripteur,Seen By,Who,Begleitung,"
                  "Versicherter,Patiente,pt,Alias").split(",")
        illness = [f"{kind} {name}" for kind in ("Acute", "Chronic", "Type", "Mild", "Viral") for name in ("Asthma", "Diabetes", "Gout")]
        rows = [[20 + i % 60, draw.choice("FM"), draw.choice(illness),
                 *(f"{draw.choice(first)} {draw.choice(last)}" if name != "Seen By" else f"Mr {draw.choice(last)}" for name in people)]
                for i in range(2000)]
        self.file("in.csv", csv_text(",".join(["age", "sex", "finding", *people]), rows))
        roles = {column["name"]: column["suggested_role"] for column in self.result("tables", "profile", "in.csv")["columns"]}
        self.assertEqual({name: roles[name] for name in people}, {name: "identifier" for name in people})
        self.assertNotEqual(roles["finding"], "identifier")
        protect = ["tables", "protect", "in.csv", "--k", "5", "--seed", "1", "--rows-are-people", "--out", "out.csv"]
        self.result(*protect, "--roles", "suggested")
        self.assertEqual((self.path / "out.csv").read_text().splitlines()[0], "age,sex,finding")
        said = self.error(*protect, "--force", "--qi", "age,sex", "--insensitive", ",".join(["finding", *people]))
        self.assertIn(f"--allow '{','.join(people)}'", said)


class DraftedHierarchyTest(ProgramInFolder):
    """What hierarchy draft writes, tables protect takes."""

    def draft_and_protect(self, values, *more):
        self.file("in.csv", csv_text("x,dx", [(value, "ab"[i % 2]) for i, value in enumerate(values)], ";"))
        self.result("hierarchy", "draft", "in.csv", "x", *more, "--out", "x.csv", "--force")
        protect = ["tables", "protect", "in.csv", "--qi", "x", "--sensitive", "dx", "--k", "4", "--seed", "1", *more, "--force", "--out"]
        self.result(*protect, "own.csv", "--hierarchy", "x=x.csv")
        self.assertTrue(self.result("verify", "own.csv")["holds"])
        self.result(*protect, "usual.csv")
        self.assertEqual((self.path / "own.csv").read_text(), (self.path / "usual.csv").read_text())
        self.result("tables", "hierarchy", "in.csv", "--column", "x", "--hierarchy", "x=x.csv")  # 1 where a value is missing

    def test_decimal_commas(self):
        self.draft_and_protect([comma(20 + i / 4) for i in range(80)])

    def test_words_for_missing(self):
        self.draft_and_protect([*range(20, 90), *["unknown"] * 5])
        self.draft_and_protect([*(f"{1 + i % 28:02}.{1 + i % 12:02}.{1950 + i % 30}" for i in range(70)), *["k.A."] * 5])

    def test_forms_are_asked_about_and_said(self):
        values = [f"{1 + i % 7},{100 + 10 * i}" for i in range(60)]
        self.file("in.csv", csv_text("x,dx", [(value, "a") for value in values], ";"))
        self.assertIn("--number-form x=", self.error("hierarchy", "draft", "in.csv", "x", "--out", "x.csv"))
        self.result("hierarchy", "draft", "in.csv", "x", "--number-form", "x=thousands-comma", "--out", "x.csv")
        self.result("tables", "protect", "in.csv", "--qi", "x", "--sensitive", "dx", "--k", "4", "--seed", "1", "--out", "own.csv",
                    "--hierarchy", "x=x.csv", "--number-form", "x=thousands-comma")
        self.file("in.csv", csv_text("x,dx", [(f"{1 + i % 12:02}/{1 + i % 11:02}/{1950 + i % 30}", "a") for i in range(60)], ";"))
        self.assertIn("--date-form x=month-first", self.error("hierarchy", "draft", "in.csv", "x", "--out", "y.csv"))
        self.result("hierarchy", "draft", "in.csv", "x", "--date-form", "x=month-first", "--out", "y.csv")
        self.result("tables", "protect", "in.csv", "--qi", "x", "--sensitive", "dx", "--k", "4", "--seed", "1", "--out", "z.csv",
                    "--hierarchy", "x=y.csv", "--date-form", "x=month-first")


class MonthsTest(ProgramInFolder):
    def protect(self, values, *more):
        self.file("in.csv", csv_text("born,dx", [(value, "ab"[i % 2]) for i, value in enumerate(values)]))
        self.result("tables", "protect", "in.csv", "--qi", "born", "--sensitive", "dx", "--k", "4", "--seed", "1", *more, "--force",
                    "--out", "out.csv")
        self.assertTrue(self.result("verify", "out.csv")["holds"])
        return [row["born"] for row in self.rows("out.csv")]

    def test_months_leave_in_ranges(self):
        months = [f"{1940 + i % 40}-{1 + i * 5 % 12:02}" for i in range(120)]
        for method in ("mondrian", "cluster-up", "cluster-down"):
            for cell in self.protect(months, "--method", method):
                self.assertRegex(cell, r"^\d{4}-\d\d(\.\.\d{4}-\d\d)?$")
        for cell in self.protect(months, "--method", "microaggregate"):
            self.assertRegex(cell, r"^\d{4}-\d\d$")
        cells = self.protect([*months, *["unknown"] * 4], "--method", "mondrian")
        self.assertFalse([cell for cell in cells if "|" in cell or "unknown" in cell])
        found = self.result("tables", "attack", "out.csv", "--register", "in.csv", "--on", "born", "--rows-are-people")
        self.assertEqual((found["linked"], found["linked_uniquely"]), (124, 0))

    def test_months_in_another_form_are_refused(self):
        self.file("in.csv", csv_text("born,dx", [(f"{1 + i % 12:02}/{1940 + i % 40}", "ab"[i % 2]) for i in range(120)]))
        self.assertIn("1970-03", self.error("tables", "protect", "in.csv", "--qi", "born", "--sensitive", "dx", "--k", "4", "--out", "out.csv"))


class SaidTest(ProgramInFolder):
    """What results say to people."""

    def test_a_hint_about_a_column_of_several_values_works(self):
        rows = [(i // 2, 30 + i // 2 % 20, "FM"[i // 2 % 2], f"D{i}" if i < 20 else "AB"[i % 2]) for i in range(160)]
        self.file("in.csv", csv_text("patient,age,sex,dx", rows))
        protect = ["tables", "protect", "in.csv", "--person", "patient", "--qi", "age,sex", "--k", "4", "--seed", "1", "--force", "--out",
                   "out.csv"]
        said = " ".join(self.result(*protect, "--sensitive", "dx")["warnings"])
        self.assertIn("several values for one person", said)
        self.assertNotIn("--l 2@dx", said)
        self.error(*protect, "--sensitive", "dx", "--l", "2@dx")
        self.assertIn("--id dx", said)
        self.assertNotIn("warnings", self.result(*protect, "--id", "dx"))
        # Where everybody has one value a model holds it.
        self.file("in.csv", csv_text("patient,age,sex,dx", [(p, a, s, "ABCD"[p * 7 % 4] if p else "rare") for p, a, s, _ in rows]))
        self.assertIn("--l 2@dx", " ".join(self.result(*protect, "--sensitive", "dx")["warnings"]))
        self.result(*protect, "--sensitive", "dx", "--l", "2@dx", exit_code=0)

    def test_a_release_of_nothing_but_stars_is_warned_about(self):
        self.file("in.csv", csv_text("age,sex,dx", [(20 + i, "FM"[i % 2], "AB"[i % 2]) for i in range(12)]))
        protect = ["tables", "protect", "in.csv", "--qi", "age,sex", "--sensitive", "dx", "--seed", "1", "--force", "--out", "out.csv", "--k"]
        result = self.result(*protect, "12", "--method", "optimal")
        self.assertEqual({(row["age"], row["sex"]) for row in self.rows("out.csv")}, {("*", "*")})
        self.assertEqual(result["hidden"], ["age", "sex"])
        self.assertTrue(result["warnings"][0].startswith("NOTHING IS LEFT"))
        manifest = json.loads((self.path / "out.csv.manifest.json").read_text())
        self.assertEqual(manifest["results"]["hidden"], ["age", "sex"])
        self.assertTrue(self.result("verify", "out.csv")["holds"])
        self.result("report", "out.csv", "--out", "report.json")
        verdict = json.loads((self.path / "report.json").read_text())["releases"][0]["verdict"]
        self.assertTrue(verdict.startswith("NOTHING IS LEFT"), verdict)
        result = self.result(*protect, "2")
        self.assertNotIn("NOTHING", " ".join(result.get("warnings", [])))

    def test_profile_reads_as_protect_does(self):
        rows = [(comma(50 + i / 2), f"2019{1 + i % 12:02}{1 + i % 28:02}{i % 24:02}3000", f"{1 + i % 12:02}/{13 + i % 15:02}/2020 08:{i % 60:02}",
                 "unknown" if i % 30 == 0 else i, "AB"[i % 2]) for i in range(90)]
        self.file("in.csv", csv_text("weight,seen,left,n,dx", rows, ";"))
        profile = {column["name"]: column for column in self.result("tables", "profile", "in.csv")["columns"]}
        self.assertEqual([profile[name]["type"] for name in ("weight", "seen", "left", "n")], ["decimal", "date", "date", "integer"])
        result = self.result("tables", "protect", "in.csv", "--qi", "weight,seen,left,n", "--sensitive", "dx", "--k", "2", "--suppression", "1",
                             "--method", "mondrian", "--seed", "1", "--out", "out.csv")
        self.assertTrue(result)
        used = json.loads((self.path / "out.csv.manifest.json").read_text())["parameters"]["hierarchies"]
        self.assertEqual({name: profile[name]["hierarchy"].split(":")[0] for name in used}, {name: spec.split(":")[0] for name, spec in used.items()})

    def shown(self, *words):
        done = self.run_program(*words, env={**self.environment, "COLUMNS": "80"})
        self.assertEqual(done.returncode, 0, done.stderr.decode())
        return done.stdout.decode()

    def test_a_map_is_short_and_warnings_have_lines_of_their_own(self):
        draw = random.Random(3)
        rows = [(20 + draw.randrange(60), draw.choice("FM"), draw.choice("ABCD"), draw.randrange(10000)) for _ in range(200)]
        self.file("in.csv", csv_text("age,sex,dx,bill", rows))
        shown = self.shown("tables", "explore", "in.csv", "--qi", "age,sex", "--sensitive", "dx,bill", "--ks", "2,5,10", "--out", "map")
        points = [line for line in shown.splitlines() if line.split()[:1] in (["optimal"], ["local"], ["mondrian"])]
        self.assertGreaterEqual(len(points), 9)
        self.assertLess(len(shown.splitlines()), 40, shown)
        self.assertNotIn("column loss", shown)
        shown = self.shown("tables", "protect", "in.csv", "--qi", "age,sex", "--sensitive", "dx,bill", "--allow", "bill", "--k", "3", "--out",
                           "out.csv")
        self.assertGreaterEqual(len([line for line in shown.splitlines() if " - " in line and ("bill" in line or "dx" in line)]), 2, shown)

    def test_safe_harbor_holds_without_a_number(self):
        self.file("in.csv", csv_text("year,sex,dx", [(1950 + i % 3, "FM"[i % 2], "AB"[i % 2]) for i in range(40)]))
        shown = self.shown("tables", "protect", "in.csv", "--safe-harbor", "--insensitive", "year,sex,dx", "--out", "out.csv")
        self.assertNotIn("required", shown)
        self.assertRegex(shown, r"(?i)safe.harbor\s+holds")

    def test_safe_harbor_asks_about_numbers_that_nobody_explained(self):
        headers = "Konto,Kontonummer,Member,Policy,Medicaid,Device,Faxnr,CHI,IPP,SVNR,AHV,NIP,Akte,Karteinr,Versnr,dossier,CRN,ref"
        names = headers.split(",")
        rows = [(20 + i % 60, "AB"[i % 2], *(361234 + 7919 * ((i + j) % 90) for j in range(len(names)))) for i in range(630)]
        self.file("in.csv", csv_text(f"age,dx,{headers}", rows))
        protect = ["tables", "protect", "in.csv", "--safe-harbor", "--out", "out.csv", "--insensitive"]
        said = self.error(*protect, f"age,dx,{headers}")
        self.assertIn(f"--id {headers}", said)
        self.assertIn("--allow", said)
        self.assertIn("ref: 90 different numbers of five digits or more", said)
        # What is allowed leaves, and the verifier reads the headers by itself.
        self.result(*protect, f"age,dx,{headers}", "--allow", headers)
        self.assertTrue(self.result("verify", "out.csv")["holds"])
        manifest = self.path / "out.csv.manifest.json"
        written = json.loads(manifest.read_text())
        for claim in written["claims"]:
            claim["allowed"].remove("Konto")
        manifest.write_text(json.dumps(written))
        self.assertIn(b"'Konto' is called by a number", self.run_program("verify", "out.csv", "--json").stdout)


class WhoseRowsTest(ProgramInFolder):
    """Sixty patients with ten rows each."""

    def write(self, header, cells):
        self.file("in.csv", csv_text(f"{header},age,sex,dx", [(*cells(i // 10, i), 30 + i // 10 % 8, "FM"[i // 10 % 2], "ABCDE"[i % 5])
                                                              for i in range(600)], ";"))

    COLUMNS = ("--sensitive", "dx", "--k", "5", "--method", "mondrian", "--out", "out.csv")

    def test_an_identifier_that_repeats_is_asked_about_whatever_it_is_called(self):
        self.write("Kürzel,Konto", lambda who, row: (f"RMJ{row}", 295000 + 7 * who))
        protect = ("tables", "protect", "in.csv", "--id", "Kürzel,Konto", "--qi", "age,sex", *self.COLUMNS)
        told = self.error(*protect)
        self.assertIn("--person Konto", told)
        self.assertIn("--rows-are-people", told)
        self.assertFalse((self.path / "out.csv").exists())
        self.assertEqual(self.result(*protect, "--person", "Konto")["people_in"], 60)
        self.result(*protect, "--rows-are-people", "--force")
        self.assertIn("--person Konto", self.error("tables", "explore", "in.csv", "--id", "Kürzel,Konto", "--qi", "age,sex", "--sensitive",
                                                   "dx", "--ks", "5", "--out", "map"))

    def test_a_number_whose_rows_share_births_is_a_persons_under_any_header(self):
        self.file("in.csv", csv_text("c7,born,sex,dx", [(295000 + 7 * (i % 60), f"{i % 60 % 28 + 1:02}.03.{1931 + i % 60}", "mw"[i % 2],
                                                         "ABCDE"[i % 5]) for i in range(180)], ";"))
        column = self.result("tables", "profile", "in.csv")["columns"][0]
        self.assertEqual(column["suggested_role"], "identifier")
        self.assertIn("born, sex", column["why"])
        self.assertTrue(column["several_rows_each"])
        told = self.error("tables", "protect", "in.csv", "--roles", "suggested", *self.COLUMNS[2:])
        self.assertIn("--person c7", told)

    def test_a_time_of_day_is_nobodys_number(self):
        self.file("in.csv", csv_text("seen,sex,dx", [(f"{i % 12 + 1:02}/{i % 28 + 1:02}/2023 {i % 24:02}:{i % 60:02}:{i // 60:02}", "FM"[i % 2],
                                                      "ABCDE"[i % 5]) for i in range(240)]))
        self.result("tables", "protect", "in.csv", "--roles", "suggested", "--safe-harbor", "--out", "out.csv")
        self.assertEqual({line.split(",")[0] for line in (self.path / "out.csv").read_text().splitlines()[1:]}, {"2023"})

    def test_two_identifiers_that_repeat_are_both_named(self):
        self.write("Kürzel,Konto", lambda who, row: (f"RMJ{row // 5}", 295000 + 7 * who))
        told = self.error("tables", "protect", "in.csv", "--id", "Kürzel,Konto", "--qi", "age,sex", *self.COLUMNS)
        self.assertIn("Kürzel", told)
        self.assertIn("Konto", told)

    def test_what_is_measured_or_common_is_not_asked_about(self):
        self.write("Gewicht (kg),Messung,Art", lambda who, row: (comma(50 + row % 90 / 2), comma(row % 40 / 4), row % 4))
        self.result("tables", "protect", "in.csv", "--id", "Gewicht (kg),Messung,Art", "--qi", "age,sex", *self.COLUMNS)

    def test_a_number_of_people_as_a_quasi_identifier_is_asked_about(self):
        self.write("patient_id", lambda who, row: (295000 + 7 * who,))
        told = self.error("tables", "protect", "in.csv", "--qi", "age,sex,patient_id", *self.COLUMNS)
        self.assertIn("'patient_id' repeats", told)
        self.assertIn("'patient_id' repeats", self.error("tables", "assess", "in.csv", "--qi", "age,sex,patient_id"))

    def test_numbers_with_a_unit_are_numbers(self):
        draw = random.Random(8)
        people = [(f"P{i}", f"{draw.randrange(45, 120)} kg", draw.choice("FM"), draw.choice(("flu", "gout", "angina"))) for i in range(80)]
        self.file("in.csv", csv_text("name,weight,sex,dx", people))
        self.file("register.csv", csv_text("name,weight,sex", [row[:3] for row in people]))
        self.result("tables", "protect", "in.csv", "--id", "name", "--qi", "weight,sex", "--sensitive", "dx", "--k", "5", "--l", "2",
                    "--method", "mondrian", "--seed", "1", "--out", "out.csv")
        for row in self.rows("out.csv"):
            self.assertRegex(row["weight"], r"^\d+(\.\.\d+)?$|^\*$")
        self.assertTrue(self.result("verify", "out.csv")["holds"])
        found = self.result("tables", "attack", "out.csv", "--register", "register.csv", "--on", "weight,sex", "--sensitive", "dx")
        self.assertEqual((found["tried"], found["linked_uniquely"]), (True, 0))


if __name__ == "__main__":
    unittest.main()
