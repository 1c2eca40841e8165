#!/usr/bin/env python3
"""trails attack --errors and trails resolve as a user meets them. Run by ctest as:
trails_linking_test.py PROGRAM"""
import pathlib
import random
import unittest

from program_in_folder import ProgramInFolder

LINKAGE = pathlib.Path(__file__).resolve().parent.parent.parent.parent / "shared" / "data" / "linkage"


class LinkingTest(ProgramInFolder):
    def run_program(self, *arguments):
        return super().run_program("trails", *arguments)

    # --- errors

    def world(self, people=150, locations=10, error=0.03):
        """Everybody's sample is listed where they were, but each location is wrong about `error` of all people."""
        chance = random.Random(5)
        sides = {"people": [], "samples": []}
        truth = []
        for person in range(people):
            visits = [at for at in range(locations) if chance.random() < 0.4] or [0]
            sample = [at for at in range(locations) if (at in visits) != (chance.random() < error)]
            sides["people"] += [(at, f"p{person}") for at in visits]
            sides["samples"] += [(at, f"s{person}") for at in sample]
            if sample:
                truth.append((f"s{person}", f"p{person}"))
        paths = []
        for name, sightings in sides.items():
            chance.shuffle(sightings)
            paths.append(self.file(f"{name}.csv", "location,element\n" + "".join(f"H{at},{e}\n" for at, e in sightings)))
        return *paths, self.file("truth.csv", "deidentified,identified\n" + "".join(f"{s},{p}\n" for s, p in truth))

    def test_posteriors_are_calibrated_and_written(self):
        people, samples, truth = self.world()
        sides = ["attack", "--identified", people, "--deidentified", samples, "--reserved", "none"]
        figures = self.result(*sides, "--errors", "0.03", "--truth", truth, "--out", "links.csv", "--seed", "1")
        self.assertEqual(figures["algorithm"], "errors")
        # Of n links with posterior p, about np are right: within four deviations and a twentieth.
        expected = sum(tenth["expected"] for tenth in figures["truth"]["calibration"])
        correct = sum(tenth["correct"] for tenth in figures["truth"]["calibration"])
        self.assertLess(abs(expected - correct), 4 * (expected ** 0.5) / 2 + 0.05 * expected)
        self.assertGreater(figures["reidentified"], 10)
        self.assertLess(figures["disagreement"], 0.1)
        links = self.rows("links.csv")
        self.assertEqual(len(links), figures["links"])
        total = {}
        for link in links:
            self.assertGreaterEqual(float(link["posterior"]), 0.05)
            total[link["deidentified"]] = total.get(link["deidentified"], 0) + float(link["posterior"])
        self.assertLessEqual(max(total.values()), 1.001)
        again = self.result(*sides, "--errors", "0.03", "--out", "again.csv", "--seed", "1")
        self.assertEqual(figures["expected_correct"], again["expected_correct"])
        self.assertEqual(self.rows("again.csv"), links)

    def test_a_rate_per_location(self):
        # Section 10.3.1: only the first location errs, so Ali is actg and Bob is ctga.
        people = self.file("people.csv", "location,element\n1,Ali\n3,Ali\n2,Bob\n3,Bob\n")
        samples = self.file("samples.csv", "location,element\n3,actg\n1,ctga\n2,ctga\n3,ctga\n")
        rates = self.file("rates.csv", "location,rate\n1,0.4\n2,0.01\n3,0.01\n")
        self.result("attack", "--identified", people, "--deidentified", samples, "--reserved", "none", "--errors", rates,
                    "--out", "links.csv", "--least", "0.5")
        self.assertEqual({(row["deidentified"], row["identified"]) for row in self.rows("links.csv")},
                         {("actg", "Ali"), ("ctga", "Bob")})
        self.assertIn("'3'", self.error("attack", "--identified", people, "--deidentified", samples, "--errors",
                                        self.file("rates.csv", "location,rate\n1,0.4\n2,0.01\n")))

    def test_errors_say_what_is_wrong(self):
        people, samples, _ = self.world(people=5)
        sides = ["attack", "--identified", people, "--deidentified", samples]
        self.assertIn("0.5", self.error(*sides, "--errors", "0.7"))
        self.assertIn("--errors", self.error(*sides, "--errors", "0.1", "--k", "2"))
        self.assertIn("--errors", self.error(*sides, "--least", "0.1"))

    # --- resolve

    def test_records_become_elements(self):
        chance = random.Random(2)
        names = [("".join(chance.choices("abcdefghij", k=7)), "".join(chance.choices("klmnopqrst", k=8)))
                 for _ in range(60)]
        text = "ward,given,family,who\n"
        for person, (given, family) in enumerate(names):
            text += f"north,{given},{family},{person}\nsouth,{given.upper()},{family[:-1]}z,{person}\n"
        records = self.file("records.csv", text)
        figures = self.result("resolve", records, "--fields", "given,family", "--location", "ward", "--truth", "who",
                              "--out", "trails.csv")
        self.assertEqual((figures["records"], figures["true_pairs"]), (120, 60))
        self.assertGreaterEqual(min(figures["precision"], figures["recall"]), 0.98)
        self.assertEqual([weight["field"] for weight in figures["weights"]], ["given", "family"])
        written = self.rows("trails.csv")
        self.assertEqual([row["location"] for row in written], ["north", "south"] * 60)
        self.assertEqual(len({row["element"] for row in written}), figures["elements"])
        # What was written is a side of a link.
        samples = self.file("samples.csv", "location,element\nnorth,x\n")
        self.assertEqual(self.result("verify", "--identified", "trails.csv", "--deidentified", samples, "--k", "2",
                                     "--reserved", "deidentified")["locations"], 2)

    def test_a_file_per_location(self):
        self.file("north.csv", "name\nanna berg\ncarl dorn\n")
        self.file("south.csv", "name\nanna berg\n")
        self.result("resolve", "north.csv", "south.csv", "--fields", "name", "--threshold", "0", "--out", "trails.csv")
        self.assertEqual([row["location"] for row in self.rows("trails.csv")], ["north", "north", "south"])

    def test_resolve_errors(self):
        records = self.file("records.csv", "location,name\nnorth,ann\n,bob\n")
        text = self.error("resolve", records, "--fields", "nam")
        self.assertIn("name", text)
        text = self.error("resolve", records, "--fields", "name")
        self.assertIn("row 2", text)
        self.assertNotIn("bob", text)
        self.error("resolve", self.file("one.csv", "name\nann\n"), "--fields", "name", "--out", "one.csv")

    def test_febrl(self):
        for name in ("febrl1", "febrl2"):
            path = LINKAGE / f"{name}.csv"
            if not path.exists():
                self.skipTest(f"no {path}")
            header, *lines = path.read_text().splitlines()
            text = header + ", who\n" + "".join(f"{line}, {line.split('-')[1]}\n" for line in lines)
            figures = self.result("resolve", self.file(f"{name}.csv", text), "--fields",
                                  "given_name,surname,address_1,suburb,postcode,date_of_birth", "--truth", "who",
                                  "--seed", "1")
            self.assertGreaterEqual(figures["precision"], 0.97, name)
            self.assertGreaterEqual(figures["recall"], 0.95, name)


if __name__ == "__main__":
    unittest.main()
