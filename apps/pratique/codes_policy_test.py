#!/usr/bin/env python3
"""Policies over codes as a user meets them. Run by ctest as: codes_policy_test.py PROGRAM"""
import hashlib
import json
import pathlib
import unittest

from program_in_folder import ProgramInFolder

DATA = pathlib.Path("../shared/data/codes").resolve()

# The tutorial's example, k = 2.
SETS = "296.00 296.01 296.02\n295.00 295.01 295.02\n296.00 296.02\n"


class PolicyTest(ProgramInFolder):
    def setUp(self):
        super().setUp()
        self.sets = self.file("sets.dat", SETS)
        self.privacy = self.file("privacy.txt", "296.00 296.01 296.02\n")
        self.utility = self.file("utility.txt", "296.00 296.01\n")

    def protect(self, file, *options):
        return self.result("codes", "protect", file, "--model", "policy", "--k", "2", "--privacy", self.privacy, *options)

    def test_the_tutorials_release(self):
        result = self.protect(self.sets, "--utility", self.utility, "--out", "out.dat")
        self.assertEqual(result["method"], "ugaclip")
        self.assertEqual(sorted((self.path / "out.dat").read_text().splitlines()),
                         ["(296.00|296.01) 296.02"] * 2 + ["295.00 295.01 295.02"])
        self.assertEqual((result["metrics"]["utility_constraints"], result["metrics"]["utility_kept"]), (1, 1))
        self.assertEqual((result["metrics"]["groups"], result["metrics"]["gwas_supported"]), (1, 2))
        self.assertEqual(result["before"]["constraints_known"], {"targets": 1, "matched_under_k": 1, "reidentified": 1})
        self.assertEqual(result["after"]["constraints_known"], {"targets": 1, "matched_under_k": 0, "reidentified": 0})
        self.assertEqual(result["models"]["policy"], {"required": 2, "achieved": 2})
        self.assertTrue(self.result("verify", "out.dat")["holds"])

    def test_the_manifest_repeats_no_patient(self):
        # Every constraint is what a patient has.
        self.protect(self.sets, "--utility", self.utility, "--out", "out.dat")
        manifest = (self.path / "out.dat.manifest.json").read_text()
        self.assertNotIn("296.02", manifest)
        claim = json.loads(manifest)["claims"][0]
        # Nor a hash that could be guessed.
        self.assertEqual(set(claim["privacy"]), {"path", "commitment"})
        self.assertNotIn(hashlib.sha256(b"296.00 296.01 296.02\n").hexdigest(), manifest)
        self.assertTrue(self.result("verify", "out.dat")["holds"])
        # Whoever verifies is given the private manifest.
        private = self.path / ".pratique" / "private"
        private.rename(self.path / "given")
        self.assertIn("--private", self.error("verify", "out.dat"))
        self.assertTrue(self.result("verify", "out.dat", "--private", "given")["holds"])
        (self.path / "given").rename(private)
        # A policy that asks for less is not the one that was claimed, and one that is gone was not checked.
        policy = self.path / "privacy.txt"
        policy.write_text("295.00\n")
        verdict = self.result("verify", "out.dat", exit_code=1)["claims"][0]
        self.assertFalse(verdict["holds"])
        self.assertIn("not the one that was claimed", verdict["explanation"])
        policy.unlink()
        self.assertIn("privacy.txt", self.error("verify", "out.dat"))

    def test_a_label_over_more_than_a_disease_is_across(self):
        # 493 is asthma, and a chapter of more: the manifest does not say which codes of it the data has.
        data = self.file("lungs.dat", "493.00\n496\n250.00\n250.00\n493.01\n493.02\n")
        self.result("codes", "protect", data, "--hierarchy", "icd9", "--method", "local", "--k", "2", "--m", "1", "--out", "out.dat")
        labels = json.loads((self.path / "out.dat.manifest.json").read_text())["claims"][0]["labels"]
        self.assertEqual(set(labels.values()), {"icd9"})
        wide = [label for label in labels if not label.startswith("493")]
        for original in ([], ["--original", data]):
            diseases = self.result("codes", "gwas", "out.dat", *original)["table"]
            asthma = next(row for row in diseases if row["disease"] == "Asthma")
            self.assertEqual(asthma["sets_across"], len(wide), labels)
            self.assertEqual(asthma["usable"], not wide)

    def test_a_planted_breach_is_named(self):
        self.protect(self.sets, "--utility", self.utility, "--out", "out.dat")
        released = self.path / "out.dat"
        clean = released.read_text()
        released.write_text(clean.replace(" 296.02", "", 1))
        verdict = self.result("verify", "out.dat", exit_code=1)
        self.assertIn("296.02", verdict["claims"][0]["explanation"])
        released.write_text(clean.replace("(296.00|296.01) 296.02", "(296.00|296.01|296.02)"))
        verdict = self.result("verify", "out.dat", exit_code=1)
        self.assertIn("crosses", verdict["claims"][0]["explanation"])

    def test_a_long_file_and_every_method(self):
        rows = "".join(f"P{n},{code}\n" for n, line in enumerate(SETS.splitlines()) for code in line.split())
        long = self.file("long.csv", "patient,code\n" + rows)
        for method in ("ugaclip", "cba", "aclip"):
            with self.subTest(method):
                result = self.protect(long, "--method", method, "--utility", self.utility, "--out", "out.csv")
                self.assertTrue(result["verified"])
                self.assertTrue(self.result("verify", "out.csv")["holds"])

    def constraints(self, name):
        first, *rest = (self.path / name).read_text().splitlines(keepends=True)
        self.assertTrue(first.startswith("# Written by pratique codes "))
        return "".join(rest)

    def test_a_policy_replaces_only_a_policy_and_is_its_owners_alone(self):
        policy = ("codes", "policy", "--from-discharge", self.sets, "--out", "mine.txt")
        for _ in range(2):
            self.result(*policy)
        self.assertEqual((self.path / "mine.txt").stat().st_mode & 0o777, 0o600)
        self.file("mine.txt", "notes of a study\n")
        self.assertIn("did not write it", self.error(*policy))
        self.result(*policy, "--force")

    def test_policies_are_made(self):
        discharge = self.file("discharge.csv", "patient,visit,code\nann,1,296.00\nann,1,296.01\nann,1,V70\nann,2,296.02\n"
                              "bob,1,296.01\nbob,1,296.00\n")
        policy = self.result("codes", "policy", "--from-discharge", discharge, "--visit", "visit", "--out", "p1.txt")
        self.assertEqual((policy["constraints"], policy["codes"]), (3, 4))
        self.assertEqual(self.constraints("p1.txt"), "296.00 296.01\n296.00 296.01 V70\n296.02\n")
        data = self.file("data.csv", "patient,code\n1,296.00\n1,296.01\n2,296.02\n")
        self.result("codes", "policy", "--from-discharge", discharge, "--visit", "visit", "--data", data, "--out", "p2.txt")
        self.assertEqual(self.constraints("p2.txt"), "296.00 296.01\n296.02\n")
        self.result("codes", "utility", self.sets, "--from-hierarchy", "icd9", "--level", "2", "--out", "u1.txt")
        self.assertEqual(self.constraints("u1.txt"), "295.00 295.01 295.02\n296.00 296.01 296.02\n")
        self.result("codes", "utility", self.sets, "--diseases", self.file("d.txt", "Mine: 296.0 295.01\n"), "--out", "u2.txt")
        self.assertEqual(self.constraints("u2.txt"), "295.01 296.00 296.01 296.02\n")
        result = self.protect(self.sets, "--utility", "gwas", "--method", "cba", "--out", "out.dat")
        self.assertEqual((result["metrics"]["utility_constraints"], result["metrics"]["gwas_supported"]), (2, 2))

    def test_gwas_table(self):
        studies = self.result("codes", "gwas", self.file("r.dat", "(493.00|401.1) 185\n185\n"), "--original",
                              self.file("o.dat", "493.00 185\n185 401.1\n"))
        rows = {row["disease"]: row for row in studies["table"]}
        self.assertEqual((len(rows), studies["gwas_supported"]), (18, 1))
        self.assertEqual((rows["Prostate cancer"]["usable"], rows["Prostate cancer"]["cases"]), (True, 2))
        self.assertEqual((rows["Asthma"]["usable"], rows["Asthma"]["sets_across"]), (False, 1))
        studies = self.result("codes", "gwas", self.file("less.dat", "185\n"), "--original", str(self.path / "o.dat"))
        self.assertEqual(studies["gwas_supported"], 0)

    def test_lists_of_icd9_codes_say_nothing_of_other_systems(self):
        drugs = self.file("drugs.dat", "A10BA02 C07AB02\n" * 5 + "A10BA02\n" * 5)
        for method in ("local", "disassociation"):
            result = self.result("codes", "protect", drugs, "--method", method, "--k", "2", "--out", "out.dat", "--force")
            self.assertNotIn("gwas_supported", result["metrics"])
        self.assertIn("ICD-9", self.error("codes", "gwas", drugs))

    def test_bad_input(self):
        policy = ["codes", "protect", self.sets, "--model", "policy", "--k", "2", "--out", "o.dat"]
        self.assertIn("--privacy", self.error(*policy))
        self.assertIn("--utility", self.error(*policy, "--privacy", self.privacy))
        text = self.error(*policy, "--method", "aclip", "--privacy", self.file("bad.txt", "296.00\n296.01 296.09\n"))
        self.assertIn("bad.txt:2:8", text)
        self.assertIn("296.09", text)
        self.assertIn("nearest", text)
        self.assertIn("two.txt:1:8", self.error(*policy, "--privacy", self.file("two.txt", "296.00 (296.01\n")))
        self.assertIn("patients", self.error("codes", "protect", self.sets, "--model", "policy", "--k", "4", "--privacy",
                                             self.privacy, "--method", "aclip", "--out", "o.dat"))
        self.assertIn("level", self.error("codes", "utility", self.sets, "--from-hierarchy", "icd9", "--level", "9",
                                          "--out", "u.txt"))
        self.assertIn("d.txt:1", self.error("codes", "utility", self.sets, "--diseases", self.file("d.txt", "no colon\n"),
                                            "--out", "u.txt"))
        self.assertIn("same file", self.error("codes", "utility", self.sets, "--diseases", "gwas", "--out", self.sets))

    @unittest.skipUnless((DATA / "ehr631_icd9.dat").exists(), "the public data is not here")
    def test_utility_guided_methods_keep_more_constraints(self):
        with open(DATA / "ehr631_icd9.dat") as data:
            summaries = self.file("discharge.dat", "".join(list(data)[:100]))
        self.result("codes", "policy", "--from-discharge", summaries, "--out", "learnt.txt")
        kept = {}
        for method in ("aclip", "ugaclip", "cba"):
            result = self.result("codes", "protect", str(DATA / "ehr631_icd9.dat"), "--model", "policy", "--method",
                                 method, "--k", "5", "--privacy", "learnt.txt", "--utility",
                                 str(DATA / "ehr631_utility_constraints.json"), "--out", method + ".dat")
            self.assertEqual(result["after"]["constraints_known"]["matched_under_k"], 0)
            kept[method] = result["metrics"]["utility_kept"]
        self.assertGreater(kept["ugaclip"], kept["aclip"])
        self.assertGreater(kept["cba"], kept["aclip"])


if __name__ == "__main__":
    unittest.main()
