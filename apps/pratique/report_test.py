#!/usr/bin/env python3
"""The report as a user meets it. Run by ctest as: report_test.py PROGRAM"""
import hashlib
import html
import html.parser
import json
import os
import re
import shlex
import shutil
import subprocess
import unittest

from program_in_folder import PROGRAM
from releases_in_folder import COLUMNS, ILLNESSES, PEOPLE, ROWS, ReleasesInFolder

# Whoever is named by one of these is one person.
RARE = ["kuru-rarissima", "99777", "103", "Person"]


class Page(html.parser.HTMLParser):
    """What a browser would see: tags balanced, headings in order, cells with headers, names of pictures."""
    VOID = {"meta", "br", "link", "input", "img", "hr"}

    def __init__(self, text):
        super().__init__()
        self.open, self.headings, self.tags, self.problems = [], [], [], []
        self.ids, self.targets = [], []
        self.feed(text)
        if self.open:
            self.problems.append(f"left open: {self.open}")

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.tags.append((tag, attributes))
        if "id" in attributes:
            self.ids.append(attributes["id"])
        for key in ("aria-labelledby", "href"):
            if key in attributes:
                self.targets.append(attributes[key].lstrip("#"))
        if any(key.startswith("on") for key in attributes):
            self.problems.append(f"a handler in {tag}")
        if re.fullmatch("h[1-6]", tag):
            self.headings.append(int(tag[1]))
        if tag == "th" and attributes.get("scope") not in ("row", "col"):
            self.problems.append("th without scope")
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        self.handle_endtag(tag)

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.problems.append(f"</{tag}> closes another")


class ReportTest(ReleasesInFolder):
    def report(self, *arguments, exit_code=0, out="report.html"):
        self.result("report", *arguments, "--out", out, exit_code=exit_code)
        return (self.path / out).read_text()

    def test_a_report_takes_the_place_of_an_earlier_one_and_of_nothing_else(self):
        self.release()
        for out in ("r.html", "r.md", "r.json"):
            self.report("out.csv", out=out)
            self.report("out.csv", "--purpose", "again", out=out)
            self.assertIn("again", (self.path / out).read_text())
        self.result("ledger", "init", "ledger")
        for kept in ("people.csv", "ledger", "ledger.key"):
            before = (self.path / kept).read_bytes()
            self.assertRegex(self.error("report", "out.csv", "--out", kept), "did not write it|this would overwrite")
            self.assertEqual((self.path / kept).read_bytes(), before)
        self.assertEqual((self.path / "ledger.key").stat().st_mode & 0o777, 0o600)

    def test_what_left_as_it_was_is_attacked_too(self):
        # Everybody has a bill of their own but the first 12, who share one; wards are shared by ten each.
        lines = PEOPLE.splitlines()
        bills = [max(i, 11) for i in range(40)]
        text = "".join(f"{line},{tail}\n" for line, tail in
                       zip(lines, ["bill,ward"] + [f"{bills[i]},{i // 10}" for i in range(40)]))
        self.report(self.release("out.csv", "--insensitive", "bill,ward", "--allow", "bill,ward", text=text), out="report.json")
        limits = " ".join(json.loads((self.path / "report.json").read_text())["releases"][0]["limits"])
        # Together, and with the illness that no model holds, they tell more people apart.
        known = [(bills[i], i // 10, line.split(",")[4]) for i, line in enumerate(lines[1:])]
        alone = sum(known.count(cells) == 1 for cells in known)
        self.assertIn(f"bill, ward, illness. This singles out {alone} of 40 records", limits)
        self.assertIn(f"(bill alone: {sum(bills.count(bill) == 1 for bill in bills)})", limits)
        self.assertNotIn("under no model", self.report(self.release("other.csv")))

    def test_no_rare_value_is_in_any_format(self):
        self.release()
        self.assertIn("kuru-rarissima", (self.path / "out.csv").read_text())
        for out in ("report.html", "report.md", "report.json"):
            text = self.report("out.csv", out=out)
            for rare in RARE:
                self.assertNotIn(rare, re.sub("[0-9a-f]{64}", "", text), out)
            self.assertIn("flu", text)

    def test_nothing_rare_follows_by_subtraction(self):
        self.release()
        release = json.loads(self.report("out.csv", out="report.json"))["releases"][0]
        self.assertEqual(release["k"], 5)
        illness, = [chart for chart in release["charts"]["distributions"] if chart["title"] == "illness"]
        self.assertEqual(illness["series"], ["original", "released"])
        for row in illness["rows"]:
            for value in row["values"]:
                self.assertTrue(value == 0 or value >= 5, row)
        self.assertEqual([sum(row["values"][s] for row in illness["rows"]) for s in (0, 1)], [40, 40])
        # All frequent illnesses shown would leave 1 of 40.
        self.assertNotEqual({row["label"] for row in illness["rows"]} & set(ILLNESSES), set(ILLNESSES))

    def test_no_reference_distribution_tells_a_rare_value(self):
        self.release("out.csv", "--t", "0.9")
        self.assertNotIn("kuru", (self.path / "out.csv.manifest.json").read_text())
        for out in ("report.html", "report.md", "report.json"):
            self.assertNotIn("kuru", self.report("out.csv", out=out))

    def test_the_page_is_well_made(self):
        self.release()
        text = self.report("out.csv", "--recipient", "University of <b>Nowhere</b>", "--purpose", "a study & more",
                           "--approved-by", "the steward")
        page = Page(text)
        self.assertEqual(page.problems, [])
        self.assertEqual(page.headings[0], 1)
        self.assertEqual(page.headings.count(1), 1)
        self.assertTrue(all(after - before <= 1 for before, after in zip(page.headings, page.headings[1:])))
        self.assertEqual(len(page.ids), len(set(page.ids)))
        self.assertLessEqual(set(page.targets), set(page.ids))
        tags = [tag for tag, _ in page.tags]
        # What programs read is in an element that no browser runs.
        self.assertEqual([attributes for tag, attributes in page.tags if tag == "script"],
                         [{"type": "application/json", "id": "pratique-report"}])
        self.assertIn("svg", tags)
        self.assertTrue(all(attributes.get("role") == "img" and attributes["aria-labelledby"] for tag, attributes in
                            page.tags if tag == "svg"))
        self.assertIn("University of &lt;b&gt;Nowhere&lt;/b&gt;", text)
        self.assertIn("a study &amp; more", text)
        self.assertIn("pratique tables protect people.csv", text)

    def test_colours_can_be_told_apart(self):
        self.release()
        style = re.search("<style>(.*?)</style>", self.report("out.csv"), re.S).group(1)

        def luminance(colour):
            parts = colour[1:] if len(colour) == 7 else "".join(2 * c for c in colour[1:])
            linear = [int(parts[i:i + 2], 16) / 255 for i in (0, 2, 4)]
            linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in linear]
            return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

        def contrast(first, second):
            light, dark = sorted((luminance(first), luminance(second)), reverse=True)
            return (light + 0.05) / (dark + 0.05)

        schemes = [dict(re.findall(r"--([\w-]+):(#[0-9a-f]+)", part)) for part in style.split(":root{")[1:]]
        self.assertEqual(len(schemes), 3)  # light, dark, print
        for scheme in schemes:
            for ink in ("ink", "soft", "link"):
                self.assertGreaterEqual(contrast(scheme[ink], scheme["paper"]), 4.5, (scheme, ink))
                self.assertGreaterEqual(contrast(scheme[ink], scheme["card"]), 4.5, (scheme, ink))
            for tone in ("good", "bad", "open"):
                self.assertGreaterEqual(contrast(scheme[tone], scheme[tone + "-paper"]), 4.5, (scheme, tone))

    def test_another_file_is_told_and_exits_1(self):
        self.release()
        released = self.path / "out.csv"
        released.write_text(released.read_text().replace("cough", "cold", 1))
        text = self.report("out.csv", exit_code=1)
        self.assertIn("its SHA-256 differs", text)
        # Before anything else, and in the colour of failure.
        self.assertRegex(text, r"<h1>[^<]*</h1>\n<p class=\"verdict bad\">")

    def test_a_claim_that_does_not_hold_is_told_without_values(self):
        self.release()
        manifest = self.path / "out.csv.manifest.json"
        content = json.loads(manifest.read_text())
        content["claims"][0]["k"] = 30
        manifest.write_text(json.dumps(content))
        text = self.report("out.csv", exit_code=1)
        self.assertIn("does not hold: 30 is required", text)

    def test_a_release_that_is_gone_is_reported_from_its_manifest(self):
        self.release("out.csv", "--l", "2")  # nobody is exposed, which would be red
        (self.path / "out.csv").unlink()
        whole = json.loads(self.report("out.csv", out="report.json", exit_code=1))
        self.assertIsNone(whole["holds"])
        self.assertEqual(whole["standing"], "unchecked")
        release = whole["releases"][0]
        self.assertEqual(release["standing"], "unchecked")
        self.assertIn("every one of", release["models"][0]["found"])
        text = self.report("out.csv", exit_code=1)
        self.assertRegex(text, r"<h1>[^<]*</h1>\n<p class=\"verdict open\">")
        done = self.run_program("report", "out.csv", "--out", "again.json")
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stdout.decode(), r"(?m)^standing +unchecked$")
        self.assertNotIn("yes", done.stdout.decode())
        # One that is checked does not hide one that is not.
        self.release("other.csv")
        self.assertIsNone(self.result("report", "other.csv", "out.csv", "--out", "both.json", exit_code=1)["holds"])
        self.assertNotIn("Every claim was derived again", text)

    def test_without_the_original_only_the_release_is_shown(self):
        self.release()
        self.file("people.csv", PEOPLE + "Person99,50,F,13001,flu\n")
        release = json.loads(self.report("out.csv", out="report.json"))["releases"][0]
        self.assertEqual(release["standing"], "holds")
        self.assertEqual(release["charts"]["distributions"][0]["series"], ["released"])
        for rare in RARE:
            self.assertNotIn(rare, re.sub("[0-9a-f]{64}", "", json.dumps(release)))

    def test_several_kinds_in_one_report(self):
        releases = self.release_of_each_kind()
        report = json.loads(self.report(*releases, out="report.json"))
        self.assertEqual([release["kind"] for release in report["releases"]],
                         ["tables", "codes", "codes", "trails", "fusion"])
        self.assertTrue(report["holds"])
        for release in report["releases"]:
            self.assertEqual(release["standing"], "holds", release["verdict"])
            self.assertTrue(release["attacks"], release["release"])
            self.assertTrue(release["columns"], release["release"])
            self.assertTrue(release["limits"])
            self.assertTrue(release["metrics"], release["release"])
            for chart in release["charts"]["distributions"]:
                self.assertEqual(chart["series"], ["original", "released"], (release["release"], chart["title"]))
                for row in chart["rows"]:
                    self.assertTrue(all(value == 0 or value >= release["k"] for value in row["values"]), row)
            self.assertTrue(release["charts"]["distributions"] or release["hidden"], release["release"])
        # The level that FRED chose is marked among those it tried, and names are said to be there.
        self.assertEqual(report["releases"][4]["charts"]["ru_map"]["series"][-1]["name"], "this release")
        self.assertTrue(any("keeps names" in limit for limit in report["releases"][4]["limits"]))
        self.assertEqual({column["column"]: column["became"] for column in report["releases"][4]["columns"]}["income"],
                         "left out")
        # Ten samples at each of two places, and as many disclosed: counted by hand.
        charts = {chart["title"]: chart for chart in report["releases"][3]["charts"]["distributions"]}
        places = charts["Samples by place"]
        self.assertEqual([(row["label"], row["values"][0]) for row in places["rows"]], [("H0", 10), ("H1", 10)])
        text = self.report(*releases)
        self.assertEqual(Page(text).problems, [])
        for rare in ("042", "S003", "N3", "P03"):
            self.assertNotIn(f">{rare}<", text)
        self.assertNotIn('"042"', json.dumps(report))

    def test_sets_of_codes_do_not_name_their_codes(self):
        rows = [(f"P{i:02}", code) for i in range(40) for code in ("250.00", ["401.1", "401.9"][i % 2])]
        rows += [("P03", "042"), ("P04", "414.01")]
        self.file("codes.csv", "patient,code\n" + "".join(f"{patient},{code}\n" for patient, code in rows))
        self.file("privacy.txt", "042\n414.01 401.1\n")
        self.result("codes", "protect", "codes.csv", "--model", "policy", "--method", "aclip", "--privacy", "privacy.txt",
                    "--k", "5", "--seed", "1", "--out", "out.csv")
        self.assertIn("042|", (self.path / "out.csv").read_text())  # a set that names a code of one patient
        for out in ("report.html", "report.md", "report.json"):
            text = self.report("out.csv", out=out)
            self.assertIn("codes", text)
            for rare in ("042", "414.01"):
                self.assertNotRegex(re.sub("[0-9a-f]{64}", "", text), rf"\b{re.escape(rare)}\b", out)

    def test_the_printed_command_gives_the_same_bytes_in_another_folder(self):
        releases = self.release_of_each_kind()
        described = json.loads(self.report(*releases, out="report.json"))["releases"]
        elsewhere = self.path / "elsewhere"
        elsewhere.mkdir()
        for name in ("people.csv", "codes.csv", "named.csv", "dna.csv", "list.csv", "web.csv", "rules.fcl"):
            shutil.copy(self.path / name, elsewhere)
        for release in described:
            self.assertTrue(release["repeatable"])
            words = shlex.split(release["command"])
            self.assertEqual(words[0], "pratique")
            done = subprocess.run([PROGRAM, *words[1:]], cwd=elsewhere, capture_output=True, timeout=120)
            self.assertEqual(done.returncode, 0, done.stderr)
            bytes_made = (elsewhere / release["release"]).read_bytes()
            self.assertEqual(bytes_made, (self.path / release["release"]).read_bytes(), release["release"])
            recorded, = [file["sha256"] for file in release["files"] if file["role"] == "release"]
            self.assertEqual(hashlib.sha256(bytes_made).hexdigest(), recorded)

    def test_a_run_that_chance_changed_is_not_said_to_repeat(self):
        self.release("out.csv", "--perturb", "illness=pram:0.8")
        release = json.loads(self.report("out.csv", out="report.json"))["releases"][0]
        self.assertFalse(release["repeatable"])
        text = self.report("out.csv")
        self.assertNotIn("the same bytes again", text)
        self.assertIn("not the same bytes", text)

    def test_paths_do_not_say_whose_home_they_are_in(self):
        self.release()
        manifest = self.path / "out.csv.manifest.json"
        content = json.loads(manifest.read_text())
        content["options"]["FILE"] = "/home/jane.doe/data of 2026/people.csv"
        content["options"]["hierarchy"] = [word.replace("zip=prefix", "zip=/home/jane.doe/zip.csv")
                                           for word in content["options"]["hierarchy"]] + ["sex=/Users/jane.doe/sex.csv"]
        content["inputs"][0]["path"] = "/home/jane.doe/data of 2026/people.csv"
        content["inputs"] += [{"path": f"{home}/jane.doe/{name}.csv", "sha256": "0" * 64, "bytes": 1, "role": "setting"}
                              for home, name in (("/home", "zip"), ("/Users", "sex"))]
        content["parameters"]["hierarchies"].update(zip="/home/jane.doe/zip.csv", sex="/Users/jane.doe/sex.csv")
        manifest.write_text(json.dumps(content))
        for out in ("report.html", "report.md", "report.json"):
            self.assertNotIn("jane", self.report("out.csv", out=out))
        release = json.loads((self.path / "report.json").read_text())["releases"][0]
        words = subprocess.run(["sh", "-c", "printf '%s\\n' " + release["command"]], env={"HOME": "/home/other"},
                               capture_output=True, text=True, check=True).stdout.splitlines()
        self.assertEqual(words[3], "/home/other/data of 2026/people.csv")
        self.assertIn("sex=/home/other/sex.csv", words)
        self.assertIn("~/data of 2026/people.csv", [file["path"] for file in release["files"]])

    def test_a_manifest_nested_without_end_is_refused(self):
        self.release()
        manifest = self.path / "out.csv.manifest.json"
        content = json.loads(manifest.read_text())
        content["results"]["before"] = content["results"]["after"] = "deep"
        manifest.write_text(json.dumps(content).replace('"deep"', '{"a":' * 100000 + "1" + "}" * 100000))
        done = self.run_program("report", "out.csv", "--out", "r.html")
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn("nested too deeply", done.stderr.decode())

    def test_file_names_are_quoted_for_a_shell(self):
        name = "a b; echo $(id).csv"
        self.release(name)
        text = html.unescape(self.report(name))
        self.assertIn(f"pratique verify {shlex.quote(name)}", text)

    def test_a_map_of_another_table_is_not_marked(self):
        self.release()
        self.file("others.csv", PEOPLE + "Person99,50,F,13001,flu\n")
        self.result("tables", "explore", "others.csv", *COLUMNS, "--ks", "3,5", "--methods", "mondrian", "--out", "map")
        release = json.loads(self.report("out.csv", "--ru-map", "map/ru-map.json", out="report.json"))["releases"][0]
        self.assertNotIn("ru_map", release["charts"])
        self.assertIn("is of another table", release["notes"][0])
        self.assertIn("is of another table", self.report("out.csv", "--ru-map", "map/ru-map.json"))
        done = self.run_program("report", "out.csv", "--ru-map", "map/ru-map.json", "--out", "again.html")
        self.assertEqual(done.returncode, 0)  # nothing is wrong with the release
        self.assertIn("is of another table", done.stdout.decode())
        # Nor is it silent with a release that is no table, or lacks what places it on the map.
        releases = self.release_of_each_kind()
        result = self.result("report", *releases, "--ru-map", "map/ru-map.json", "--out", "all.html")
        self.assertEqual([note["release"] for note in result["notes"]], releases)

    def test_a_map_of_other_settings_is_left_out_though_a_point_lies_there(self):
        self.file("people.csv", PEOPLE)
        explore = ["tables", "explore", "people.csv", *COLUMNS, "--ks", "5", "--methods", "mondrian"]
        # A t that every table has changes no point, and yet it is another map.
        self.result(*explore, "--out", "same")
        self.result(*explore, "--t", "1", "--out", "other")
        self.result("tables", "protect", "people.csv", *COLUMNS, "--k", "5", "--method", "mondrian", "--out", "chosen.csv")
        points = [json.loads((self.path / name / "ru-map.json").read_text())["points"][0] for name in ("same", "other")]
        self.assertEqual(points[0]["risk_mean"], points[1]["risk_mean"])
        shown = {}
        for name in ("same", "other"):
            whole = self.report("chosen.csv", "--ru-map", f"{name}/ru-map.json", out=f"{name}.json")
            shown[name] = json.loads(whole)["releases"][0]
        self.assertIn("ru_map", shown["same"]["charts"])
        self.assertNotIn("ru_map", shown["other"]["charts"])
        self.assertIn("was drawn with other settings (t)", shown["other"]["notes"][0])
        # One from before settings were recorded is of nobody knows what.
        old = json.loads((self.path / "same/ru-map.json").read_text())
        del old["settings"]
        self.file("old.json", json.dumps(old))
        self.assertIn("does not record the settings", self.report("chosen.csv", "--ru-map", "old.json"))

    def test_who_is_alone_makes_the_headline_red(self):
        self.file("alone.csv", "name,age,sex,ward\n" + "".join(f"P{i},{20 + i // 2},{'FM'[i % 2]},{i // 30}\n" for i in range(60)))
        # Nobody is alone by what leaves as it is, and everybody is by all that leaves.
        self.result("tables", "protect", "alone.csv", "--id", "name", "--insensitive", "age,sex,ward", "--safe-harbor", "--out", "harbor.csv")
        text = self.report("harbor.csv")
        self.assertRegex(text, r'<p class="verdict bad">SAFE HARBOR BOUNDS NO RISK.* 60 of 60 released records stand alone')
        # By quasi-identifiers that no k holds.
        self.result("tables", "protect", "alone.csv", "--id", "name", "--qi", "age,sex", "--insensitive", "ward", "--allow", "ward",
                    "--safe-harbor", "--out", "qi.csv")
        self.assertRegex(self.report("qi.csv"), r'<p class="verdict bad">.*By age, sex, 60 of the released records stand alone')
        # Crowds, and nothing that is held by none.
        self.result("tables", "protect", "alone.csv", "--id", "name", "--qi", "age,sex,ward", "--k", "5", "--safe-harbor", "--out", "crowds.csv")
        self.assertIn('<p class="verdict good">', self.report("crowds.csv"))

    def test_an_adversarys_list_is_tried_before_and_after(self):
        self.release()
        # Every second person, and three whom nobody treats.
        listed = [ROWS[i] for i in range(0, 40, 2)] + [(f"Stranger{i}", 200 + i, "F", "55555", "") for i in range(3)]
        self.file("voters.csv", "name,zip,age,party\n" + "".join(f"{row[0]},{row[3]},{row[1]},x\n" for row in listed))
        whole = json.loads(self.report("out.csv", "--adversary", "voters.csv", out="report.json"))["releases"][0]
        figures = {attack["figure"]: (attack["before"], attack["after"]) for attack in whole["attacks"]}
        hierarchies = COLUMNS[COLUMNS.index("--hierarchy"):]
        alone = [self.result("tables", "attack", table, "--register", "voters.csv", "--on", "age,zip", "--sensitive",
                             "illness", "--truth", "people.csv", "--truth-key", "name", *hierarchies)
                 for table in ("people.csv", "out.csv")]
        for figure, key in (("linked_uniquely", "linked_uniquely"), ("correctly_linked", "correctly_linked"),
                            ("illness.sensitive_disclosed", "sensitive_disclosed"), ("illness.correct", "correct")):
            for share in ("", "_share"):
                self.assertEqual(figures[f"adversary.voters.csv.{figure}{share}"],
                                 tuple(outcome[key + share] for outcome in alone), figure + share)
        # Ages differ, so each of the twenty is alone in the original; in the release k = 5 hides all.
        self.assertEqual(figures["adversary.voters.csv.linked_uniquely"], (20, 0))
        self.assertEqual(figures["adversary.voters.csv.illness.correct"][0], 20)
        recorded, = [file for file in whole["files"] if file["path"] == "voters.csv"]
        # Whoever has the list but for one person could try people against its hash: it is committed to.
        self.assertNotIn("sha256", recorded)
        self.assertRegex(recorded["commitment"], "^[0-9a-f]{64}$")
        self.assertNotIn(hashlib.sha256((self.path / "voters.csv").read_bytes()).hexdigest(), json.dumps(whole))
        for out in ("report.html", "report.md", "report.json"):
            text = self.report("out.csv", "--adversary", "voters.csv", out=out)
            self.assertIn("23 people", text)
            for rare in (*RARE, "Stranger", "55555"):
                self.assertNotIn(rare, re.sub("[0-9a-f]{64}", "", text), out)

    def test_a_manifest_that_contradicts_itself_or_the_files_fails(self):
        self.release()
        path = self.path / "out.csv.manifest.json"
        kept = path.read_text()

        def verdict(change):
            content = json.loads(kept)
            change(content)
            path.write_text(json.dumps(content))
            result = self.result("report", "out.csv", "--out", "r.html", exit_code=1)
            self.assertEqual(result["standing"], "fails")
            return result["releases"][0]["verdict"]

        # The verifier alone would pass each of these.
        self.assertIn("not about the quasi-identifiers", verdict(lambda m: m["claims"][0].update(quasi_identifiers=["sex"])))
        self.assertIn("not about the quasi-identifiers", verdict(lambda m: m["parameters"].update(quasi_identifiers=["sex"])))
        self.assertIn("k = 5 was requested", verdict(lambda m: m["claims"][0].update(k=2)))
        both = verdict(lambda m: m["claims"][0].update(k=40))
        self.assertIn("do not hold", both)
        self.assertIn("k = 5 was requested", both)
        for part, figure, value in (("before", "unique", 1), ("before", "sensitive_disclosed", 1), ("before", "k", 9),
                                    ("after", "k", 30), ("after", "records", 7), ("after", "unique", 30)):
            self.assertIn(f"its figures for {part}", verdict(lambda m: m["results"].setdefault(part, {}).update({figure: value})), figure)
        self.assertIn("its figures for before", verdict(lambda m: m["results"].update(rows_in=4000)))
        for figure, value in (("suppressed", 3), ("classes", 900), ("unchanged", []), ("method", "levels")):
            self.assertIn("contradicts", verdict(lambda m: m["results"].update({figure: value})), figure)
        for part, figure, value in (("before", "unique_share", 0.01), ("before", "linkage_risk_mean", 0.01),
                                    ("after", "linkage_risk_mean", 0.01), ("after", "linkage_risk_max", 0.001),
                                    ("after", "sensitive_disclosed_share", 0.5)):
            self.assertIn("contradicts", verdict(lambda m: m["results"].setdefault(part, {}).update({figure: value})), figure)
        self.assertIn("settings of k", verdict(lambda m: m["options"].update(k=["50"])))
        self.assertIn("other methods", verdict(lambda m: m["options"].update(method="local")))
        self.assertIn("other sensitive columns", verdict(lambda m: m["options"].update(sensitive=["sex"])))
        self.assertIn("other hierarchies", verdict(lambda m: m["options"].update(hierarchy=["age=interval:10"])))
        self.assertIn("another seed", verdict(lambda m: m["options"].update(seed=2)))
        self.assertIn("contradicts", verdict(lambda m: m["parameters"].update(identifiers=["name", "surname"])))
        path.write_text(kept)
        self.assertTrue(self.result("report", "out.csv", "--out", "r.html")["holds"])

    def test_another_kind_does_not_have_forged_figures_believed(self):
        self.release()
        path = self.path / "out.csv.manifest.json"
        forged = json.loads(path.read_text())
        forged["results"]["after"].update(k=1000, linkage_risk_max=0.0001)

        def write(**changes):
            content = {**forged, **changes}
            path.write_text(json.dumps({key: value for key, value in content.items() if value is not None}))

        def verdict():
            return self.result("report", "out.csv", "--out", "r.html", exit_code=1)["releases"][0]["verdict"]

        write()
        self.assertIn("its figures for after", verdict())
        old = {"format": None, "private": None, "inputs": [{"path": "x.csv", "sha256": "0" * 64, "bytes": 1}]}
        for changes in ({"kind": "zzz"}, {"kind": ""}, {**old, "command": ["zzz"]}, {**old, "command": []}):
            write(**changes)
            self.assertIn("knows no such kind", self.error("report", "out.csv", "--out", "new.html"))
        for kind in ("trails", "codes"):
            write(kind=kind)
            self.assertIn(f"releases of {kind} do not claim k-anonymity", verdict())
        write(kind="fusion")
        self.assertIn("made by the verb fred", verdict())
        write(kind="fusion", verb="fred")
        self.assertIn("figures that no release of fusion has", verdict())
        write(verb="assess")
        self.assertIn("made by the verb protect", verdict())

    def test_files_that_the_options_name_are_inputs(self):
        releases = self.release_of_each_kind()
        self.release("trees.csv", "--hierarchy", "sex=" + self.file("sexes.csv", "F;anybody\nM;anybody\n"))
        named = {"out.csv": ["FILE", "config", "queries"], "codes-out.csv": ["FILE", "hierarchy", "weights"],
                 "apart.csv": ["FILE"], "dna-out.csv": ["identified", "deidentified"],
                 "list-out.csv": ["FILE", "auxiliary", "rules"], "trees.csv": ["FILE"]}
        self.assertLessEqual(set(releases), set(named))
        for release, options in named.items():
            path = self.path / f"{release}.manifest.json"
            kept = json.loads(path.read_text())
            for option in options:
                path.write_text(json.dumps({**kept, "options": {**kept["options"], option: "elsewhere.csv"}}))
                result = self.result("report", release, "--out", "r.html", exit_code=1)
                self.assertIn(f"the option {option} names a file that is not among the inputs",
                              result["releases"][0]["verdict"])
            path.write_text(json.dumps(kept))
            self.assertTrue(self.result("report", release, "--out", "r.html")["holds"])
        path = self.path / "trees.csv.manifest.json"
        content = self.as_format_2("trees.csv")
        content["inputs"] = [file for file in content["inputs"] if "sexes" not in file["path"]]
        path.write_text(json.dumps(content))
        result = self.result("report", "trees.csv", "--out", "r.html", exit_code=1)
        self.assertIn("the option hierarchy names a file", result["releases"][0]["verdict"])

    def test_without_options_no_command_is_shown(self):
        self.release()
        path = self.path / "out.csv.manifest.json"
        content = json.loads(path.read_text())
        path.write_text(json.dumps({**content, "options": {}, "command": ["tables", "protect", "other.csv", "--k", "50"]}))
        text = self.report("out.csv")
        self.assertIn("no command is recorded", text)
        self.assertNotIn("other.csv", text)
        self.assertNotIn("the same bytes", text)

    def test_the_words_of_a_recorded_command_are_not_believed(self):
        self.release()
        path = self.path / "out.csv.manifest.json"
        content = json.loads(path.read_text())
        content["command"] = ["tables", "protect", "other.csv", "--k", "50"]
        path.write_text(json.dumps(content))
        release = json.loads(self.report("out.csv", out="report.json"))["releases"][0]
        words = shlex.split(release["command"])
        self.assertEqual(words[:4], ["pratique", "tables", "protect", "people.csv"])
        self.assertEqual(words[words.index("--k") + 1], "5")
        self.assertNotIn("other.csv", words)

    def test_a_command_may_be_written_in_any_order(self):
        self.file("people.csv", PEOPLE)
        self.result("tables", "protect", *COLUMNS, "--suppression=0.1", "--k=5", "--out", "out.csv", "people.csv", "--seed=1")
        self.assertTrue(self.result("report", "out.csv", "--out", "r.html")["holds"])
        self.file("schema.yaml", "identifiers: [name]\nquasi_identifiers: [age, sex, zip]\nsensitive: [illness]\n"
                  "hierarchies: {age: 'interval:10,20,40', zip: prefix}\nmodels: {k: 5}\n")
        self.result("tables", "protect", "--config", "schema.yaml", "--method", "mondrian", "people.csv", "--out", "second.csv")
        self.assertTrue(self.result("report", "second.csv", "--out", "s.html")["holds"])

    def test_a_claim_that_stands_there_twice_is_told_twice(self):
        self.release()
        path = self.path / "out.csv.manifest.json"
        content = json.loads(path.read_text())
        content["claims"] *= 300
        path.write_text(json.dumps(content))
        models = json.loads(self.report("out.csv", out="report.json"))["releases"][0]["models"]
        self.assertEqual(len(models), len(content["claims"]))
        self.assertEqual({model["standing"] for model in models}, {"holds"})

    def test_a_hierarchy_that_is_another_now_explains_nothing(self):
        self.file("sexes.csv", "F;anybody\nM;anybody\n")
        self.release("out.csv", "--hierarchy", "sex=sexes.csv")
        self.assertEqual(json.loads(self.report("out.csv", out="report.json"))["releases"][0]["notes"], [])
        self.file("sexes.csv", "F;anybody\nM;nobody\n")
        notes = " ".join(json.loads(self.report("out.csv", out="report.json"))["releases"][0]["notes"])
        self.assertIn("labels of column sex", notes)
        self.assertIn("made with sexes.csv, which is not at its recorded place", notes)

    def test_samples_have_a_before_and_an_after_and_few_are_not_counted(self):
        # Six people and samples at H1, six at H2, and one alone at H3: whose that is, is certain.
        places = ["H1"] * 6 + ["H2"] * 6 + ["H3"]
        self.file("named.csv", "location,element\n" + "".join(f"{place},N{i}\n" for i, place in enumerate(places)))
        self.file("dna.csv", "location,element\n" + "".join(f"{place},S{i}\n" for i, place in enumerate(places)))
        self.result("trails", "protect", "--identified", "named.csv", "--deidentified", "dna.csv", "--k", "5", "--seed", "1",
                    "--out", "dna-out.csv")
        release = json.loads(self.report("dna-out.csv", out="report.json"))["releases"][0]
        figures = {attack["figure"]: (attack["before"], attack["after"]) for attack in release["attacks"]}
        for figure in ("reidentified", "k_reidentified"):
            # One sample of thirteen, which is 1 to 4, and no number.
            self.assertEqual(figures[figure], (None, 0))
            self.assertEqual(figures[figure + "_share"], (None, 0))
        self.assertIn("1 to 4", self.report("dna-out.csv"))
        path = self.path / "dna-out.csv.manifest.json"
        content = json.loads(path.read_text())
        content["results"]["after"] = {"k_reidentified": 7}
        path.write_text(json.dumps(content))
        self.assertIn("its figures for after", self.report("dna-out.csv", exit_code=1))
        chart, = release["charts"]["groups"]
        # The one goes with the twelve that may be six people's each.
        self.assertEqual([(row["label"], row["values"]) for row in chart["rows"]], [("fewer than 10", [13, 12])])

    def test_a_list_without_a_name_attacks_without_the_truth(self):
        self.release()
        self.file("ages.csv", "age\n" + "".join(f"{row[1]}\n" for row in ROWS))
        self.file("sexes.csv", "sex\nF\nM\n")
        whole = json.loads(self.report("out.csv", "--adversary", "ages.csv", "--adversary", "sexes.csv",
                                       out="report.json"))["releases"][0]
        figures = {attack["figure"]: (attack["before"], attack["after"]) for attack in whole["attacks"]}
        self.assertEqual(figures["adversary.ages.csv.linked_uniquely"][0], 40)
        self.assertEqual(figures["adversary.sexes.csv.linked_uniquely"], (0, 0))
        self.assertFalse([figure for figure in figures if "correct" in figure])

    def test_a_list_that_cannot_be_tried_is_told(self):
        self.release()
        self.file("colours.csv", "name,colour\nPerson01,red\n")
        done = self.run_program("report", "out.csv", "--adversary", "colours.csv", "--out", "r.html")
        self.assertEqual(done.returncode, 2)
        self.assertIn("age, sex, zip", done.stderr.decode())
        self.assertFalse((self.path / "r.html").exists())
        self.file("voters.csv", "age\n30\n")
        self.assertIn("same file", self.run_program("report", "out.csv", "--adversary", "voters.csv", "--out",
                                                    "voters.csv", "--force").stderr.decode())
        (self.path / "people.csv").unlink()
        result = self.result("report", "out.csv", "--adversary", "voters.csv", "--out", "r.html")
        self.assertIn("the original is not at its recorded place", result["notes"][0]["note"])
        self.assertIn("Not attacked with voters.csv", (self.path / "r.html").read_text())

    def test_this_release_is_marked_on_the_map(self):
        self.release()
        self.result("tables", "explore", "people.csv", *COLUMNS, "--ks", "3,5", "--methods", "mondrian", "--out", "map")
        release = json.loads(self.report("out.csv", "--ru-map", "map/ru-map.json", out="report.json"))["releases"][0]
        marked = release["charts"]["ru_map"]["series"][-1]
        manifest = self.private_manifest("out.csv")["results"]
        self.assertEqual(marked["name"], "this release")
        self.assertEqual(marked["points"][0][:2], [manifest["after"]["linkage_risk_mean"], 1 - manifest["metrics"]["lm"]])
        # The map tried the same setting, so the point lies on one of its own.
        self.assertIn(marked["points"][0][:2],
                      [point[:2] for point in release["charts"]["ru_map"]["series"][0]["points"]])
        self.assertIn("this release", self.report("out.csv", "--ru-map", "map/ru-map.json"))

    def test_hostile_names_stay_text(self):
        evil = "a<script>alert(1)</script>\"'&"
        text = PEOPLE.replace("sex", '"' + evil.replace('"', '""') + '"', 1)
        self.file("people.csv", text)
        name = "<img src=x onerror=alert(1)>.csv"
        self.result("tables", "protect", "people.csv", "--id", "name", "--qi", "age,zip", "--sensitive", "illness",
                    "--insensitive", evil, "--allow", evil, "--hierarchy", "age=interval:10,20,40", "--hierarchy", "zip=prefix", "--method",
                    "mondrian", "--k", "5", "--out", name)
        page = Page(self.report(name))
        self.assertEqual(page.problems, [])
        tags = [tag for tag, _ in page.tags]
        self.assertEqual([attributes for tag, attributes in page.tags if tag == "script"],
                         [{"type": "application/json", "id": "pratique-report"}])
        self.assertNotIn("img", tags)

    def test_bad_input_writes_nothing(self):
        self.release()
        before = sorted(os.listdir(self.path))
        broken = self.path / "out.csv.manifest.json"
        good = broken.read_text()
        for arguments, what in ((["none.csv", "--out", "r.html"], "no manifest"),
                                (["out.csv", "--out", "out.csv"], "same file"),
                                (["out.csv", "--out", "people.csv"], "did not write it"),
                                (["out.csv", "out.csv", "--out", "r.html"], "twice"),
                                (["out.csv", "--out", "out.csv.manifest.json"], "did not write it"),
                                (["out.csv", "--out", "r.docx"], "cannot be written as .docx"),
                                (["out.csv", "--out", "none/r.html"], "folder of this file does not exist"),
                                (["out.csv", "--out", "r.html", "--ru-map", "people.csv"], "JSON")):
            done = self.run_program("report", *arguments)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn(what, done.stderr.decode())
        for change in ("claims", "output", "command", "results", "inputs"):
            content = json.loads(good)
            content[change] = 7
            broken.write_text(json.dumps(content))
            done = self.run_program("report", "out.csv", "--out", "r.html")
            self.assertEqual(done.returncode, 2, (change, done.stderr))
            self.assertIn("not as pratique writes it", done.stderr.decode())
        self.assertEqual(sorted(os.listdir(self.path)), before)

    def test_pdf_by_chromium_or_a_hint(self):
        self.release()
        empty = self.path / "bin"
        empty.mkdir()
        done = self.run_program("report", "out.csv", "--out", "r.pdf", env={**os.environ, "PATH": str(empty)})
        self.assertEqual(done.returncode, 2)
        self.assertIn("apt-get install chromium", done.stderr.decode())
        self.assertFalse((self.path / "r.pdf").exists())
        if not shutil.which("chromium-headless-shell") and not shutil.which("chromium"):
            return
        result = self.result("report", "out.csv", "--out", "r.pdf")
        self.assertEqual(result["format"], "pdf")
        printed = (self.path / "r.pdf").read_bytes()
        self.assertTrue(printed.startswith(b"%PDF-") and len(printed) > 10000)


if __name__ == "__main__":
    unittest.main()
