#!/usr/bin/env python3
"""apps/pratique/safe_harbor_test.py PROGRAM: a release under HIPAA's Safe Harbor, and breaches planted in it."""
import csv
import datetime
import hashlib
import json
import random
import re
import unittest

from program_in_folder import ProgramInFolder

FORMS = ("%Y-%m-%d", "%m/%d/%Y", "%d.%m.%Y", "%Y%m%d", "%Y-%m-%dT08:30:00", "%d %b %Y")
HEAD = "name,email,phone,ssn,mrn,city,zip,dob,admitted,age,sex,diagnosis,course"
REMOVED = "name,email,phone,ssn,mrn,city"
# Of the 2020 census: Boston, New York, Chicago, and three small areas, in Vermont, New Hampshire and Wyoming.
ZIPS = ("02138", "10025", "60614-1234", "05901", "03601", "82190")


def patients(form="%Y-%m-%d", count=120, seed=5):
    draw = random.Random(seed)
    rows = []
    for i in range(count):
        born = datetime.date(1920, 1, 1) + datetime.timedelta(days=draw.randrange(34000))
        admitted = datetime.date(2019, 1, 1) + datetime.timedelta(days=draw.randrange(700))
        age = (admitted - born).days // 365
        rows.append([f"Ann Doe{i}", f"a{i}@example.org", f"617-555-{i:04}", f"123-45-{i:04}", f"{700000 + 37 * i}",
                     draw.choice(["Boston", "Salem"]), draw.choice(ZIPS), born.strftime(form), admitted.strftime(form),
                     str(age), draw.choice("FM"), draw.choice(["flu", "gout", "cold"]),
                     draw.choice(["stable", "seen before", "call 617-555-0142", "since 03/05/2019", "aged 93"])])
    return rows


def text_of(rows):
    return "\n".join([HEAD] + [",".join(row) for row in rows]) + "\n"


class SafeHarborTest(ProgramInFolder):
    def setUp(self):
        super().setUp()
        self.patients = patients()
        self.file("patients.csv", text_of(self.patients))

    ROLES = ("--id", REMOVED, "--insensitive", "zip,dob,admitted,age,sex,course", "--sensitive", "diagnosis")

    def protect(self, *options, roles=ROLES, exit_code=0):
        return self.result("tables", "protect", "patients.csv", *roles, "--safe-harbor", "--as-of", "2020", "--seed", "1",
                           "--out", "out.csv", *options, exit_code=exit_code)

    def claim(self, exit_code=0):
        return next(claim for claim in self.result("verify", "out.csv", exit_code=exit_code)["claims"]
                    if claim["model"] == "safe-harbor")

    def plant(self, column, value, row=7):
        """Changes one cell of the release, and the hash that the manifest has of it."""
        rows = self.rows("out.csv")
        if column in rows[0]:
            rows[row][column] = value
        else:
            for line in rows:
                line[column] = value(line) if callable(value) else value
        with open(self.path / "out.csv", "w", newline="") as out:
            writer = csv.DictWriter(out, rows[0], lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)
        manifest = json.loads((self.path / "out.csv.manifest.json").read_text())
        data = (self.path / "out.csv").read_bytes()
        for output in [manifest["output"], *manifest["outputs"]]:
            output.update(sha256=hashlib.sha256(data).hexdigest(), bytes=len(data))
        (self.path / "out.csv.manifest.json").write_text(json.dumps(manifest))

    def test_what_is_left(self):
        result = self.protect()
        released = self.rows("out.csv")
        self.assertEqual(list(released[0]), ["zip", "dob", "admitted", "age", "sex", "diagnosis", "course"])
        self.assertEqual(len(released), 120)
        # By hand, from the rule: years after 1930, ages to 89, areas with more than 20,000 people, no number in a text.
        expected = sorted(
            ({"02138": "021", "10025": "100", "60614-1234": "606"}.get(row[6], "000"),
             row[7][:4] if int(row[7][:4]) > 1930 else "<=1930", row[8][:4], row[9] if int(row[9]) < 90 else "90+",
             row[10], row[11], row[12] if row[12] in ("stable", "seen before") else "") for row in self.patients)
        self.assertEqual(sorted(tuple(row.values()) for row in released), expected)
        self.assertTrue(any(row["age"] == "90+" for row in released) and any(row["dob"] == "<=1930" for row in released))
        hidden = sum(row[12] not in ("stable", "seen before") for row in self.patients)
        self.assertEqual(result["safe_harbor"]["cells_emptied"], {"course": hidden})
        self.assertEqual(result["models"]["safe-harbor"], {"required": 0, "achieved": 0})
        claim = self.claim()
        self.assertEqual((claim["holds"], claim["standing"]), (True, "derived"))
        report = self.result("report", "out.csv", "--out", "report.json")
        self.assertEqual(report["standing"], "holds")
        self.assertTrue(self.result("repeat", "out.csv")["same"])

    def test_every_form_of_a_date_leaves_the_same_years(self):
        years = None
        for form in FORMS:
            with self.subTest(form):
                self.file("patients.csv", text_of(patients(form)))
                self.protect()
                now = sorted((row["dob"], row["admitted"]) for row in self.rows("out.csv"))
                self.assertEqual(now, years or now)
                years = now

    def test_breaches_are_noticed(self):
        breaches = [
            ("course", "seen on 2019-03-05"), ("course", "seen 3/5/19"), ("course", "since March 5"), ("course", "5 Mar 2019"),
            ("course", "born 19300305 at home"), ("course", "write to bob@example.org"), ("course", "see www.example.org"),
            ("course", "https://example.org/a"), ("course", "ssn 123-45-6789"), ("course", "(617) 555-0142"),
            ("course", "+44 20 7946 0958"), ("course", "from 10.1.2.30"), ("course", "00:1B:44:11:3A:B7"),
            ("course", "1HGCM82633A004352"), ("course", "a 93-year-old"), ("course", "aged 101"),
            ("course", "Boston MA 02138"), ("course", "02138-1234"), ("course", "MRN 445566"),
            ("course", "05 03 1970"), ("course", "2019_03_05"), ("course", "05–03–1970"), ("course", "5. 3. 1970"),
            ("course", "5.III.1970"), ("course", "5. März 1970"), ("course", "5 de marzo"), ("course", "Tel. 0351 678088"),
            ("course", "0351/678088"), ("course", "call 6175550142"), ("course", "ssn 123456789"), ("course", "mrn/A12"),
            ("course", "vin 1hgcm82633a004352"), ("KVNR", lambda row: row["zip"] + row["dob"]),
            ("age", "93"), ("age", "90..94"), ("age", "[85-95)"), ("age", "95+"),
            ("age", "ninety-four"), ("age", "XCIV"), ("age", "9 4"), ("age", "９４"), ("age", "nineties"), ("age_mo", "30"),
            ("zip", "059"), ("zip", "036"), ("zip", "02138"), ("zip", "099"), ("zip", "0213*"),
            ("dob", "1925"), ("dob", "1970-03"), ("dob", "03/05/1970"), ("dob", "<=1925"), ("dob", "2021"),
            ("dob", "1925..1934"), ("diagnosis", "flu 12/24/2019"),
            ("email", "x"), ("county", lambda row: row["zip"] + row["dob"]),
            ("number", lambda row, draw=random.Random(1): str(draw.randrange(10**9))),
        ]
        self.protect()
        kept = {name: (self.path / name).read_bytes() for name in ("out.csv", "out.csv.manifest.json")}
        for column, value in breaches:
            with self.subTest(column, value=value if isinstance(value, str) else ""):
                self.plant(column, value)
                constant = column == "email"
                claim = self.claim(exit_code=1)  # the manifest says otherwise in any case
                self.assertEqual(claim["holds"], constant, claim)  # one value for all says nothing
                if not constant:
                    self.assertGreater(claim["achieved"], 0)
                    self.assertIn(f"'{column}'", claim["explanation"])
                    if isinstance(value, str):
                        self.assertNotIn(value, claim["explanation"])
                for name, data in kept.items():
                    (self.path / name).write_bytes(data)
        # What a steward may write.
        for column, value in [("course", "250.01"), ("course", "2 tablets, 120/80"), ("course", "dose 1.5-2.5"), ("age", "89"),
                              ("age", "80..89"), ("age", "[80-90)"), ("zip", "0**"), ("zip", "000"), ("dob", "1931"),
                              ("dob", "*"), ("dob", ""), ("course", "E11.65"), ("course", "grade 3 of 4")]:
            with self.subTest(column, value=value):
                self.plant(column, value)
                self.assertTrue(self.claim(exit_code=1)["holds"], (column, value))
        self.plant("dob", "1925")
        self.result("verify", "out.csv", exit_code=1)

    def test_columns_that_must_not_leave_are_refused(self):
        message = self.error("tables", "protect", "patients.csv", "--safe-harbor", "--id", "name,ssn,mrn,phone", "--insensitive",
                             "email,city,zip,dob,admitted,age,sex,course", "--sensitive", "diagnosis", "--out", "out.csv")
        self.assertIn("--id email,city", " ".join(message.split()))
        # A column that nobody decided about, and what to add.
        message = self.error("tables", "protect", "patients.csv", "--safe-harbor", "--out", "out.csv")
        self.assertIn("nobody decided", message)
        self.protect(roles=("--roles", "suggested"))
        # The courses, a third of which hold numbers of people, are an identifier to the profile.
        self.assertEqual(list(self.rows("out.csv")[0]), ["zip", "dob", "admitted", "age", "sex", "diagnosis"])

    def test_names_of_columns_with_an_identifier_are_refused(self):
        for name in ("ssn_123-45-6789", "jane@example.org", "visit_2019-03-05"):
            with self.subTest(name):
                self.file("patients.csv", text_of(self.patients).replace("course", name, 1))
                roles = [option.replace("course", name) for option in self.ROLES]
                for options in ((), ("--allow", name)):
                    message = self.error("tables", "protect", "patients.csv", *roles, "--safe-harbor", "--out", "out.csv", *options)
                    self.assertIn("Rename the column", message)
                self.file("patients.csv", text_of(self.patients))
                self.protect()
                self.plant(name, "x")
                claim = self.claim(exit_code=1)
                self.assertFalse(claim["holds"])
                self.assertNotIn(name, claim["explanation"])

    def test_ages_that_are_no_figures_are_left_empty(self):
        written = ["ninety-four", "XCIV", "9 4", "９４", "nineties"]
        rows = [[*row[:9], written[i] if i < len(written) else row[9], *row[10:]] for i, row in enumerate(self.patients)]
        self.file("patients.csv", text_of(rows))
        result = self.protect()
        self.assertEqual(result["safe_harbor"]["cells_emptied"]["age"], len(written))
        self.assertFalse({row["age"] for row in self.rows("out.csv")} & set(written))
        self.assertTrue(self.claim()["holds"])
        self.file("patients.csv", text_of(self.patients).replace(",age,", ",days_since_birth,", 1))
        roles = [option.replace("age", "days_since_birth") for option in self.ROLES]
        self.assertIn("--id days_since_birth",
                      self.error("tables", "protect", "patients.csv", *roles, "--safe-harbor", "--out", "out.csv"))

    def test_free_text_leaves_only_by_permission(self):
        rows = [row[:12] + [f"The patient {row[10]} came in and was seen by the nurse on duty as case {i}"]
                for i, row in enumerate(self.patients)]
        self.file("patients.csv", text_of(rows))
        self.assertIn("free text", self.error("tables", "protect", "patients.csv", *self.ROLES, "--safe-harbor", "--out", "out.csv"))
        self.protect("--allow", "course")
        claim = self.claim()
        self.assertTrue(claim["holds"])
        self.assertIn("course", claim["explanation"])
        self.assertEqual(self.result("verify", "out.csv")["allowed"], ["course"])

    def test_models_hold_over_what_is_left(self):
        roles = ("--id", REMOVED, "--qi", "zip,dob,age,sex", "--sensitive", "diagnosis", "--insensitive", "admitted,course")
        for method, hierarchies in (("optimal", ("zip=prefix", "dob=date", "age=interval:5,10,20,40")), ("mondrian", ()),
                                    ("local", ("zip=prefix", "dob=date", "age=interval:20")), ("cluster-up", ())):
            with self.subTest(method):
                options = [word for spec in hierarchies for word in ("--hierarchy", spec)]
                self.protect("--k", "4", "--suppression", "0.1", "--method", method, *options, roles=roles)
                verified = self.result("verify", "out.csv")
                self.assertEqual([claim["model"] for claim in verified["claims"]], ["k-anonymity", "safe-harbor"])
                self.assertTrue(verified["holds"])
                # No label reaches into the nineties.
                for row in self.rows("out.csv"):
                    for number in re.findall(r"\d+", row["age"]):
                        self.assertTrue(int(number) < 90 or "90+" in row["age"], row["age"])
                self.assertEqual(self.result("report", "out.csv", "--out", "report.json")["standing"], "holds")
                self.assertIn("models", self.result("tables", "explain", "out.csv", "--class", "1"))

    def test_what_leaves_is_never_refused_by_the_verifier(self):
        draw = random.Random(11)
        parts = ["flu", "May", "march", "12", "7", "93", "1930", "2019", "19300305", "555", "0142", "01", "year", "yo", "aged", "MA",
                 "02138", "1234", "www", "org", "bob", "@", ".", "-", "/", ":", " ", " ", " ", ",", "(", ")", "+", "T", "1B", "th",
                 "MRN", "#", "Q1", "<=", "of", "4", "::", "1HGCM82633A004352", "mrn", "vin", "Tel", "März",
                 "III", "–", "_", "de", "0351", "678088", "6175550142", "é", "A1", "ssn", "1hgcm82633a004352"]
        remarks = ["".join(draw.choice(parts) for _ in range(draw.randrange(1, 7))).replace('"', "") for _ in range(4000)]
        self.file("patients.csv", "sex,treatment\n" + "".join(f'F,"{text}"\n' * 3 for text in remarks))
        self.protect(roles=("--insensitive", "sex,treatment"))
        self.assertTrue(self.claim()["holds"])
        kept = {row["treatment"] for row in self.rows("out.csv")}
        self.assertGreater(len(kept), 500)

    def test_texts_of_which_nobody_knows_what_they_are_need_a_word(self):
        towns = ["Aach", "Bonn", "Calw", "Daun", "Ems", "Fulda", "Gera"]
        self.file("patients.csv", "sex,haus,diagnosis\n" + "".join(
            f"F,{towns[i % 7]} {'I' * (1 + i % 4)},{['flu', 'gout'][i % 2]}\n" for i in range(280)))
        told = self.error("tables", "protect", "patients.csv", "--insensitive", "sex,haus", "--sensitive", "diagnosis",
                          "--safe-harbor", "--out", "out.csv")
        self.assertIn("haus: 28 different texts", told)
        self.assertTrue(told.rstrip().endswith("\n    --id haus"), told)
        self.protect(roles=("--insensitive", "sex,haus", "--sensitive", "diagnosis", "--allow", "haus"))
        self.assertEqual(len({row["haus"] for row in self.rows("out.csv")}), 28)
        # Who takes the advice unread gets a release without them, which says so.
        result = self.protect(roles=("--roles", "suggested"))
        self.assertEqual(result["safe_harbor"]["left_out"], ["haus"])
        self.assertEqual(list(self.rows("out.csv")[0]), ["sex", "diagnosis"])

    def test_people_with_several_rows(self):
        rows = [line for row in self.patients for line in (row, [*row[:8], "2020-02-02", *row[9:]])]
        self.file("patients.csv", text_of(rows))
        roles = ("--id", REMOVED.replace(",mrn", ""), "--person", "mrn", "--qi", "dob,sex", "--hierarchy", "dob=date",
                 "--sensitive", "diagnosis", "--insensitive", "zip,admitted,age,course")
        result = self.protect("--k", "3", "--suppression", "0.2", roles=roles)
        self.assertEqual(result["people_in"], 120)
        self.assertEqual(result["before"]["unique"], 120)
        self.assertTrue(self.result("verify", "out.csv")["holds"])
        self.plant("mrn", "700037")
        self.assertIn("'mrn'", self.claim(exit_code=1)["explanation"])

    def test_what_does_not_go_together(self):
        for options, word in ((("--identifiers", "pseudonym", "--key", "k"), "pseudonym"), (("--perturb", "age=noise:0.1"), "noise"),
                              (("--population", "patients.csv", "--k-map", "3"), "--population")):
            message = self.error("tables", "protect", "patients.csv", *self.ROLES, "--safe-harbor", "--out", "out.csv", *options)
            self.assertIn(word, message)
        message = self.error("tables", "protect", "patients.csv", *self.ROLES, "--safe-harbor", "--as-of", "2015", "--out", "out.csv")
        self.assertIn("--as-of", message)
        self.assertIn("--safe-harbor", self.error("tables", "protect", "patients.csv", *self.ROLES, "--as-of", "2020", "--k", "2",
                                                  "--qi", "sex", "--out", "out.csv"))

    def test_the_year_is_recorded(self):
        self.result("tables", "protect", "patients.csv", *self.ROLES, "--safe-harbor", "--out", "out.csv")
        manifest = json.loads((self.path / "out.csv.manifest.json").read_text())
        year = datetime.datetime.now(datetime.timezone.utc).year
        self.assertEqual(manifest["options"]["as-of"], year)
        self.assertEqual(manifest["claims"][0]["as_of"], year)
        self.assertTrue(all(row["dob"].startswith("<=") or int(row["dob"]) > year - 90 for row in self.rows("out.csv")))

    def test_every_zip_code_that_is_shown_is_of_a_large_area(self):
        self.file("patients.csv", "zip,sex\n" + "".join(f"{i:03}01,F\n" for i in range(1000)))
        self.protect(roles=("--insensitive", "zip,sex"))
        self.assertTrue(self.claim()["holds"])
        areas = {row["zip"] for row in self.rows("out.csv")}
        # 876 areas of the 2020 census have more than 20,000 people.
        self.assertEqual(len(areas - {"000"}), 876)
        # Those that the Department of Health and Human Services listed by the census of 2000 and that are small still.
        self.assertFalse(areas & {"036", "059", "102", "203", "556", "692", "821", "823", "878", "879", "884", "893"})
        self.assertLessEqual({"006", "021", "100", "576", "606", "830", "999"}, areas)


if __name__ == "__main__":
    unittest.main()
