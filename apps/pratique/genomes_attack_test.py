#!/usr/bin/env python3
"""genomes attack as a user meets it. Run by ctest as: genomes_attack_test.py PROGRAM"""
import base64
import hashlib
import hmac
import math
import os
import random
import shutil
import subprocess
import unittest
import zlib

from program_in_folder import ProgramInFolder

PEOPLE = [("Anna Berg", "123-45-6789", "1950-02-03"), ("Ben Olsen", "987-65-4321", "1961-12-31"),
          ("Carla Müller", "111-22-3333", "1999-01-01"), ("Dan O'Neil", "222-33-4444", "1970-07-07")]


class DictionaryTest(ProgramInFolder):
    def attack(self, pseudonyms, *arguments, on="name,ssn", exit_code=0):
        self.file("register.csv", "name,ssn,born\n" + "".join(",".join(person) + "\n" for person in PEOPLE))
        self.file("study.csv", "pseudonym,result\n" + "".join(f"{p},{i}\n" for i, p in enumerate(pseudonyms)))
        return self.result("genomes", "attack", "dictionary", "--pseudonyms", "study.csv", "--column", "pseudonym",
                           "--register", "register.csv", "--on", on, *arguments, exit_code=exit_code)

    def test_every_scheme_is_broken(self):
        texts = [name + ssn for name, ssn, _ in PEOPLE]
        for scheme, make in (("sha256", lambda t: hashlib.sha256(t.encode()).hexdigest()),
                             ("sha256:pepper", lambda t: hashlib.sha256(("pepper" + t).encode()).hexdigest()),
                             ("md5", lambda t: hashlib.md5(t.encode()).hexdigest()),
                             ("sha1", lambda t: hashlib.sha1(t.encode()).hexdigest().upper()),
                             ("crc32", lambda t: f"{zlib.crc32(t.encode()):08x}"),
                             ("crc32", lambda t: str(zlib.crc32(t.encode()))),
                             ("sha256", lambda t: base64.b64encode(hashlib.sha256(t.encode()).digest()).decode()),
                             ("sha256", lambda t: hashlib.sha256(t.encode()).hexdigest()[:10]),
                             ("sha256", lambda t: "ID-" + hashlib.sha256(t.encode()).hexdigest()[:12])):
            result = self.attack([make(text) for text in texts], "--scheme", scheme)
            self.assertEqual((result["broken"], result["of"]), (4, 4), scheme)
            self.assertGreaterEqual(result["tries"], 4)
            self.assertGreaterEqual(result["seconds"], 0)

    def test_whatever_the_fields_looked_like(self):
        for make in (lambda n, s: f"{n}|{s}", lambda n, s: f"{s},{n}", lambda n, s: n.upper() + " " + s,
                     lambda n, s: s, lambda n, s: s.replace("-", ""), lambda n, s: n):
            made = [hashlib.sha256(make(name, ssn).encode()).hexdigest() for name, ssn, _ in PEOPLE]
            result = self.attack(made)
            self.assertEqual(result["broken"], 4, result)
        made = [hashlib.md5(born.encode()).hexdigest() for _, _, born in PEOPLE]
        self.assertEqual(self.attack(made, "--scheme", "md5", on="born")["broken"], 4)

    def test_each_field_in_a_form_of_its_own(self):
        digits = lambda text: text.replace("-", "")
        american = lambda born: f"{born[5:7]}/{born[8:]}/{born[:4]}"
        for make in (lambda n, s, b: n + digits(b), lambda n, s, b: n.lower() + "_" + digits(b), lambda n, s, b: f"{n}|{american(b)}",
                     lambda n, s, b: american(b) + n.upper(), lambda n, s, b: f"{int(b[8:])}.{int(b[5:7])}.{b[:4]}",
                     lambda n, s, b: n.replace(" ", "").replace("'", "") + "," + b):
            made = [hashlib.sha256(make(*person).encode()).hexdigest() for person in PEOPLE]
            result = self.attack(made, on="name,born")
            self.assertEqual(result["broken"], 4, result)
            self.assertIn("born", result["made_as"])
        # Numbers that the register has without dashes.
        self.file("bare.csv", "name,ssn\n" + "".join(f"{name},{digits(ssn)}\n" for name, ssn, _ in PEOPLE))
        made = [hashlib.sha256(f"{name};{ssn}".encode()).hexdigest() for name, ssn, _ in PEOPLE]
        self.file("study.csv", "pseudonym\n" + "".join(f"{p}\n" for p in made))
        result = self.result("genomes", "attack", "dictionary", "--pseudonyms", "study.csv", "--column", "pseudonym", "--register",
                             "bare.csv", "--on", "name,ssn")
        self.assertEqual(result["broken"], 4)
        self.assertIn("123-45-6789", result["made_as"])

    def test_names_as_they_are_written_elsewhere(self):
        people = [("Änne Groß", "1950-02-03"), ("Łucja Ørsted", "1961-12-31"), ("Íñigo Ávila", "1999-01-01"), ("Юрий Белов", "1970-07-07")]
        self.file("register.csv", "name,born\n" + "".join(f"{name},{born}\n" for name, born in people))
        self.file("turned.csv", "name,born\n" + "".join(f'"{name.split()[1]}, {name.split()[0]}",{born}\n' for name, born in people))
        turned = lambda name: " ".join(name.split()[::-1])
        plain = lambda name: name.translate(str.maketrans("ÄßŁØÍñÁ", "AsLOInA"))
        two = lambda name: name.replace("Ä", "Ae").replace("ß", "ss").replace("Ø", "Oe").translate(str.maketrans("ŁÍñÁ", "LInA"))
        for register in ("register.csv", "turned.csv"):
            for make in (lambda n, b: n.upper() + b, lambda n, b: n.lower() + "|" + b, lambda n, b: turned(n) + b,
                         lambda n, b: f"{turned(n).replace(' ', ', ')}{b}".upper(), lambda n, b: turned(n).replace(" ", "").lower() + b,
                         lambda n, b: two(n).upper() + ";" + b[8:] + "." + b[5:7] + "." + b[:4], lambda n, b: n + b):
                self.file("study.csv", "p\n" + "".join(hashlib.sha256(make(*person).encode()).hexdigest() + "\n" for person in people))
                result = self.result("genomes", "attack", "dictionary", "--pseudonyms", "study.csv", "--column", "p", "--register",
                                     register, "--on", "name,born")
                self.assertEqual(result["broken"], 4, (register, make(*people[0])))
            # Accents left out: one has none and is found as written, which does not end the search; an s for a sharp one is not how
            # it is written, so that one stays.
            self.file("study.csv", "p\n" + "".join(hashlib.md5((plain(n) + b).encode()).hexdigest() + "\n" for n, b in people))
            result = self.result("genomes", "attack", "dictionary", "--pseudonyms", "study.csv", "--column", "p", "--register", register,
                                 "--on", "name,born", "--scheme", "md5")
            self.assertEqual(result["broken"], 3)

    def test_who_is_not_in_the_register_stays_unknown(self):
        made = [hashlib.sha256(text.encode()).hexdigest() for text in ("Anna Berg123-45-6789", "Eve Adams555-55-5555")]
        result = self.attack(made + made, "--out", "who.csv")
        self.assertEqual((result["broken"], result["of"]), (1, 2))
        self.assertEqual([(row["pseudonym"], row["name"]) for row in self.rows("who.csv")], [(made[0], "Anna Berg")])
        self.assertEqual(os.stat(self.path / "who.csv").st_mode & 0o777, 0o600)

    def test_a_key_resists_whoever_has_it_not(self):
        self.file("key.bin", b"a key that nobody guesses\n")
        self.file("other.bin", b"another\n")
        made = [hmac.new(b"a key that nobody guesses", (name + ssn).encode(), "sha256").hexdigest()
                for name, ssn, _ in PEOPLE]
        for scheme in ("sha256", "md5", "hmac:other.bin"):
            self.assertEqual(self.attack(made, "--scheme", scheme)["broken"], 0)
        self.assertEqual(self.attack(made, "--scheme", "hmac:key.bin")["broken"], 4)

    def test_known_pairs(self):
        self.file("known.csv", "pseudonym,name\nx1,Anna\nx9,Zoe\n")
        result = self.attack(["x1", "x2", "x3"], "--known", "known.csv")
        self.assertEqual((result["known_pairs"], result["broken_by_pairs"]), (2, 1))

    def test_a_gate(self):
        made = [hashlib.sha256((name + ssn).encode()).hexdigest() for name, ssn, _ in PEOPLE]
        self.assertEqual(self.attack(made, "--fail-above", "0.5", exit_code=1)["broken"], 4)
        self.assertEqual(self.attack(made, "--fail-above", "1")["broken"], 4)
        # What compared nothing passes no gate.
        self.assertFalse(self.attack([], "--fail-above", "1", exit_code=1)["tried"])
        self.assertFalse(self.attack(["?", "-"], "--fail-above", "1", exit_code=1)["tried"])

    def test_without_a_register_all_there_are(self):
        made = [hashlib.sha256(text.encode()).hexdigest() for text in ("001-23-4567", "001-99-9999", "002-01-0001", "1950-02-03")]
        self.file("study.csv", "pseudonym\n" + "".join(f"{p}\n" for p in made))
        command = ("genomes", "attack", "dictionary", "--pseudonyms", "study.csv", "--column", "pseudonym")
        result = self.result(*command, "--every", "ssn", "--areas", "001", "--out", "who.csv")
        self.assertEqual((result["broken"], result["of"], result["values"]), (2, 4, 99 * 9999))
        self.assertEqual({row["pseudonym"]: row["ssn"] for row in self.rows("who.csv")},
                         {made[0]: "001-23-4567", made[1]: "001-99-9999"})
        self.assertGreater(result["all_ssns_seconds"], result["seconds"])
        dates = self.result(*command, "--every", "date", "--out", "who.csv", "--force")
        self.assertEqual([(row["pseudonym"], row["date"]) for row in self.rows("who.csv")], [(made[3], "1950-02-03")])
        self.assertEqual(dates["made_as"], "date as 1950-02-03")
        self.assertIn("--every", self.error(*command))
        self.assertIn("--on", self.error(*command, "--register", "study.csv"))
        self.assertIn("001 to 899", self.error(*command, "--every", "ssn", "--areas", "900"))

    def test_what_is_wrong(self):
        self.attack(["ab"])
        self.assertIn("sha256:SALT", self.error("genomes", "attack", "dictionary", "--pseudonyms", "study.csv",
                                                "--column", "pseudonym", "--register", "register.csv", "--on", "name",
                                                "--scheme", "rot13"))


# Father, mother, a son and then a daughter; the same, born the other way round; one child.
PED = """F1 a 0 0 1 1
F1 b 0 0 2 2
F1 c a b 1 2
F1 d a b 2 1
F2 p 0 0 2 2
F2 q 0 0 1 1
F2 r q p 1 2
F2 s q p 2 1
F3 a 0 0 1 1
F3 b 0 0 2 2
F3 d a b 2 1
F3 c a b 1 2
F4 a 0 0 1 1
F4 b 0 0 2 1
F4 c a b 1 1
"""
GEDCOM = """0 HEAD
0 @I1@ INDI
1 NAME Hans /Meier/
1 SEX M
0 @I2@ INDI
1 NAME Ida /Meier/
1 SEX F
0 @I3@ INDI
1 NAME Jon /Meier/
1 SEX M
1 BIRT
2 DATE 3 MAR 1960
0 @I4@ INDI
1 NAME Kari /Meier/
1 SEX F
1 BIRT
2 DATE ABT 1955
0 @F1@ FAM
1 HUSB @I1@
1 WIFE @I2@
1 CHIL @I3@
1 CHIL @I4@
0 @I5@ INDI
1 SEX M
0 @I6@ INDI
1 SEX F
0 @I7@ INDI
1 SEX M
0 @F2@ FAM
1 HUSB @I5@
1 WIFE @I6@
1 CHIL @I7@
0 TRLR
"""


class FamilyTest(ProgramInFolder):
    def setUp(self):
        super().setUp()
        self.file("study.ped", PED)
        self.file("register.ged", GEDCOM)

    def attack(self, *arguments, exit_code=0):
        return self.result("genomes", "attack", "family", "--pedigrees", "study.ped", *arguments, exit_code=exit_code)

    def test_structures(self):
        result = self.attack()
        # F1 and F2 are the same but for names; F3 has its children the other way round.
        self.assertEqual((result["structures"], result["distinct"], result["unique"]), (4, 3, 2))
        self.assertEqual(result["unique_share"], 0.5)
        self.assertEqual(self.attack("--without", "order")["unique"], 1)
        self.assertEqual(self.attack("--without", "order,sex,status")["distinct"], 2)

    def test_genealogies(self):
        result = self.attack("--register", "register.ged", "--out", "links.csv")
        # Kari is older, so the family is like F3 alone; the other has one son, like F4.
        self.assertEqual((result["registered"], result["matched"], result["reidentified"]), (2, 2, 2))
        self.assertEqual(result["compared_by"], ["descent", "sex", "birth order"])
        self.assertEqual({(row["pedigree"], row["registered"]) for row in self.rows("links.csv")},
                         {("F3", "@I1@"), ("F4", "@I5@")})

    def test_a_gate(self):
        self.attack("--fail-above", "0.4", exit_code=1)
        self.attack("--fail-above", "0.5")

    def test_a_register_that_names_the_affected_alone(self):
        # Mother and son are affected. A genealogy says so of them, and nothing of the others; of another family, nothing at all.
        self.file("study.ped", "F1 1 0 0 1 1\nF1 2 0 0 2 2\nF1 3 1 2 1 2\nF1 4 1 2 2 1\nF2 1 0 0 1 1\nF2 2 0 0 2 1\nF2 3 1 2 1 1\n"
                               "F2 4 1 2 2 1\n")
        affected = "1 EVEN\n2 TYPE affected\n"
        def register(marked):
            text = "0 HEAD\n"
            for family in (1, 2):
                for person, sex in enumerate("MFMF", 1):
                    text += f"0 @I{family}{person}@ INDI\n1 SEX {sex}\n" + marked.get((family, person), "")
                text += f"0 @F{family}@ FAM\n1 HUSB @I{family}1@\n1 WIFE @I{family}2@\n1 CHIL @I{family}3@\n1 CHIL @I{family}4@\n"
            self.file("register.ged", text + "0 TRLR\n")
            return self.attack("--register", "register.ged")
        self.assertEqual((register({})["matched"], register({})["reidentified"]), (2, 0))
        found = register({(1, 2): affected, (1, 3): affected})
        self.assertEqual((found["matched"], found["reidentified"]), (2, 2))
        self.assertIn("status", found["compared_by"])
        # Where it knows of one of the two alone, that family is not matched by status, but the other is.
        one = register({(1, 2): affected})
        self.assertEqual((one["matched"], one["reidentified"]), (1, 1))
        # Where it also says of one that he is not, nothing is said of the others that could be compared.
        some = register({(1, 2): affected, (1, 3): affected, (1, 1): "1 EVEN\n2 TYPE unaffected\n"})
        self.assertEqual((some["matched"], "status" in some["compared_by"]), (2, False))

    def test_what_is_wrong_is_said_with_its_line(self):
        for text, place in (("F1 a 0 0\n", ":1"), ("F1 a 0 0 1 1\nF1 b x 0 1 1\n", ":2"),
                            ("F1 a b 0 1 1\nF1 b a 0 1 1\n", "ancestor"), ("F a 0 0 1 1\nF a 0 0 1 1\n", ":2"), ("", "no family")):
            self.file("bad.ped", text)
            self.assertIn(place, self.error("genomes", "attack", "family", "--pedigrees", "bad.ped"))


class PhenotypeTest(ProgramInFolder):
    def setUp(self):
        super().setUp()
        self.file("dna.csv", "sample,gender,gene\ns1,M,HD\ns2,F,HBB\ns3,F,BRCA1\n")
        self.file("clinical.csv", "name,gender,icd9\nJohn Doe,M,333.4\nBob,M,401.9\nMary,F,282.60\nSue,F,759.83\nAnn,F,250.00\n")

    def attack(self, *arguments, exit_code=0):
        return self.result("genomes", "attack", "phenotype", "--dna", "dna.csv", "--clinical", "clinical.csv", *arguments,
                           exit_code=exit_code)

    def test_the_table_that_ships(self):
        self.file("truth.csv", "sample,person\ns1,John Doe\ns2,Ann\n")
        result = self.attack("--truth", "truth.csv", "--out", "links.csv")
        # By gender 2, 3 and 3 people; with the gene 1, 1 and still 3.
        self.assertAlmostEqual(result["before"], 8 / 3)
        self.assertAlmostEqual(result["after"], 5 / 3)
        self.assertEqual((result["reidentified"], result["right"], result["on"]), (2, 1, ["gender"]))
        self.assertEqual({(row["sample"], row["person"]) for row in self.rows("links.csv")},
                         {("s1", "John Doe"), ("s2", "Mary")})

    def test_a_map_of_ones_own(self):
        self.file("map.csv", "disease,icd9,gene\nbreast cancer,250,BRCA1\n")
        result = self.attack("--map", "map.csv")
        self.assertEqual((result["informative"], result["reidentified"], result["diseases"]), (1, 1, 1))

    def test_nothing_to_go_by_passes_no_gate(self):
        self.file("map.csv", "disease,icd9,gene\nx,1,NONE\n")
        self.assertFalse(self.attack("--map", "map.csv", "--fail-above", "1", exit_code=1)["tried"])
        self.attack("--fail-above", "0.5", exit_code=1)


class AllTest(ProgramInFolder):
    def test_one_attack_helps_the_other(self):
        # By disease John is s1's. Without John, only Bob was where s2 was; without Bob, only Carl is left for s3.
        self.file("dna.csv", "sample,gene,location\ns1,HD,H1\ns1,HD,H2\ns2,,H1\ns2,,H2\ns3,,H1\n")
        self.file("clinical.csv", "name,icd9,location\nJohn,333.4,H1\nJohn,,H2\nBob,401.9,H1\nBob,,H2\nCarl,250.00,H1\n")
        self.file("truth.csv", "sample,person\ns1,John\ns2,Bob\ns3,Carl\n")
        result = self.result("genomes", "attack", "all", "--dna", "dna.csv", "--clinical", "clinical.csv", "--truth", "truth.csv")
        self.assertEqual(result["alone"]["phenotype"], 1)
        self.assertLess(result["alone"]["trails"], 3)
        self.assertEqual((result["reidentified"], result["right"]), (3, 3))
        self.assertEqual((result["samples"], result["people"], result["places"]), (3, 3, 2))
        self.assertEqual(result["rounds"][0]["phenotype"], 1)


    def test_families_and_the_others_help_each_other(self):
        # Two families of one shape: nobody is known by shape alone. The gene tells the father of one, and so his family;
        # the family that is left is the other. Twins in it, whose order is known, are who they are.
        self.file("dna.csv", "sample,gene\na1,HD\na2,\na3,\nb1,\nb2,\nb3,\n")
        self.file("study.ped", "A a1 0 0 1 0\nA a2 0 0 2 0\nA a3 a1 a2 1 0\nB b1 0 0 1 0\nB b2 0 0 2 0\nB b3 b1 b2 1 0\n")
        people = ("Abe Roe", "Ann Roe", "Art Roe", "Bob Poe", "Bea Poe", "Ben Poe")
        self.file("clinical.csv", "name,icd9\n" + "".join(f"{who},{'333.4' if who == 'Abe Roe' else '401.9'}\n" for who in people))
        gedcom = "0 HEAD\n"
        for i, who in enumerate(people):
            given, family = who.split()
            gedcom += f"0 @I{i}@ INDI\n1 NAME {given} /{family}/\n1 SEX {'F' if i % 3 == 1 else 'M'}\n"
        for i in (0, 3):
            gedcom += f"0 @F{i}@ FAM\n1 HUSB @I{i}@\n1 WIFE @I{i + 1}@\n1 CHIL @I{i + 2}@\n"
        self.file("names.ged", gedcom + "0 TRLR\n")
        self.file("truth.csv", "sample,person\n" + "".join(f"{'ab'[i // 3]}{i % 3 + 1},{who}\n" for i, who in enumerate(people)))
        command = ("genomes", "attack", "all", "--dna", "dna.csv", "--clinical", "clinical.csv", "--truth", "truth.csv")
        self.assertEqual(self.result(*command)["reidentified"], 1)
        result = self.result(*command, "--pedigrees", "study.ped", "--register", "names.ged")
        self.assertEqual(result["alone"], {"dictionary": 0, "family": 0, "phenotype": 1, "trails": 0})
        self.assertEqual((result["reidentified"], result["right"], result["family"], result["in_pedigrees"]), (6, 6, 5, 6))
        self.assertEqual([round["phenotype"] for round in result["rounds"]], [1, 0])
        self.assertIn("--pedigrees", self.error(*command, "--register", "names.ged"))
        self.assertIn("--register", self.error(*command, "--pedigrees", "study.ped"))

    def test_pseudonyms_narrow_the_others(self):
        # Ann's and Bob's samples are where all were; with the hash of John's SSN turned back and Ann's disease, Bob is left.
        john = hashlib.sha256(b"1").hexdigest()
        self.file("dna.csv", f"sample,gene\n{john},\ns2,HD\ns3,\n")
        self.file("clinical.csv", "name,ssn,icd9\nJohn,1,\nAnn,2,333.4\nBob,3,250.00\n")
        command = ("genomes", "attack", "all", "--dna", "dna.csv", "--clinical", "clinical.csv")
        without = self.result(*command)
        self.assertEqual((without["reidentified"], without["alone"]["dictionary"]), (1, 0))
        result = self.result(*command, "--made-from", "ssn", "--scheme", "sha256")
        self.assertEqual((result["dictionary"], result["alone"]["dictionary"]), (1, 1))
        self.assertEqual(result["reidentified"], 3)


def vcf(people, sites):
    """people: name -> dosages; sites: (chrom, pos, ref, alt)."""
    text = '##fileformat=VCFv4.2\n##contig=<ID=1>\n##FORMAT=<ID=GT,Number=1,Type=String,Description="g">\n'
    text += "#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\tFORMAT\t" + "\t".join(people) + "\n"
    for s, (chrom, pos, ref, alt) in enumerate(sites):
        calls = "\t".join(("0/0", "0|1", "1/1")[dosages[s]] for dosages in people.values())
        text += f"{chrom}\t{pos}\t.\t{ref}\t{alt}\t.\tPASS\t.\tGT\t{calls}\n"
    return text


class MembershipTest(ProgramInFolder):
    def setUp(self):
        super().setUp()
        draw = random.Random(4)
        count = 1500
        frequencies = [draw.uniform(0.05, 0.95) for _ in range(count)]
        self.sites = [("1", 100 * s + 1, "A", "G") for s in range(count)]

        def people(name, how_many):
            return {f"{name}{i}": [(draw.random() < f) + (draw.random() < f) for f in frequencies] for i in range(how_many)}

        self.pool = people("p", 30)
        others = people("o", 30)
        self.file("pool.vcf", vcf(self.pool, self.sites))
        self.file("reference.vcf", vcf(people("r", 100), self.sites))
        self.file("targets.vcf", vcf({**self.pool, **others}, self.sites))
        self.file("truth.csv", "sample,member\n" + "".join(f"{who},1\n" for who in self.pool) +
                  "".join(f"{who},0\n" for who in others))
        self.shares = [sum(dosages[s] for dosages in self.pool.values()) / 60 for s in range(count)]
        self.file("pool.csv", "chrom,pos,ref,alt,frequency\n" +
                  "".join(f"{c},{p},{r},{a},{f}\n" for (c, p, r, a), f in zip(self.sites, self.shares)))

    def attack(self, *arguments, pool="pool.csv", exit_code=0):
        return self.result("genomes", "attack", "membership", "--pool", pool, "--reference", "reference.vcf",
                           "--targets", "targets.vcf", "--seed", "1", *arguments, exit_code=exit_code)

    def test_what_scripts_rely_on(self):
        result = self.attack("--truth", "truth.csv")
        self.assertEqual(result["statistic"], "lr")
        self.assertEqual(result["sites"], 1500)
        self.assertEqual(set(result["power"]), {"0.05", "0.01", "0.001"})
        # Theory: z = sqrt(sites / people) = 7; nearly everybody is found at every rate.
        self.assertGreater(result["power"]["0.001"], 0.9)
        self.assertGreater(result["auc"], 0.99)
        for rate, (low, high) in result["power_interval"].items():
            self.assertTrue(low <= result["power"][rate] <= high)
        verdicts = {verdict["sample"]: verdict["verdict"] for verdict in result["verdicts"]}
        self.assertEqual(len(verdicts), 60)
        self.assertGreaterEqual(sum(verdicts[who] == "case" for who in self.pool), 28)
        self.assertLessEqual(sum(verdicts[who] == "case" for who in verdicts if who not in self.pool), 6)

    def test_cases_controls_and_neither(self):
        # Who is in the pool is nearer to it than to the control group, and the other way round (Homer's T, by its definition).
        draw = random.Random(12)
        pool, strangers = self.pool, {f"n{i}": [(draw.random() < 0.5) + (draw.random() < 0.5) for _ in self.sites] for i in range(20)}
        lines = [line.split("\t") for line in (self.path / "targets.vcf").read_text().splitlines() if not line.startswith("##")]
        others = {who: [int(row[9 + i][0]) + int(row[9 + i][2]) for row in lines[1:]]
                  for i, who in enumerate(lines[0][9:]) if who.startswith("o")}
        self.file("control.vcf", vcf(others, self.sites))
        self.file("targets.vcf", vcf({**pool, **others, **strangers}, self.sites))
        result = self.attack("--control", "control.vcf", "--statistic", "homer")
        verdicts = {row["sample"]: row for row in result["verdicts"]}
        count = lambda kind, people: sum(verdicts[who]["verdict"] == kind for who in people)
        self.assertGreaterEqual(count("case", pool), 27)
        self.assertGreaterEqual(count("control", others), 27)
        self.assertEqual(count("case", others) + count("control", pool), 0)
        self.assertEqual(result["counts"], {kind: count(kind, verdicts) for kind in ("case", "control", "neither")})
        share = lambda people: [sum(dosages[s] for dosages in people.values()) / (2 * len(people)) for s in range(len(self.sites))]
        of_pool, of_control = share(pool), share(others)
        for who, dosages in list(pool.items())[:5] + list(strangers.items())[:5]:
            terms = [abs(d / 2 - c) - abs(d / 2 - p) for d, p, c in zip(dosages, of_pool, of_control)]
            mean = sum(terms) / len(terms)
            deviation = math.sqrt(sum((term - mean) ** 2 for term in terms) / (len(terms) - 1))
            self.assertAlmostEqual(verdicts[who]["value"], mean / (deviation / math.sqrt(len(terms))), places=3)

    def test_a_beacon_answers_yes_or_no(self):
        draw = random.Random(13)
        rare = [draw.uniform(0.005, 0.05) for _ in self.sites]
        people = lambda name, many: {f"{name}{i}": [(draw.random() < f) + (draw.random() < f) for f in rare] for i in range(many)}
        pool, others, reference = people("p", 30), people("o", 30), people("r", 200)
        self.file("pool.vcf", vcf(pool, self.sites))
        self.file("reference.vcf", vcf(reference, self.sites))
        self.file("targets.vcf", vcf({**pool, **others}, self.sites))
        self.file("truth.csv", "sample,member\n" + "".join(f"{who},{int(who[0] == 'p')}\n" for who in {**pool, **others}))
        result = self.attack("--statistic", "beacon", "--truth", "truth.csv", pool="pool.vcf")
        self.assertGreater(result["auc"], 0.99)
        self.assertGreater(result["power"]["0.05"], 0.9)
        self.assertGreater(result["sites_needed"]["0.05"], 0)
        # By its definition: over the sites where the person has the allele, the chance of the answer if one of 30 is the person
        # (whose call is wrong once in a thousand) over that if nobody is.
        counted = list(reference.values())[::2]
        verdicts = {row["sample"]: row["value"] for row in result["verdicts"]}
        for who in ("p0", "p1", "o0", "o1"):
            expected = 0
            for s in range(len(self.sites)):
                if {**pool, **others}[who][s] == 0:
                    continue
                f = max(sum(person[s] for person in counted) / (2 * len(counted)), 0.001)
                nobody, no_other = (1 - f) ** 60, 0.001 * (1 - f) ** 58
                yes = any(person[s] for person in pool.values())
                expected += math.log((1 - no_other) / (1 - nobody)) if yes else math.log(no_other / nobody)
            self.assertAlmostEqual(verdicts[who], expected, places=2)
        self.file("pool.csv", "chrom,pos,ref,alt,frequency\n1,1,A,G,0.1\n")
        self.assertIn("--pool-size", self.error("genomes", "attack", "membership", "--pool", "pool.csv", "--reference", "reference.vcf",
                                                "--targets", "targets.vcf", "--statistic", "beacon"))

    def test_table_and_genotypes_say_the_same(self):
        by_table = self.attack("--truth", "truth.csv")
        by_people = self.attack("--truth", "truth.csv", pool="pool.vcf")
        self.assertAlmostEqual(by_table["auc"], by_people["auc"], places=3)
        self.assertEqual(by_people["pool_people"], 30)
        self.assertIn("beacon", by_people["statistics"])

    def test_without_a_truth(self):
        self.assertEqual(self.attack(pool="pool.vcf")["power_from"], "pool")
        simulated = self.attack()
        self.assertEqual(simulated["power_from"], "simulation")
        self.assertGreater(simulated["power"]["0.05"], 0.9)
        self.assertNotIn("auc", simulated)

    def test_defences(self):
        measured = {row["defence"]: row["power"]["0.05"] for row in self.attack("--truth", "truth.csv", "--defences")["defences"]}
        self.assertGreater(measured["rounded to 0.01"], 0.9)
        self.assertLess(measured["one SNP in 100"], 0.6)

    def test_who_is_known_is_not_the_null(self):
        # The pool's people are in the reference, too: they are left out of it.
        draw = random.Random(9)
        others = {f"x{i}": [draw.choice((0, 1, 2)) for _ in self.sites] for i in range(60)}
        self.file("reference.vcf", vcf({**others, **self.pool}, self.sites))
        self.file("targets.vcf", vcf({"t": others["x0"]}, self.sites))
        # So is x0, who is the target under another name: 59 are left, of whom every second is the null.
        result = self.attack(pool="pool.vcf")
        self.assertEqual(result["null_people"], 29)
        self.assertIn("left out of it: 1", result["note"])

    def test_a_reference_of_members_alone_tells_nothing(self):
        # Against itself no pool tells its members: that is no proof that they are safe.
        arguments = ("genomes", "attack", "membership", "--targets", "targets.vcf", "--reference", "pool.vcf", "--fail-above", "0.5")
        self.assertIn("everybody of the reference is in the pool", self.error(*arguments, "--pool", "pool.vcf"))
        self.assertIn("everybody of the reference is in the pool", self.error(*arguments, "--pool", "pool.csv", "--truth", "truth.csv"))
        # Where all of the reference are targets they are the null all the same, but for members.
        draw = random.Random(10)
        others = {f"x{i}": [draw.choice((0, 1, 2)) for _ in self.sites] for i in range(60)}
        self.file("reference.vcf", vcf({**others, **self.pool}, self.sites))
        self.file("targets.vcf", vcf({**others, **self.pool}, self.sites))
        result = self.attack(pool="pool.vcf")
        self.assertEqual(result["null_people"], 30)
        self.assertGreater(result["power"]["0.05"], 0.9)

    def test_what_ancestry_and_linkage_do(self):
        result = self.attack("--truth", "truth.csv")
        # Sites are independent here, and all people of one kind.
        self.assertTrue(0.5 < result["linkage"]["inflation"] < 2, result["linkage"])
        found = result["false_positives"]
        self.assertEqual(found["people"], 30)
        self.assertLess(abs(found["shift"]), 1)
        low, high = found["interval"]["0.05"]
        self.assertTrue(low <= 0.05 <= high or found["share"]["0.05"] < 0.2)
        # Every site four times over is linkage: the statistic spreads twice as far, with no more to tell.
        sites = [(c, 4 * p + i, r, a) for c, p, r, a in self.sites[:300] for i in range(4)]
        copied = lambda people: {who: [d for d in dosages[:300] for _ in range(4)] for who, dosages in people.items()}
        draw = random.Random(2)
        reference = {f"r{i}": [draw.choice((0, 1, 1, 2)) for _ in range(300)] for i in range(120)}
        self.file("reference.vcf", vcf(copied(reference), sites))
        self.file("pool.vcf", vcf(copied(self.pool), sites))
        self.file("targets.vcf", vcf(copied(self.pool), sites))
        linked = self.attack(pool="pool.vcf")["linkage"]
        self.assertTrue(2.5 < linked["inflation"] < 6.5, linked)
        self.assertLess(linked["effective_sites"], 500)

    def test_frequencies_from_p_values(self):
        # Of 30 cases and 100 controls, as a paper prints it.
        controls = [sum(int(call[0]) + int(call[2]) for call in line.split("\t")[9:]) / 200
                    for line in (self.path / "reference.vcf").read_text().splitlines() if not line.startswith("#")]
        text = "chrom,pos,ref,alt,p_value,odds_ratio\n"
        for (c, p, r, a), f, q in zip(self.sites, self.shares, controls):
            together = (60 * f + 200 * q) / 260
            chi_square = (f - q) ** 2 / (together * (1 - together) * (1 / 60 + 1 / 200))
            text += f"{c},{p},{r},{a},{math.erfc(math.sqrt(chi_square / 2)):.3g},{1.2 if f > q else 0.8}\n"
        self.file("gwas.csv", text)
        by_table = self.attack("--truth", "truth.csv", "--pool-size", "30")
        found = self.attack("--truth", "truth.csv", "--pool-size", "30", "--control-size", "100", pool="gwas.csv")
        self.assertEqual(found["p_values"], 1500)
        self.assertAlmostEqual(found["auc"], by_table["auc"], places=2)
        self.file("gwas.csv", text.replace(",odds_ratio", ",note"))
        self.assertIn("direction", self.error("genomes", "attack", "membership", "--pool", "gwas.csv", "--reference", "reference.vcf",
                                              "--targets", "targets.vcf", "--pool-size", "30"))

    def test_published_linkage(self):
        draw = random.Random(6)

        def people(name, how_many):
            """Chains of ten sites that are inherited together."""
            made = {}
            for i in range(how_many):
                dosages = [0] * 300
                for _ in range(2):
                    allele = 0
                    for s in range(300):
                        if s % 10 == 0 or draw.random() < 0.3:
                            allele = int(draw.random() < 0.4)
                        dosages[s] += allele
                made[f"{name}{i}"] = dosages
            return made

        sites = self.sites[:300]
        pool, others = people("p", 25), people("o", 40)
        self.file("pool.vcf", vcf(pool, sites))
        self.file("reference.vcf", vcf(people("r", 240), sites))
        self.file("targets.vcf", vcf({**pool, **others}, sites))
        self.file("truth.csv", "sample,member\n" + "".join(f"{who},1\n" for who in pool) + "".join(f"{who},0\n" for who in others))
        computed = self.attack("--truth", "truth.csv", "--statistic", "wang", "--defences", pool="pool.vcf")
        self.assertGreater(computed["auc"], 0.85)
        self.assertGreater(computed["power"]["0.05"], 0.4)
        self.assertEqual(len(computed["defences"]), 3)
        # As a table, with the same r2 to two digits, it is the same attack.
        text = "chrom,pos_a,pos_b,r2\n"
        for a in range(300):
            for b in range(a + 1, min(300, a + 11)):
                x, y = ([dosages[s] for dosages in pool.values()] for s in (a, b))
                mean_x, mean_y = sum(x) / 25, sum(y) / 25
                xx, yy = sum((v - mean_x) ** 2 for v in x), sum((v - mean_y) ** 2 for v in y)
                xy = sum((v - mean_x) * (w - mean_y) for v, w in zip(x, y))
                text += f"1,{sites[a][1]},{sites[b][1]},{xy * xy / (xx * yy):.2f}\n"
        self.file("r2.csv", text)
        by_table = self.attack("--truth", "truth.csv", "--statistic", "wang", "--r2", "r2.csv", pool="pool.vcf")
        self.assertAlmostEqual(by_table["auc"], computed["auc"], places=2)
        self.assertIn("--r2", self.error("genomes", "attack", "membership", "--pool", "pool.csv", "--reference", "reference.vcf",
                                         "--targets", "targets.vcf", "--statistic", "wang"))

    def test_nothing_in_common_passes_no_gate(self):
        self.file("pool.csv", "chrom,pos,ref,alt,frequency\n7,1,A,G,0.5\n")
        result = self.attack("--truth", "truth.csv", exit_code=1)
        self.assertFalse(result["tried"])

    @unittest.skipUnless(shutil.which("bcftools"), "bcftools is not installed")
    def test_bcf_and_bcftools(self):
        for name in ("pool", "reference", "targets"):
            subprocess.run(["bcftools", "view", "-Ob", "-o", f"{name}.bcf", f"{name}.vcf"], cwd=self.path, check=True,
                           capture_output=True)
        # Frequencies by bcftools are those of the table.
        counted = subprocess.run(["bcftools", "+fill-tags", "pool.vcf", "--", "-t", "AF"], cwd=self.path, capture_output=True)
        if counted.returncode == 0:
            told = [float(line.split("AF=")[1].split("\t")[0]) for line in counted.stdout.decode().splitlines()
                    if not line.startswith("#")]
            for here, there in zip(told, self.shares):
                self.assertAlmostEqual(here, there, places=4)
        by_bcf = self.result("genomes", "attack", "membership", "--pool", "pool.bcf", "--reference", "reference.bcf",
                             "--targets", "targets.bcf", "--truth", "truth.csv", "--seed", "1")
        self.assertEqual(by_bcf["power"], self.attack("--truth", "truth.csv", pool="pool.vcf")["power"])

    @unittest.skipUnless(shutil.which("plink2"), "plink2 is not installed")
    def test_plink(self):
        for name in ("pool", "reference", "targets"):
            subprocess.run(["plink2", "--vcf", f"{name}.vcf", "--make-bed", "--out", name, "--allow-extra-chr"],
                           cwd=self.path, check=True, capture_output=True)
        by_plink = self.result("genomes", "attack", "membership", "--pool", "pool.bed", "--reference", "reference.bed",
                               "--targets", "targets.bed", "--truth", "truth.csv", "--seed", "1")
        self.assertEqual(by_plink["power"], self.attack("--truth", "truth.csv", pool="pool.vcf")["power"])


class FamiliesTest(ProgramInFolder):
    def test_a_world_to_attack(self):
        made = self.result("generate", "families", "--people", "150", "--sites", "40", "--hospitals", "5", "--seed", "4", "--out", "world")
        truth = self.rows("world/truth.csv")
        self.assertEqual((made["people"], made["samples"]), (len(truth), sum(row["sample"] != "" for row in truth)))
        lines = [line.split("\t") for line in (self.path / "world/genotypes.vcf").read_text().splitlines() if not line.startswith("##")]
        samples, lines = lines[0][9:], lines[1:]
        self.assertEqual((len(lines), set(samples)), (made["variants"], {row["sample"] for row in truth} - {""}))
        # Children have an allele of each parent, where all three left DNA.
        calls = {sample: [line[9 + i].split("|") for line in lines] for i, sample in enumerate(samples)}
        sample_of = {row["person"]: row["sample"] for row in truth}
        trios = 0
        for line in (self.path / "world/families.ped").read_text().splitlines():
            _, child, father, mother, _, _ = line.split()
            known = [calls.get(sample_of.get(who, ""), None) for who in (child, father, mother)]
            if None in known:
                continue
            trios += 1
            for (paternal, maternal), of_father, of_mother in zip(*known):
                self.assertTrue(paternal in of_father and maternal in of_mother)
        self.assertGreater(trios, 0)
        # Attacks find what is there.
        family = self.result("genomes", "attack", "family", "--pedigrees", "world/families.ped", "--register", "world/genealogies.ged")
        self.assertEqual((family["structures"], family["matched"]), (made["families"], made["families"]))
        self.file("pairs.csv", "sample,person\n" + "".join(f"{row['sample']},{row['name']}\n" for row in truth if row["sample"]))
        both = self.result("genomes", "attack", "all", "--dna", "world/dna.csv", "--clinical", "world/clinical.csv", "--truth", "pairs.csv")
        self.assertEqual((both["samples"], both["on"], both["places"]), (made["samples"], ["sex"], 5))
        all_four = self.result("genomes", "attack", "all", "--dna", "world/dna.csv", "--clinical", "world/clinical.csv", "--truth",
                               "pairs.csv", "--pedigrees", "world/families.ped", "--register", "world/genealogies.ged")
        self.assertEqual(all_four["in_pedigrees"], made["samples"])
        self.assertGreater(all_four["right"], both["right"])
        self.assertEqual(self.result("generate", "families", "--people", "150", "--sites", "40", "--hospitals", "5", "--seed", "4", "--out",
                                     "again")["variants"], made["variants"])
        self.assertEqual((self.path / "again/genotypes.vcf").read_text(), (self.path / "world/genotypes.vcf").read_text())
        self.assertIn("not empty", self.error("generate", "families", "--out", "world"))


class SusceptibilityTest(ProgramInFolder):
    def test_the_matrix(self):
        result = self.result("genomes", "susceptibility", "--people", "300", "--seed", "1", "--key-bits", "8")
        self.assertEqual([len(row) for row in result["matrix"]], [4, 4, 4, 4])
        self.assertEqual(result["systems"], ["TRUST", "SEMITRUST", "DENOM", "DEID"])
        self.assertEqual(result["attacks"], ["FAMILY", "TRAIL", "GENPHEN", "DICTIONARY"])
        for attack, row in zip(result["attacks"], result["matrix"]):
            for system, share in zip(result["systems"], row):
                self.assertTrue(0 <= share <= 1)
                self.assertEqual(result["cells"][attack][system], share)
        # A cell that is not as printed is explained.
        named = {(d["attack"], d["system"]) for d in result["differs"]}
        for a, attack in enumerate(result["attacks"]):
            for s, system in enumerate(result["systems"]):
                self.assertEqual((attack, system) in named, (result["matrix"][a][s] > 0) != result["printed"][a][s])
        self.assertEqual(self.result("genomes", "susceptibility", "--people", "300", "--seed", "1", "--key-bits", "8"), result)


if __name__ == "__main__":
    unittest.main()
