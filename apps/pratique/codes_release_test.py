#!/usr/bin/env python3
"""What is said of releases of codes: their figures, and their place on the map. Run by ctest as:
codes_release_test.py PROGRAM"""
import itertools
import json
import unittest

from releases_in_folder import ReleasesInFolder

CODES = ["401.1", "401.9", "250.00", "250.02", "414.01", "272.4", "042", "V58.1"]


def ward(patients=60):
    """Everybody has two to four of the codes; two plans, and an age."""
    rows = ["patient,code,plan,age"]
    for p in range(patients):
        for code in sorted({CODES[p * step % len(CODES) if step < 5 else p // 7 % 3] for step in (1, 3, 5, 7)}):
            rows.append(f"P{p},{code},{p % 2},{20 + p % 30}")
    return "\n".join(rows) + "\n"


class CodesReleaseTest(ReleasesInFolder):
    def setUp(self):
        super().setUp()
        self.file("ward.csv", ward())

    def protect(self, *options, out="out.csv"):
        return self.result("codes", "protect", "ward.csv", "--k", "3", "--seed", "1", *options, "--out", out)

    def verdict(self, exit_code):
        return self.result("report", "out.csv", "--out", "r.html", "--force", exit_code=exit_code)["releases"][0]["verdict"]

    def test_honest_figures_are_believed(self):
        self.file("sensitive.txt", "042\n")
        self.file("rules.txt", "401.1 -> 042\n")
        self.file("privacy.txt", "401.1 250.00\n042\n")
        self.file("tree.csv", "".join(f"{code};{code[0]};*\n" for code in CODES))
        beside = ("--insensitive", "plan,age")
        for options in (("--m", "2", *beside), ("--m", "2", "--method", "apriori", *beside), ("--m", "1", "--method", "suppress", *beside),
                        ("--m", "2", "--suppression", "0.1", *beside), ("--m", "2", "--hierarchy", "tree.csv", *beside),
                        ("--m", "2", "--method", "disassociation"), ("--model", "complete", "--keep-nothing", *beside),
                        ("--model", "policy", "--method", "aclip", "--privacy", "privacy.txt", *beside),
                        ("--model", "coherence", "--sensitive", "sensitive.txt", "--h", "1.5", *beside),
                        ("--model", "rules", "--rules", "rules.txt", *beside),
                        ("--model", "table+codes", "--m", "1", "--qi", "plan,age", "--keep-nothing"),
                        ("--model", "table+codes", "--m", "1", "--qi", "age", "--insensitive", "plan", "--allow", "plan", "--keep-nothing")):
            with self.subTest(options=options):
                self.protect(*options)
                self.assertNotIn("contradicts", self.verdict(0))
                self.assertTrue(self.result("verify", "out.csv")["holds"])

    def test_the_verdict_names_the_insider_whom_only_complete_stops(self):
        said = "does not hold against an insider who knows all codes of a patient"
        # All three of eight codes, one patient each: every code has 21 patients, and nobody else has the same three.
        self.file("ward.csv", "patient,code\n" + "".join(
            f"P{p},{code}\n" for p, codes in enumerate(itertools.combinations(CODES, 3)) for code in codes))
        self.assertEqual(self.protect("--m", "1")["after"]["whole_set_known"]["named"], 56)
        for text in (self.result("verify", "out.csv")["note"], self.verdict(0)):
            self.assertIn(f"k^m-anonymity {said}, who names 56 of 56 patients.", text)
        # Whoever receives the release is told so without the figure, which is about the original.
        public = self.result("report", "out.csv", "--public", "--out", "r.html", "--force")["releases"][0]["verdict"]
        self.assertIn(said + ".", public)
        self.protect("--model", "complete", "--keep-nothing")
        self.assertNotIn("insider", self.verdict(0))
        self.assertNotIn("note", self.result("verify", "out.csv"))

    def test_codes_that_look_like_labels_are_codes(self):
        codes = ["a", "b", "(x|y)", "p|q", "x", "*", "{k"]
        self.file("odd.csv", "patient,code\n" + "".join(
            f'{p},"{code}"\n' for p in range(60) for code in sorted({codes[p % 7], codes[p % 5], codes[p % 3]})))
        self.file("odd-tree.csv", "".join(f'"{code}";"{label}";"top"\n' for code, label in
                                          zip(codes, ["a", "a", "g,1", "g,1", "x*", "x*", "(a|b)"])))
        for method in ("local", "apriori", "suppress"):
            with self.subTest(method=method):
                result = self.result("codes", "protect", "odd.csv", "--hierarchy", "odd-tree.csv", "--k", "4", "--m", "2",
                                     "--method", method, "--keep-nothing", "--seed", "1", "--out", "out.csv", "--force")
                self.assertNotIn("contradicts", self.verdict(0))
                attack = self.result("codes", "attack", "out.csv", "--known", "odd.csv", "--k", "4")
                for figure in ("matched_under_k", "reidentified"):
                    self.assertEqual(attack[figure], result["after"]["all_codes_known"][figure])

    def forged(self, change):
        """The verdict about a manifest of which one figure is another."""
        path = self.path / "out.csv.manifest.json"
        honest = path.read_text()
        manifest = self.as_format_2("out.csv")
        change(manifest["results"])
        path.write_text(json.dumps(manifest))
        told = self.verdict(1)
        path.write_text(honest)
        return told

    def test_figures_that_the_files_do_not_bear_out_fail(self):
        result = self.protect("--m", "2", "--method", "apriori", "--insensitive", "plan,age")
        figures = [(part, attack, figure) for part in ("before", "after") for attack in
                   ("m_codes_known", "all_codes_known", "whole_set_known") for figure in ("matched_under_k", "reidentified", "targets")]
        figures += [("before", "whole_set_known", "named"), ("after", "whole_set_known", "named"),
                    ("after", "columns_and_codes_known", "reidentified"), ("after", "columns_and_codes_known", "matched_under_k")]
        for part, attack, figure in figures:
            with self.subTest(part=part, attack=attack, figure=figure):
                self.assertIn(f"its figures for {part} do not match",
                              self.forged(lambda results: results[part][attack].update({figure: results[part][attack][figure] + 1})))
        self.assertGreater(result["metrics"]["groups"], 0)
        for changes in ({"ncp": result["metrics"]["ncp"] / 2}, {"groups": result["metrics"]["groups"] + 1}, {"groups": -1},
                        {"suppressed_patients": 1}):
            with self.subTest(changes=changes):
                self.assertIn("its figures for after do not match", self.forged(lambda results: results["metrics"].update(changes)))
        self.assertIn("after do not match", self.forged(lambda results: results["after"].update(singled_out=0 if results["after"]["singled_out"] else 1)))
        self.assertIn("after do not match", self.forged(lambda results: results.update(patients_out=results["patients_out"] - 1)))
        self.assertIn("before do not match", self.forged(lambda results: results.update(patients_in=results["patients_in"] + 1)))

    def test_whoever_verifies_needs_no_original_to_see_it(self):
        self.protect("--m", "2", "--insensitive", "plan,age")
        path = self.path / "out.csv.manifest.json"
        manifest = json.loads(path.read_text())
        manifest["results"]["after"]["columns_and_codes_known"]["reidentified"] = 0
        path.write_text(json.dumps(manifest))
        for name in (self.path / ".pratique/private").iterdir():
            name.unlink()
        (self.path / "ward.csv").unlink()
        told = self.result("verify", "out.csv", exit_code=1)
        self.assertIn("its figures for after do not match the released file", json.dumps(told))

    def test_chunks_are_counted(self):
        self.protect("--m", "2", "--method", "disassociation")
        for changes in ({"clusters": 1000}, {"chunks": 1000}, {"joint_clusters": 1000}, {"shared_chunks": 1000}):
            self.assertIn("after do not match", self.forged(lambda results: results["metrics"].update(changes)), changes)

    def test_this_release_is_marked_on_the_map(self):
        result = self.protect("--m", "2", "--method", "apriori", "--roles", "suggested")
        whole = result["after"]["whole_set_known"]
        self.result("codes", "explore", "ward.csv", "--ks", "3,5", "--ms", "2", "--out", "map")
        told = self.result("report", "out.csv", "--ru-map", "map/ru-map.json", "--out", "r.json")
        self.assertEqual(told.get("notes", []), [])
        series = json.loads((self.path / "r.json").read_text())["releases"][0]["charts"]["ru_map"]["series"]
        self.assertEqual(series[-1]["name"], "this release")
        named = whole["named"] if whole["named"] == 0 else max(3, whole["named"])  # fewer than k are shown as k
        place = [named / whole["targets"], 1 - result["metrics"]["ncp"]]
        self.assertEqual(series[-1]["points"][0][:2], place)
        # The map tried the same setting.
        self.assertIn(place, [point[:2] for part in series if part["name"] == "apriori" for point in part["points"]])
        shares = [point[0] * whole["targets"] for part in series for point in part["points"]]
        self.assertEqual([share for share in shares if 0 < share < 2.999], [])
        # A map of another file, and one that measures another risk.
        self.file("others.csv", ward(40))
        self.result("codes", "explore", "others.csv", "--ks", "3", "--ms", "2", "--out", "others")
        self.result("tables", "explore", "ward.csv", "--id", "patient", "--rows-are-people", "--qi", "age", "--insensitive",
                    "code,plan", "--ks", "3", "--methods", "mondrian", "--out", "rows")
        for folder in ("others", "rows"):
            told = self.result("report", "out.csv", "--ru-map", f"{folder}/ru-map.json", "--out", "r.json", "--force")
            self.assertIn("pratique codes explore", told["notes"][0]["note"], folder)


if __name__ == "__main__":
    unittest.main()
