#!/usr/bin/env python3
"""Models of codes with sensitive codes, rules and demographics, as a user meets them. Run by ctest as:
codes_models_test.py PROGRAM"""
import json
import os
import pathlib
import unittest

from program_in_folder import ProgramInFolder

# The tutorial's patients of (2,2,2)-coherence, and a tree over their codes.
COHERENCE = "401.0 401.1\n401.2 401.3 295\n401.0 401.1\n401.4\n"
TREE = ("401.0;low;401;*\n401.1;low;401;*\n401.2;high;401;*\n401.3;high;401;*\n401.4;high;401;*\n"
        "295;29;29;*\n")
# Patients that become those of the tutorial's RBAT example.
RULES = "a b c g\na d e h i\nb c g j\nf g h\na b c d e j\nd f i\n"


class CodesModelsTest(ProgramInFolder):
    def setUp(self):
        super().setUp()
        self.out = str(self.path / "out.dat")

    def verify_fails_after(self, path, change):
        """Plants a breach in the release and puts its new hash and rows into the manifest."""
        import hashlib
        release = pathlib.Path(path)
        release.write_text(change(release.read_text()))
        manifest_path = pathlib.Path(path + ".manifest.json")
        manifest = json.loads(manifest_path.read_text())
        manifest["output"]["sha256"] = hashlib.sha256(release.read_bytes()).hexdigest()
        manifest["output"]["rows"] = len(release.read_text().splitlines()) - (1 if path.endswith(".csv") else 0)
        manifest["outputs"] = [manifest["output"]]
        manifest_path.write_text(json.dumps(manifest))
        verdict = self.result("verify", path, exit_code=1)
        self.assertTrue(verdict["hash_matches"] and verdict["rows_match"], verdict)
        self.assertFalse(verdict["claims"][0]["holds"])
        return verdict["claims"][0]["explanation"]

    def test_coherence(self):
        data = self.file("in.dat", COHERENCE)
        tree = self.file("tree.csv", TREE)
        sensitive = self.file("sensitive.txt", "295\n042\n")
        options = ["--model", "coherence", "--h", "2", "--k", "2", "--p", "2", "--sensitive", sensitive, "--out", self.out]
        result = self.result("codes", "protect", data, *options, "--hierarchy", tree)
        self.assertTrue(result["verified"])
        lines = sorted(pathlib.Path(self.out).read_text().splitlines())
        self.assertEqual(lines, ["295 high", "401.0 401.1", "401.0 401.1", "high"])
        self.assertTrue(self.result("verify", self.out)["holds"])
        self.assertEqual(result["before"]["sensitive_inferred"], {"targets": 1, "inferred": 1})
        self.assertEqual(result["after"]["sensitive_inferred"], {"targets": 1, "inferred": 0})
        manifest = json.loads(pathlib.Path(self.out + ".manifest.json").read_text())
        self.assertEqual(manifest["parameters"]["h"], 2)
        why = self.verify_fails_after(self.out, lambda text: "".join(
            "295 high\n" if line == "high" else line + "\n" for line in text.splitlines()))
        self.assertIn("295", why)
        os.remove(self.out)
        os.remove(self.out + ".manifest.json")
        less = self.result("codes", "protect", data, *options, "--method", "suppress")
        self.assertEqual(less["metrics"]["suppressed_items"], 3)
        self.assertEqual(less["patients_out"], 3)

    def test_rules(self):
        data = self.file("in.dat", RULES)
        rules = self.file("rules.txt", "# the tutorial's\nc d -> h i\n")
        for method in ("rbat", "bottom-up"):
            result = self.result("codes", "protect", data, "--model", "rules", "--method", method, "--rules", rules,
                                 "--k", "5", "--c", "0.2", "--out", self.out)
            self.assertTrue(result["verified"])
            self.assertEqual(result["models"]["rules"]["required"], 0.2)
            self.assertLessEqual(result["models"]["rules"]["achieved"], 0.2)
            # One patient has c and d, and not h and i.
            self.assertEqual(result["before"]["rules_known"], {"targets": 1, "matched_under_k": 1, "inferred": 0})
            self.assertEqual(result["after"]["rules_known"], {"targets": 1, "matched_under_k": 0, "inferred": 0})
        lines = sorted(pathlib.Path(self.out).read_text().splitlines())
        self.assertEqual(lines, ["(c|d) a b e j", "(c|d) a b g", "(c|d) a e h i", "(c|d) b g j", "(c|d) f i", "f g h"])
        why = self.verify_fails_after(self.out, lambda text: text.replace("(c|d) f i", "(c|d) f h i"))
        self.assertIn("h, i", why)

    def test_a_bad_rule_is_named_with_line_and_column(self):
        data = self.file("in.dat", RULES)
        for text, place in (("c d -> h\nc d e\n", ":2:6"), ("c -> \n", ":1:5"), ("c -> h -> i\n", ":1:8"),
                            ("\nc x -> h\n", ":2:3"), ("c -> h\nh -> i\n", ":2:1")):
            rules = self.file("rules.txt", text)
            told = self.error("codes", "protect", data, "--model", "rules", "--rules", rules, "--out", self.out)
            self.assertIn("rules.txt" + place, told)

    def test_uncertainty(self):
        # Both with c have s; of 12 with a, three.
        data = self.file("in.dat", "a\n" * 9 + "a s\n" + "a c s\n" * 2 + "b\n" * 6)
        tree = self.file("tree.csv", "a;A;*\nc;A;*\nb;B;*\ns;S;*\n")
        sensitive = self.file("sensitive.txt", "s\n")
        result = self.result("codes", "protect", data, "--model", "uncertainty", "--rho", "0.5", "--sensitive",
                             sensitive, "--hierarchy", tree, "--out", self.out)
        self.assertTrue(result["verified"])
        self.assertLess(result["models"]["uncertainty"]["achieved"], 0.5)
        self.assertEqual(result["before"]["sensitive_inferred"], {"targets": 3, "inferred": 2})
        self.assertEqual(result["after"]["sensitive_inferred"], {"targets": 3, "inferred": 0})
        text = pathlib.Path(self.out).read_text()
        self.assertIn("s", text)
        self.assertNotIn("c", text)
        why = self.verify_fails_after(self.out, lambda lines: lines.replace("b\n", "b s\n", 4))
        self.assertIn("{b}", why)

    def test_uncertainty_has_no_k(self):
        data = self.file("in.dat", "a\na\na s\n")
        tree = self.file("tree.csv", "a;*\ns;*\n")
        result = self.result("codes", "protect", data, "--model", "uncertainty", "--rho", "0.5", "--sensitive",
                             self.file("sensitive.txt", "s\n"), "--hierarchy", tree, "--out", self.out)
        self.assertLess(result["models"]["uncertainty"]["achieved"], 0.5)

    def test_a_rule_holds_for_who_ignores_a_suppressed_code(self):
        # Whoever has a has s, with b or without: suppressing b would help nobody.
        data = self.file("in.dat", "a b s\n" + "a s\n" * 6 + "c\n")
        rules = self.file("rules.txt", "a b -> s\n")
        for method in ("rbat", "bottom-up"):
            self.result("codes", "protect", data, "--model", "rules", "--method", method, "--rules", rules, "--k", "2",
                        "--c", "0.5", "--out", self.out)
            records = [set(line.split()) for line in pathlib.Path(self.out).read_text().splitlines()]
            with_a = [record for record in records if any("a" in item for item in record)]
            self.assertLessEqual(sum("s" in record for record in with_a), 0.5 * len(with_a))

    def test_demographics_and_codes(self):
        # Each code is shared by four and each age by four, but not both.
        rows = ["patient,code,age,dna"]
        for number in range(16):
            age = 20 + number // 4
            rows.append(f"P{number},{'abcd'[number % 4]},{age},{'ACGT'[number % 4]}")
        data = self.file("in.csv", "\n".join(rows) + "\n")
        tree = self.file("tree.csv", "a;ab;*\nb;ab;*\nc;cd;*\nd;cd;*\n")
        out = str(self.path / "out.csv")
        result = self.result("codes", "protect", data, "--model", "table+codes", "--k", "4", "--m", "1", "--qi", "age",
                             "--qi-hierarchy", "age=interval:2,4", "--insensitive", "dna", "--hierarchy", tree, "--out", out)
        self.assertTrue(result["verified"])
        self.assertEqual(result["unchanged"], ["dna"])
        self.assertEqual(result["before"]["demographics_and_m_codes_known"]["reidentified"], 16)
        self.assertEqual(result["after"]["demographics_and_m_codes_known"]["matched_under_k"], 0)
        released = self.rows(out)
        self.assertEqual(len(released), 16)
        for row in released:
            alike = [other for other in released if (other["age"], other["code"]) == (row["age"], row["code"])]
            self.assertGreaterEqual(len(alike), 4)
        first = released[0]
        self.verify_fails_after(out, lambda text: text.replace(f",{first['code']},", ",zz,", 1))
        self.assertIn("weight", self.error("codes", "protect", data, "--model", "table+codes", "--k", "4", "--qi", "weight",
                                           "--hierarchy", tree, "--out", str(self.path / "other.csv")))

    def test_what_a_model_needs(self):
        data = self.file("in.dat", RULES)
        tree = self.file("tree.csv", "".join(f"{code};*\n" for code in "abcdefghij"))
        nobody = self.file("nobody.txt", "zz\n")
        protect = ["codes", "protect", data, "--out", self.out, "--hierarchy", tree, "--model"]
        self.assertIn("--sensitive", self.error(*protect, "coherence", "--k", "2"))
        self.assertIn("--sensitive", self.error(*protect, "uncertainty"))
        self.assertIn("'zz' is not a code", self.error(*protect, "uncertainty", "--sensitive", nobody))
        self.assertIn("--rules", self.error(*protect, "rules", "--k", "2"))
        self.assertIn("--qi", self.error(*protect, "table+codes", "--k", "2"))


if __name__ == "__main__":
    unittest.main()
