#!/usr/bin/env python3
"""genomes protect as a user meets it. Run by ctest as: genomes_test.py PROGRAM"""
import collections
import json
import random
import re
import stat
import unittest

from program_in_folder import ProgramInFolder

BASES = {"A": "A", "C": "C", "G": "G", "T": "T", "R": "AG", "Y": "CT", "S": "CG", "W": "AT", "K": "GT", "M": "AC",
         "B": "CGT", "D": "AGT", "H": "ACT", "V": "ACG", "N": "ACGT"}


def fasta(text):
    """(name, letters) of each entry."""
    return [(entry.split("\n", 1)[0], "".join(entry.split("\n")[1:])) for entry in text.split(">")[1:]]


def relatives(count, length=400, seed=1):
    """Names and sequences of one length that differ in a few places."""
    draw = random.Random(seed)
    founder = [draw.choice("ACGT") for _ in range(length)]
    places = draw.sample(range(length), 30)
    people = []
    for i in range(count):
        letters = list(founder)
        for place in draw.sample(places, 8):
            letters[place] = draw.choice("ACGT")
        people.append((f"Patient_{i:03}", "".join(letters)))
    return people


class GenomesTest(ProgramInFolder):
    def write(self, name, people):
        return self.file(name, "".join(f">{who} visit {i}\n{letters[:70]}\n{letters[70:]}\n"
                                       for i, (who, letters) in enumerate(people)))

    def protect(self, *arguments, file="in.fasta", out="out.fasta", exit_code=0):
        return self.result("genomes", "protect", file, "--method", "dnala", "--out", out, *arguments,
                           exit_code=exit_code)

    def released(self, name="out.fasta"):
        return fasta((self.path / name).read_text())

    def test_what_scripts_rely_on(self):
        people = relatives(40)
        self.write("in.fasta", people)
        result = self.protect("--k", "2")
        self.assertEqual(result["sequences"], 40)
        columns = [len(set(column)) > 1 for column in zip(*(letters for _, letters in people))]
        self.assertEqual(result["variable_regions"], sum(columns))
        released = self.released()
        self.assertEqual(len(released), 40)
        counts = collections.Counter(letters for _, letters in released)
        self.assertEqual(result["k_verified"], min(counts.values()))
        self.assertGreaterEqual(result["k_verified"], 2)
        self.assertEqual(result["groups"], 20)
        self.assertLessEqual(set("".join(counts)), set(BASES))
        # Nobody can be told apart: each original fits as many entries as the program says.
        fits = [sum(all(base in BASES[letter] for base, letter in zip(letters, other)) for _, other in released)
                for _, letters in people]
        self.assertEqual(result["after"]["fewest_candidates"], min(fits))
        self.assertAlmostEqual(result["after"]["mean_candidates"], sum(fits) / 40)
        self.assertEqual(result["after"]["unique"], 0)
        alone = collections.Counter(letters for _, letters in people)
        self.assertEqual(result["before"]["unique"], sum(1 for _, letters in people if alone[letters] == 1))
        # The loss by its definition: levels of released letters, all originals being bases.
        self.assertEqual(result["loss"]["distance"],
                         sum(len(BASES[letter]) - 1 for _, letters in released for letter in letters))
        self.assertLessEqual(result["loss"]["distance"], result["loss"]["greedy_distance"])
        self.assertGreater(result["loss"]["bits"], 0)

    def test_neither_names_nor_order_leave(self):
        people = relatives(30)
        self.write("in.fasta", people)
        self.protect("--seed", "7")
        text = (self.path / "out.fasta").read_text()
        manifest = (self.path / "out.fasta.manifest.json").read_text()
        for word in ("Patient", "visit"):
            self.assertNotIn(word, text + manifest)
        names = [name for name, _ in self.released()]
        self.assertEqual(len(set(names)), 30)
        for name in names:
            self.assertRegex(name, r"\A[0-9]{10}\Z")
        # Whatever the order of the input was, the same file leaves.
        self.write("turned.fasta", people[::-1])
        self.protect("--seed", "7", file="turned.fasta", out="again.fasta")
        self.assertEqual((self.path / "again.fasta").read_text(), text)

    def test_clusters_and_odd_numbers(self):
        for count, k in ((11, 2), (11, 3), (20, 5), (3, 2)):
            self.write("in.fasta", relatives(count))
            result = self.protect("--k", str(k))
            counts = collections.Counter(letters for _, letters in self.released())
            self.assertEqual(sum(counts.values()), count)
            self.assertGreaterEqual(min(counts.values()), k)
            self.assertEqual(result["k_verified"], min(counts.values()))

    def test_unaligned_sequences_are_aligned(self):
        draw = random.Random(3)
        people = []
        for name, letters in relatives(20, 300):
            place = draw.randrange(300)
            people.append((name, letters[:place] + (draw.choice("ACGT") * 2 if draw.random() < 0.5 else "") +
                           letters[place + draw.randrange(2):]))
        self.write("in.fasta", people)
        result = self.protect()
        self.assertFalse(result["aligned"])
        self.assertGreaterEqual(result["k_verified"], 2)
        # Few letters are lost where sequences are put under each other rightly.
        lost = sum(len(BASES[letter]) - 1 for _, letters in self.released() for letter in letters)
        self.assertLess(lost / 20, 60)

    def test_it_is_verified_reported_and_recorded(self):
        self.write("in.fasta", relatives(12))
        self.protect("--k", "3")
        self.assertTrue(self.result("verify", "out.fasta")["holds"])
        manifest = json.loads((self.path / "out.fasta.manifest.json").read_text())
        self.assertEqual((manifest["kind"], manifest["verb"], manifest["outputs"][0]["format"]),
                         ("genomes", "protect", "fasta"))
        self.assertEqual(manifest["claims"][0]["standing"], "derived")
        page = self.result("report", "out.fasta", "--out", "report.html")
        self.assertIn("DNA sequences", (self.path / "report.html").read_text())
        self.assertTrue(page)
        self.assertTrue(self.result("repeat", "out.fasta")["same"])
        self.result("ledger", "init", "ledger")
        self.assertTrue(self.result("ledger", "add", "ledger", "out.fasta")["added"])
        # Grouped otherwise, the same people are told apart by both releases together.
        self.protect("--k", "2", out="again.fasta")
        second = self.result("ledger", "add", "ledger", "again.fasta", exit_code=1)
        self.assertTrue(second["sequence"]["attacked"])
        self.assertGreater(second["sequence"]["breach"], 0)

    def test_binning(self):
        people = relatives(30)
        self.write("in.fasta", people)
        result = self.result("genomes", "protect", "in.fasta", "--method", "binning", "--within", "4", "--across", "3", "--out",
                             "out.fasta")
        released = self.released()
        self.assertEqual(len(released), 30)
        self.assertEqual({len(letters) for _, letters in released}, {result["variable_regions"]})
        counts = collections.Counter(letters for _, letters in released)
        self.assertGreaterEqual(min(counts.values()), 3)
        self.assertEqual(result["k_verified"], min(counts.values()))
        for letters in counts:
            self.assertLessEqual(set(letters), set("ACGTRYN"))
            self.assertGreaterEqual(min(collections.Counter(letters).values()), 4)
        self.assertGreaterEqual(result["after"]["fewest_candidates"], 3)
        self.assertTrue(self.result("verify", "out.fasta")["holds"])

    def test_masking(self):
        # Columns 5 to 8 are inherited together.
        draw = random.Random(9)
        people = []
        for i in range(60):
            carried = draw.choice("AC") * 4
            people.append((f"p{i}", "".join(draw.choice("GT") for _ in range(4)) + carried + "ACGT"))
        self.write("in.fasta", people)
        result = self.result("genomes", "protect", "in.fasta", "--method", "mask", "--loci", "6", "--tolerance", "0.15", "--out",
                             "out.fasta")
        self.assertGreater(result["before"]["accuracy"], 0.9)
        self.assertLessEqual(result["after"]["gain"], 0.15)
        self.assertLessEqual({5, 6, 7, 8}, set(result["hidden_columns"]))
        for _, letters in self.released():
            self.assertTrue(all(letters[column - 1] == "N" for column in result["hidden_columns"]))
        self.assertTrue(self.result("verify", "out.fasta")["holds"])
        self.file("out.fasta", (self.path / "out.fasta").read_text().replace("N", "A", 1))
        self.assertFalse(self.result("verify", "out.fasta", exit_code=1)["holds"])

    def test_frequencies(self):
        text = '##fileformat=VCFv4.2\n##contig=<ID=1>\n##FORMAT=<ID=GT,Number=1,Type=String,Description="g">\n'
        text += "#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\tFORMAT\tanna\tben\tcarl\n"
        text += "1\t10\t.\tA\tG\t.\t.\t.\tGT\t0/1\t1/1\t0/0\n1\t20\t.\tC\tT,A\t.\t.\t.\tGT\t0/2\t1/1\t./.\n"
        self.file("in.vcf", text)
        result = self.result("genomes", "protect", "in.vcf", "--method", "frequencies", "--step", "0.1", "--out", "out.csv")
        self.assertEqual((result["people"], result["variants_in"], result["variants_out"]), (3, 3, 3))
        rows = {(row["chrom"], row["pos"], row["ref"], row["alt"]): row["frequency"] for row in self.rows("out.csv")}
        # 3 of 6; 2 of 4; 1 of 4, rounded.
        self.assertEqual(rows[("1", "10", "A", "G")], "0.5")
        self.assertEqual(rows[("1", "20", "C", "T")], "0.5")
        self.assertIn(rows[("1", "20", "C", "A")], ("0.2", "0.3"))
        self.assertLess(result["after"]["power"]["0.05"], result["before"]["power"]["0.05"])
        self.assertTrue(self.result("verify", "out.csv")["holds"])
        self.file("out.csv", (self.path / "out.csv").read_text().replace("0.5", "0.51"))
        self.assertFalse(self.result("verify", "out.csv", exit_code=1)["holds"])
        fewer = self.result("genomes", "protect", "in.vcf", "--method", "frequencies", "--snps", "1", "--out", "few.csv")
        self.assertEqual((fewer["variants_out"], len(self.rows("few.csv"))), (1, 1))

    def test_planted_breaches_are_caught(self):
        self.write("in.fasta", relatives(12))
        self.protect()
        text = (self.path / "out.fasta").read_text()
        lines = text.splitlines()
        single = lines.copy()
        single[1] = ("C" if single[1][0] != "C" else "A") + single[1][1:]
        named = lines.copy()
        named[0] = ">Patient_001"
        for planted in (single, named):
            self.file("out.fasta", "\n".join(planted) + "\n")
            self.assertFalse(self.result("verify", "out.fasta", exit_code=1)["holds"])

    def test_what_cannot_be_read_is_said_with_its_place(self):
        self.file("protein.fasta", ">a\nMEEL\n>b\nACGT\n")
        self.assertIn("protein.fasta:2:2", self.error("genomes", "protect", "protein.fasta", "--out", "out.fasta"))
        self.file("empty.fasta", "")
        self.assertIn("no sequence", self.error("genomes", "protect", "empty.fasta", "--out", "out.fasta"))
        self.file("one.fasta", ">a\nACGT\n")
        self.assertIn("smaller k", self.error("genomes", "protect", "one.fasta", "--out", "out.fasta"))


if __name__ == "__main__":
    unittest.main()
