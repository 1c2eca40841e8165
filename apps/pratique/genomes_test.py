#!/usr/bin/env python3
"""genomes protect as a user meets it. Run by ctest as: genomes_test.py PROGRAM"""
import collections
import gzip
import json
import math
import os
import random
import shutil
import subprocess
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
        command = ("genomes", "protect", "in.vcf", "--method", "frequencies")
        self.assertIn("of 3 people", self.error(*command, "--out", "out.csv"))
        result = self.result(*command, "--fewest", "1", "--step", "0.1", "--out", "out.csv")
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
        fewer = self.result(*command, "--fewest", "1", "--snps", "1", "--out", "few.csv")
        self.assertEqual((fewer["variants_out"], len(self.rows("few.csv"))), (1, 1))

    def test_loci_of_unaligned_sequences_are_the_references(self):
        people = relatives(12)
        letters = people[0][1]
        people[3] = ("Patient_003", letters[:2] + "GGG" + letters[2:])
        self.write("in.fasta", people)
        self.write("reference.fasta", [("reference", letters)])
        command = ("genomes", "protect", "in.fasta", "--method", "mask", "--loci", "6", "--tolerance", "1", "--out", "out.fasta")
        # Which column is the sixth nobody knows before sequences are aligned.
        self.assertIn("--reference", self.error(*command))
        result = self.result(*command, "--reference", "reference.fasta")
        # Three bases were put in before it: alike letters around an insertion may take it at either end, never beyond it.
        self.assertEqual((result["loci"], result["hidden_columns"]), ([6], [9]))
        for _, sequence in self.released():
            self.assertEqual(sequence[8], "N")
        self.assertIn("position of the reference", self.error(*command[:6], "401", *command[7:], "--reference", "reference.fasta"))

    def genotypes(self, name="people.vcf", count=40, sites=60):
        """People whose neighbouring sites are inherited together, in blocks of six."""
        draw = random.Random(8)
        blocks = [[[draw.choice((0, 1)) for _ in range(6)] for _ in range(3)] for _ in range(sites // 6)]
        people = []
        for _ in range(count):
            two = [sum((draw.choice(block) for block in blocks), []) for _ in range(2)]
            people.append([a + b for a, b in zip(*two)])
        text = '##fileformat=VCFv4.2\n##contig=<ID=chr1>\n##INFO=<ID=WHO,Number=1,Type=String,Description="who">\n'
        text += '##FORMAT=<ID=GT,Number=1,Type=String,Description="g">\n#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\tFORMAT\t'
        text += "\t".join(f"Anna{i}" for i in range(count)) + "\n"
        for s in range(sites):
            calls = "\t".join(("0|0", "0|1", "1|1")[person[s]] for person in people)
            text += f"chr1\t{s + 1}\trs{s}\tA\tG\t50\tPASS\tWHO=secret\tGT\t{calls}\n"
        self.file(name, text)
        return people

    def test_masking_genotypes(self):
        people = self.genotypes()
        # The site whose genotypes are guessed worst without its neighbours.
        site = min(range(60), key=lambda s: max(collections.Counter(person[s] for person in people).values()))
        result = self.result("genomes", "protect", "people.vcf", "--method", "mask", "--loci", f"chr1:{site + 1}", "--tolerance", "0.1",
                             "--out", "out.vcf")
        self.assertGreater(result["before"]["gain"], 0.2)
        self.assertGreater(result["hidden"], 1)
        self.assertGreater(result["before"]["accuracy"], 0.8)
        self.assertLessEqual(result["after"]["gain"], 0.1)
        text = (self.path / "out.vcf").read_text()
        manifest = (self.path / "out.vcf.manifest.json").read_text()
        for word in ("Anna", "secret", "WHO", "rs1", "PASS", "|"):
            self.assertFalse(word in text or word in manifest, word)
        lines = [line.split("\t") for line in text.splitlines() if not line.startswith("#")]
        hidden = {int(place.split(":")[1]) for place in result["hidden_loci"]}
        self.assertIn(site + 1, hidden)
        released = [[None if call == "./." else call.count("1") for call in column] for column in zip(*(line[9:] for line in lines))]
        expected = [[None if s + 1 in hidden else person[s] for s in range(60)] for person in people]
        key = lambda person: [-1 if dosage is None else dosage for dosage in person]
        self.assertEqual(sorted(released, key=key), sorted(expected, key=key))
        self.assertNotEqual(released, expected)  # in another order
        self.assertTrue(self.result("verify", "out.vcf")["holds"])
        self.assertIn("no variant there", self.error("genomes", "protect", "people.vcf", "--method", "mask", "--loci", "2:9", "--out", "x.vcf"))

    def test_statistics_of_an_association(self):
        self.genotypes()
        self.file("trait.csv", "sample,case\n" + "".join(f"Anna{i},{i % 2}\n" for i in range(40)))
        result = self.result("genomes", "protect", "people.vcf", "--method", "frequencies", "--step", "0.05", "--trait", "trait.csv", "--out",
                             "out.csv")
        self.assertEqual((result["cases"], result["controls"]), (20, 20))
        for row in self.rows("out.csv"):
            f, q = float(row["cases"]), float(row["controls"])
            p = (f + q) / 2
            expected = (f - q) ** 2 / (p * (1 - p) * (2 / 40)) if 0 < p < 1 else 0
            self.assertAlmostEqual(float(row["chi_square"]), expected, places=3)
        self.assertTrue(self.result("verify", "out.csv")["holds"])
        self.assertTrue(self.result("report", "out.csv", "--out", "report.html"))

    def test_frequencies_of_few_people_are_refused(self):
        self.genotypes(count=6)
        command = ("genomes", "protect", "people.vcf", "--method", "frequencies", "--out", "out.csv", "--force")
        self.assertEqual(self.result(*command)["variants_out"], 60)
        # One case alone is told by the column of cases.
        self.file("trait.csv", "sample,case\n" + "".join(f"Anna{i},{int(i == 2)}\n" for i in range(6)))
        self.assertIn("of 1 person", self.error(*command, "--trait", "trait.csv"))
        self.genotypes(count=4)
        self.assertIn("--fewest", self.error(*command))
        # One person under six names is one.
        self.genotypes(count=1, sites=66)
        lines = [line.split("\t") for line in (self.path / "people.vcf").read_text().splitlines()]
        self.file("people.vcf", "".join("\t".join(row if row[0].startswith("##") else row[:9] + [row[9] + f"_{i}" if row[0] == "#CHROM" else row[9]
                                                   for i in range(6)]) + "\n" for row in lines))
        self.assertIn("of 1 person", self.error(*command))
        # A variant of which two have a call is theirs alone.
        self.genotypes(count=6)
        lines = (self.path / "people.vcf").read_text().splitlines()
        cells = lines[-1].split("\t")
        lines[-1] = "\t".join(cells[:11] + ["./."] * 4)
        self.file("people.vcf", "\n".join(lines) + "\n")
        result = self.result(*command)
        self.assertEqual((result["variants_out"], result["few_calls"]), (59, 1))
        self.assertNotIn("60", [row["pos"] for row in self.rows("out.csv")])

    def test_what_whoever_knows_all_others_gets_from_frequencies(self):
        people = self.genotypes(count=10)
        command = ("genomes", "protect", "people.vcf", "--method", "frequencies", "--out", "out.csv", "--force")
        for step in (0.01, 0.1, 0.25):

            def shown(copies):
                steps = copies / 20 / step
                return math.floor(steps) + (steps - math.floor(steps) >= 0.5)

            result = self.result(*command, "--step", str(step))
            recovered = 0
            for site in range(60):
                copies = sum(person[site] for person in people)
                self.assertAlmostEqual(float(self.rows("out.csv")[site]["frequency"]), shown(copies) * step)
                for person in people:
                    # What she may have, where the other nine are known and the table shows this.
                    recovered += sum(shown(copies - person[site] + own) == shown(copies) for own in (0, 1, 2)) == 1
            self.assertAlmostEqual(result["recovered_by_rest"], recovered / 600)
            self.assertEqual("rounds nothing away" in result.get("note", ""), step == 0.01)
            self.assertEqual(result["recovered_by_rest"] == 1, step == 0.01)

    def test_cases_alone_are_fewer_and_told_by_a_finer_step(self):
        people = self.genotypes(count=26)
        self.file("trait.csv", "sample,case\n" + "".join(f"Anna{i},{int(i < 6)}\n" for i in range(26)))
        step = 0.061  # of 52 alleles it hides some, of 12 of six cases none
        result = self.result("genomes", "protect", "people.vcf", "--method", "frequencies", "--step", str(step), "--trait", "trait.csv",
                             "--out", "out.csv")
        recovered = 0
        for site in range(60):
            for group in (people[:6], people[6:]):
                copies = sum(person[site] for person in group)
                shown = lambda number: round(number / (2 * len(group)) / step)
                recovered += sum(sum(shown(copies - person[site] + own) == shown(copies) for own in (0, 1, 2)) == 1 for person in group)
        self.assertAlmostEqual(result["recovered_by_rest"], recovered / (60 * 26))
        self.assertGreaterEqual(result["recovered_by_rest"], 6 / 26)
        self.assertIn("one allele of 12", result["note"])

    def test_masking_that_leaves_nothing_is_no_release(self):
        # Every place is inherited with every other: all of them tell the one.
        header = '##fileformat=VCFv4.2\n##contig=<ID=1>\n##FORMAT=<ID=GT,Number=1,Type=String,Description="g">\n'
        header += "#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\tFORMAT\t" + "\t".join(f"s{i}" for i in range(40)) + "\n"
        calls = "\t".join("0/0" if i % 2 else "1/1" for i in range(40))
        self.file("in.vcf", header + "".join(f"1\t{p}\t.\tA\tG\t.\t.\t.\tGT\t{calls}\n" for p in range(1, 21)))
        command = ("genomes", "protect", "in.vcf", "--method", "mask", "--loci", "1:5", "--out", "out.vcf")
        self.assertIn("nothing is left", self.error(*command, exit_code=1))
        self.assertFalse((self.path / "out.vcf").exists())

    def test_rare_variants_are_named_and_can_stay_behind(self):
        text = '##fileformat=VCFv4.2\n##contig=<ID=X>\n##FORMAT=<ID=GT,Number=1,Type=String,Description="g">\n'
        text += "#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\tFORMAT\t" + "\t".join("abcdefgh") + "\n"
        text += "X\t1\t.\tA\tG\t.\t.\t.\tGT\t0/1\t" + "\t".join(["0"] * 7) + "\n"
        text += "X\t2\t.\tA\tG\t.\t.\t.\tGT\t0/1\t" + "\t".join(["0", "1"] * 3) + "\t./1\n"
        text += "X\t3\t.\tA\tG\t.\t.\t.\tGT\t" + "\t".join(["0/1"] * 8) + "\n"
        self.file("in.vcf", text)
        result = self.result("genomes", "protect", "in.vcf", "--method", "frequencies", "--step", "0.001", "--out", "out.csv")
        # Men have one X: 1 of 9; 1 + 3 + 1 of 2 + 6 + 1.
        self.assertEqual([row["frequency"] for row in self.rows("out.csv")], ["0.111", "0.556", "0.5"])
        self.assertEqual(result["rare_variants"], 2)
        self.assertIn("--carriers", result["note"])
        fewer = self.result("genomes", "protect", "in.vcf", "--method", "frequencies", "--carriers", "5", "--out", "few.csv")
        self.assertEqual((fewer["variants_out"], fewer["rare_variants"]), (1, 0))

    def frequencies_of(self, name):
        self.result("genomes", "protect", name, "--method", "frequencies", "--step", "0.000001", "--fewest", "1", "--out", "freq.csv")
        return {(row["pos"], row["alt"]): float(row["frequency"]) for row in self.rows("freq.csv")}

    @unittest.skipUnless(shutil.which("bcftools"), "bcftools is not installed")
    def test_frequencies_are_those_of_bcftools(self):
        text = '##fileformat=VCFv4.2\n##contig=<ID=X>\n##FORMAT=<ID=GT,Number=1,Type=String,Description="g">\n'
        text += "#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\tFORMAT\ta\tb\tc\td\te\n"
        text += "X\t1\t.\tA\tG\t.\t.\t.\tGT\t0/1\t1\t0\t./.\t1|1\nX\t2\t.\tA\tG,T\t.\t.\t.\tGT\t1/2\t2\t0\t./2\t0|0\n"
        text += "X\t3\t.\tA\tG,T,C\t.\t.\t.\tGT\t1/3\t2\t.\t3/3\t0|1\n"
        self.file("in.vcf", text)
        told = subprocess.run(["bcftools", "+fill-tags", "in.vcf", "--", "-t", "AF"], cwd=self.path, capture_output=True, check=True)
        expected = {}
        for line in told.stdout.decode().splitlines():
            if line.startswith("#"):
                continue
            fields = line.split("\t")
            shares = fields[7].split("AF=")[1].split(";")[0].split(",")
            expected.update({(fields[1], alt): float(share) for alt, share in zip(fields[4].split(","), shares)})
        found = self.frequencies_of("in.vcf")
        self.assertEqual(set(found), set(expected))
        for variant, share in expected.items():
            self.assertAlmostEqual(found[variant], share, places=4)

    @unittest.skipUnless(shutil.which("plink2"), "plink2 is not installed")
    def test_frequencies_are_those_of_plink2(self):
        self.genotypes()
        plink = lambda *words: subprocess.run(["plink2", *words, "--out", "p"], cwd=self.path, capture_output=True, check=True)
        plink("--vcf", "people.vcf", "--make-bed")
        plink("--bfile", "p", "--freq", "--nonfounders")
        lines = (self.path / "p.afreq").read_text().split("\n")[1:-1]
        # Names of variants count from 0, their places from 1.
        expected = {(str(int(line.split("\t")[1][2:]) + 1), line.split("\t")[3]): float(line.split("\t")[4]) for line in lines}
        for name in ("people.vcf", "p.bed", "p.bim"):
            for variant, share in self.frequencies_of(name).items():
                self.assertAlmostEqual(share, expected[variant], places=4)

    def test_noise_is_charged_to_a_budget(self):
        self.genotypes()
        self.genotypes("panel.vcf", sites=12)
        self.result("dp", "open", "budget", "--data", "people.vcf", "--epsilon", "2")
        command = ("genomes", "protect", "people.vcf", "--method", "frequencies", "--ledger", "budget")
        result = self.result(*command, "--epsilon", "1.5", "--sites", "panel.vcf", "--out", "out.csv")
        self.assertEqual((result["epsilon_spent"], result["epsilon_left"], result["variants_out"]), (1.5, 0.5, 12))
        self.assertIn("STEWARD ONLY", result["steward_only"])
        manifest = (self.path / "out.csv.manifest.json").read_text()
        self.assertFalse([key for key in ("people", "utility", "before", "after", "steward_only") if f'"{key}"' in manifest])
        # Discrete Laplace of rate epsilon / 2 m: its deviation is nearly sqrt(2) 2 m / epsilon.
        self.assertAlmostEqual(result["deviation"], 2 ** 0.5 * 24 / 1.5, places=1)
        self.assertLess(result["after"]["power"]["0.05"], result["before"]["power"]["0.05"])
        self.assertEqual([row["pos"] for row in self.rows("out.csv")], [str(s + 1) for s in range(12)])
        self.assertTrue(self.result("verify", "out.csv")["holds"])
        self.assertTrue(self.result("report", "out.csv", "--out", "report.html"))
        self.assertIn("noise is drawn once", self.error("repeat", "out.csv"))
        self.assertIn("is left", self.error(*command, "--epsilon", "1", "--sites", "panel.vcf", "--out", "more.csv", exit_code=1))
        self.assertFalse((self.path / "more.csv").exists())
        self.assertIn("--sites", self.error(*command, "--epsilon", "0.1", "--out", "more.csv"))
        self.genotypes("others.vcf", count=30)
        self.assertIn("other data", self.error("genomes", "protect", "others.vcf", *command[3:], "--epsilon", "0.1", "--sites",
                                               "panel.vcf", "--out", "more.csv"))

    def test_binned_releases_are_recorded(self):
        self.write("in.fasta", relatives(12))
        self.result("ledger", "init", "ledger")
        for across, out, exit_code in (("3", "a.fasta", 0), ("2", "b.fasta", 1)):
            self.result("genomes", "protect", "in.fasta", "--method", "binning", "--across", across, "--out", out)
            added = self.result("ledger", "add", "ledger", out, exit_code=exit_code)
            self.assertTrue(added["sequence"]["attacked"])
        self.assertGreater(added["sequence"]["breach"], 0)

    def people_of(self, name, without, to):
        """The same file without some of its people, in another order and under other names."""
        lines = (self.path / name).read_text().splitlines()
        kept = [i for i in range(len(lines[4].split("\t"))) if i < 9 or i - 9 not in without]
        kept = kept[:9] + kept[:8:-1]
        cells = [line.split("\t") for line in lines]
        self.file(to, "".join(line + "\n" if line.startswith("##") else "\t".join(row[i] for i in kept) + "\n"
                              for line, row in zip(lines, cells)))

    def test_frequencies_are_taken_off_each_other(self):
        self.genotypes()
        # Alleles stand in no order of the alphabet.
        self.file("people.vcf", (self.path / "people.vcf").read_text().replace("\tA\tG\t", "\tT\tC\t"))
        self.people_of("people.vcf", {7}, "fewer.vcf")
        frequencies = lambda name, out, *more: self.result("genomes", "protect", name, "--method", "frequencies", "--out", out, *more)
        frequencies("fewer.vcf", "first.csv", "--step", "0.001")
        frequencies("people.vcf", "second.csv", "--step", "0.001")
        frequencies("people.vcf", "again.csv", "--step", "0.01")
        self.result("ledger", "init", "ledger")
        self.assertEqual(self.result("ledger", "add", "ledger", "first.csv", "--population", "p")["sequence"]["breach"], 0)
        # 40 people less 39 is one, whose genotypes the counts tell.
        second = self.result("ledger", "add", "ledger", "second.csv", "--population", "p", exit_code=1)["sequence"]
        self.assertEqual((second["attacked"], second["k_across"], second["attributes"][0]["differenced_people"]), (True, 1, 1))
        self.assertAlmostEqual(second["breach"], 1 / 40)
        # The same people at another step are nobody's difference, but to the first.
        self.result("ledger", "init", "other")
        self.assertEqual(self.result("ledger", "add", "other", "second.csv", "--population", "p")["sequence"]["differenced"], 0)
        self.assertEqual(self.result("ledger", "add", "other", "again.csv", "--population", "p")["sequence"]["differenced"], 0)
        # Statistics of cases and controls: whoever left the cases is told, too.
        trait = lambda cases: "sample,case\n" + "".join(f"Anna{i},{int(i in cases)}\n" for i in range(40))
        self.file("one.csv", trait(set(range(20))))
        self.file("two.csv", trait(set(range(19))))
        frequencies("people.vcf", "gwas.csv", "--step", "0.001", "--trait", "one.csv")
        frequencies("people.vcf", "later.csv", "--step", "0.001", "--trait", "two.csv")
        self.result("ledger", "init", "third")
        self.result("ledger", "add", "third", "gwas.csv", "--population", "p")
        later = self.result("ledger", "add", "third", "later.csv", "--population", "p", exit_code=1)["sequence"]
        self.assertGreaterEqual(later["attributes"][0]["differenced_people"], 1)
        # Without the genotypes of the earlier one nothing is cleared.
        self.file("fewer.vcf", "gone")
        self.result("ledger", "init", "fourth")
        self.result("ledger", "add", "fourth", "first.csv", "--population", "p", exit_code=1)
        self.result("ledger", "add", "fourth", "first.csv", "--population", "p", "--allow-unattacked")
        second = self.result("ledger", "add", "fourth", "second.csv", "--population", "p", exit_code=1)["sequence"]
        self.assertIn("genotypes", second["not_attacked"][0]["why"])

    def calls(self, name, people, position=0):
        """A VCF of {name: genotypes}."""
        text = '##fileformat=VCFv4.2\n##contig=<ID=1>\n##FORMAT=<ID=GT,Number=1,Type=String,Description="g">\n'
        text += "#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\tFORMAT\t" + "\t".join(people) + "\n"
        for s in range(len(next(iter(people.values())))):
            cells = "\t".join({0: "0/0", 1: "0/1", 2: "1/1", None: "./."}[own[s]] for own in people.values())
            text += f"1\t{100 * s + 100 + position}\t.\tA\tG\t.\tPASS\t.\tGT\t{cells}\n"
        self.file(name, text)

    def together(self, first, second, exit_code=0):
        """What adding the second release to a ledger of the first says."""
        ledger = f"ledger{len(list(self.path.iterdir()))}"
        self.result("ledger", "init", ledger)
        self.result("ledger", "add", ledger, first, "--population", "p")
        return self.result("ledger", "add", ledger, second, "--population", "p", exit_code=exit_code)["sequence"]

    def test_lists_of_variants_are_compared(self):
        draw = random.Random(3)
        # Fifty variants that half of all have, and ten that four of the others carry, and the last.
        everybody = {f"Anna{i}": [draw.choice((0, 1, 2)) for _ in range(50)] + [0] * 10 for i in range(60)}
        names = list(everybody)
        for s in range(50, 60):
            for who in draw.sample(names[:-1], 4) + names[-1:]:
                everybody[who][s] = 1
        self.calls("all.vcf", everybody)
        self.calls("less.vcf", {who: everybody[who] for who in names[:-1]})
        for name in ("all", "less"):
            self.result("genomes", "protect", f"{name}.vcf", "--method", "frequencies", "--step", "0.5", "--carriers", "5", "--seed", "1",
                        "--out", f"{name}.csv")
        self.assertEqual((len(self.rows("all.csv")), len(self.rows("less.csv"))), (60, 50))
        # Rounded to halves no frequency tells of her, ten variants that are listed or not do.
        self.assertAlmostEqual(self.together("less.csv", "all.csv", exit_code=1)["breach"], 1 / 60)
        self.assertAlmostEqual(self.together("all.csv", "less.csv", exit_code=1)["breach"], 1 / 59)

    def test_lines_that_were_dropped_before_a_file_was_made_tell(self):
        draw = random.Random(5)
        # Seventy variants that many have, and ten that four of the others carry, and the last. Lines of fewer than five copies were
        # dropped from both files.
        everybody = {f"Anna{i}": [draw.choice((0, 1, 2)) for _ in range(70)] + [0] * 10 for i in range(60)}
        names = list(everybody)
        for s in range(70, 80):
            for who in draw.sample(names[:-1], 4) + names[-1:]:
                everybody[who][s] = 1
        # One that has exactly five copies says what the least is.
        for who in names:
            everybody[who][0] = int(who in names[:5])
        self.calls("all.vcf", everybody)
        self.calls("less.vcf", {who: everybody[who][:70] for who in names[:-1]})
        for name in ("all", "less"):
            self.result("genomes", "protect", f"{name}.vcf", "--method", "frequencies", "--step", "0.5", "--seed", "1", "--out",
                        f"{name}.csv")
        self.assertAlmostEqual(self.together("less.csv", "all.csv", exit_code=1)["breach"], 1 / 60)
        self.assertAlmostEqual(self.together("all.csv", "less.csv", exit_code=1)["breach"], 1 / 59)

    def test_three_releases_are_taken_together(self):
        draw = random.Random(6)
        everybody = {f"Anna{i}": [draw.choice((0, 1, 2)) for _ in range(40)] for i in range(41)}
        names = list(everybody)
        for name, who in (("all", names), ("first", names[:20]), ("second", names[20:40])):
            self.calls(f"{name}.vcf", {person: everybody[person] for person in who})
            self.result("genomes", "protect", f"{name}.vcf", "--method", "frequencies", "--step", "0.01", "--seed", "1", "--out",
                        f"{name}.csv")
        add = lambda ledger, name, *more, **exit_code: self.result("ledger", "add", ledger, f"{name}.csv", "--population", "p", *more,
                                                                   **exit_code)["sequence"]
        # All but one are in one half or in the other, and that one is told, whichever comes last.
        for order in (("first", "second", "all"), ("all", "first", "second")):
            ledger = "-".join(order)
            self.result("ledger", "init", ledger)
            add(ledger, order[0])
            add(ledger, order[1], "--allow-unattacked", "--max-breach", "1")
            last = add(ledger, order[2], "--allow-unattacked", exit_code=1)
            self.assertEqual(last["k_across"], 1, order)
            self.assertGreaterEqual(last["attributes"][0]["differenced_people"], 1)

    def test_groups_of_any_name_are_taken_off_each_other(self):
        draw = random.Random(4)
        everybody = {f"Anna{i}": [draw.choice((0, 1, 2)) for _ in range(40)] for i in range(40)}
        names = list(everybody)
        self.calls("all.vcf", everybody)
        self.calls("controls.vcf", {who: everybody[who] for who in names[1:20]})
        trait = lambda cases: "sample,case\n" + "".join(f"{who},{int(who in cases)}\n" for who in names)
        self.file("trait.csv", trait(names[20:]))
        self.file("exchanged.csv", trait(names[1:20]))
        frequencies = lambda name, out, *more: self.result("genomes", "protect", name, "--method", "frequencies", "--step", "0.01",
                                                           "--seed", "1", "--out", out, *more)
        frequencies("all.vcf", "trait_out.csv", "--trait", "trait.csv")
        frequencies("controls.vcf", "controls_out.csv")
        frequencies("all.vcf", "exchanged_out.csv", "--trait", "exchanged.csv")
        frequencies("all.vcf", "all_out.csv")
        # Twenty controls less nineteen of them is Anna0, whatever the groups are called.
        after = self.together("trait_out.csv", "controls_out.csv", exit_code=1)
        self.assertEqual((after["k_across"], after["attributes"][0]["differenced_people"]), (1, 1))
        before = self.together("controls_out.csv", "trait_out.csv", exit_code=1)
        self.assertEqual((before["k_across"], before["attributes"][0]["differenced_people"]), (1, 1))
        # Under exchanged labels she moved from one group to the other: one person, not two.
        moved = self.together("trait_out.csv", "exchanged_out.csv", exit_code=1)
        self.assertEqual((moved["k_across"], moved["attributes"][0]["differenced_people"]), (1, 1))
        # Everybody less cases are controls, whose frequencies stand there as they are.
        self.assertEqual(self.together("trait_out.csv", "all_out.csv")["breach"], 0)

    def test_what_was_not_compared_is_said(self):
        draw = random.Random(5)
        everybody = {f"Anna{i}": [draw.choice((0, 1, 2)) for _ in range(100)] for i in range(40)}
        names = list(everybody)
        self.calls("all.vcf", everybody)
        self.calls("moved.vcf", {who: everybody[who] for who in names[1:]}, position=7)
        self.calls("others.vcf", {f"Bert{i}": [draw.choice((0, 1, 2)) for _ in range(100)] for i in range(40)})
        missing = {f"Carl{i}": [None if s == i else call for s, call in enumerate(everybody[who])] for i, who in enumerate(names)}
        missing.pop("Carl0")
        self.calls("missing.vcf", missing)
        for name in ("all", "moved", "others", "missing"):
            self.result("genomes", "protect", f"{name}.vcf", "--method", "frequencies", "--step", "0.001", "--out", f"{name}.csv")
        for name, why in (("moved", "no variant"), ("others", "hardly any")):
            said = self.together("all.csv", f"{name}.csv", exit_code=1)
            self.assertEqual(said["releases"], 1)
            self.assertIn(why, said["not_attacked"][0]["why"])
        # The same people under other names, each without a call, less one: she is found.
        said = self.together("all.csv", "missing.csv", exit_code=1)
        self.assertEqual((said["not_attacked"], said["k_across"], said["located"]), ([], 1, 1))
        self.assertEqual(said["attributes"][0]["differenced_people"], 1)
        # One who joined is not in both.
        self.assertAlmostEqual(self.together("missing.csv", "all.csv", exit_code=1)["located"], 39 / 40)

    def test_sequences_with_an_unknown_base_are_found(self):
        people = relatives(24)
        unknown = [(f"Other_{i}", letters[:i] + "N" + letters[i + 1:]) for i, (_, letters) in enumerate(people)]
        self.write("in.fasta", people)
        self.write("unknown.fasta", unknown)
        self.write("strangers.fasta", relatives(24, seed=2))
        self.protect("--k", "2", "--seed", "1", out="first.fasta")
        self.protect("--k", "3", "--seed", "1", file="unknown.fasta", out="second.fasta")
        self.protect("--k", "2", "--seed", "1", file="strangers.fasta", out="third.fasta")
        # Whom each entry may stand for, by the letters alone.
        groups = []
        for name in ("first", "second"):
            entries = {letters for _, letters in self.released(f"{name}.fasta")}
            groups.append([[entry for entry in entries if all(b in BASES[r] for b, r in zip(letters, entry))] for _, letters in people])
        self.assertEqual({len(entries) for group in groups for entries in group}, {1})
        together = collections.Counter((one[0], other[0]) for one, other in zip(*groups))
        said = self.together("first.fasta", "second.fasta", exit_code=1)
        self.assertEqual((said["not_attacked"], said["located"], said["k_across"]), ([], 1, min(together.values())))
        self.assertAlmostEqual(said["attributes"][0]["disclosed"], sum(count == 1 for count in together.values()) / 24)
        said = self.together("first.fasta", "third.fasta", exit_code=1)
        self.assertEqual(said["releases"], 1)
        self.assertIn("hardly any", said["not_attacked"][0]["why"])

    def test_one_person_is_not_two(self):
        people = relatives(6)
        self.write("in.fasta", people + [people[2]])
        said = self.error("genomes", "protect", "in.fasta", "--out", "out.fasta")
        self.assertIn("in.fasta:19", said)
        self.assertNotIn("Patient", said)
        self.assertEqual(self.protect("--names-repeat")["sequences"], 7)
        # Under another name nobody can tell: it is said how many leave as they came.
        self.write("in.fasta", people + [("Patient_999", people[2][1])])
        self.assertGreaterEqual(self.protect()["unchanged"], 2)

    def test_what_the_rest_of_a_group_gets_back(self):
        self.write("in.fasta", relatives(20))
        self.assertGreater(self.protect("--k", "2")["recovered_by_rest"], 0.9)
        self.assertLess(self.protect("--k", "5")["recovered_by_rest"], 0.7)

    def test_compressed_sequences(self):
        people = relatives(8)
        self.write("in.fasta", people)
        self.protect("--seed", "3")
        (self.path / "in.fasta.gz").write_bytes(gzip.compress((self.path / "in.fasta").read_bytes()))
        self.protect("--seed", "3", file="in.fasta.gz", out="again.fasta")
        self.assertEqual((self.path / "again.fasta").read_text(), (self.path / "out.fasta").read_text())
        self.result("ledger", "init", "ledger")
        self.assertTrue(self.result("ledger", "add", "ledger", "again.fasta")["sequence"]["attacked"])

    def mafft(self, script):
        """A program of that name, before all others."""
        self.file("bin/mafft", "#!/usr/bin/env python3\nimport sys\n" + script)
        (self.path / "bin/mafft").chmod(0o755)
        self.environment["PATH"] = f"{self.path}/bin:{os.environ['PATH']}"

    def test_mafft(self):
        people = [(name, letters[:400 - i % 3]) for i, (name, letters) in enumerate(relatives(8))]
        self.write("in.fasta", people)
        command = ("genomes", "protect", "in.fasta", "--aligner", "mafft", "--out", "out.fasta")
        if shutil.which("mafft") is None:
            self.assertIn("not installed", self.error(*command))
        # Gaps at the end are an alignment, too; no name may reach it.
        entries = "entries = [e.split('\\n', 1) for e in open(sys.argv[-1]).read().split('>')[1:]]\n"
        self.mafft(entries + "assert all(name.isdigit() for name, _ in entries)\n"
                   "for name, text in entries: print('>' + name); print(text.strip().lower().ljust(400, '-'))\n")
        result = self.protect("--aligner", "mafft")
        self.assertEqual((result["aligned"], result["length"]), (False, 400))
        self.assertGreaterEqual(result["k_verified"], 2)
        # Another program's work is not trusted: the letters must be those that went in.
        for script in ("sys.exit(1)", entries + "for name, _ in entries: print('>' + name); print('A' * 400)\n"):
            self.mafft(script)
            self.error(*command[:-1], "other.fasta", exit_code=3)

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
