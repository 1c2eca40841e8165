#!/usr/bin/env python3
"""The trails commands as a user meets them. Run by ctest as: trails_test.py PROGRAM"""
import random
import unittest

from program_in_folder import ProgramInFolder

# Figure 3.4 of Malin's thesis: four hospitals, four people, four DNA samples.
PEOPLE = {"H1": ["Ali", "Bob", "Charlie"], "H2": ["Ali", "Bob", "Dan"], "H3": ["Ali", "Charlie", "Dan"],
          "H4": ["Bob", "Charlie", "Dan"]}
SAMPLES = {"H1": ["actg", "tgac"], "H2": ["actg", "ctga", "gatc"], "H3": ["actg", "tgac", "gatc"],
           "H4": ["ctga", "tgac"]}
OWNERS = {"actg": "Ali", "ctga": "Bob", "tgac": "Charlie", "gatc": "Dan"}


def long_table(lists, header="location,element"):
    return header + "\n" + "".join(f"{place},{name}\n" for place, names in lists.items() for name in names)


class TrailsTest(ProgramInFolder):
    def setUp(self):
        super().setUp()
        self.people = self.file("people.csv", long_table(PEOPLE))
        self.samples = self.file("samples.csv", long_table(SAMPLES))
        self.sides = ["--identified", self.people, "--deidentified", self.samples]

    def attack(self, *arguments, **options):
        return self.result("trails", "attack", *self.sides, *arguments, **options)

    # --- attack

    def test_a_person_with_several_samples_is_linked_the_right_way_round(self):
        people = self.file("mi.csv", "location,element\nh0,p\nh1,p\nh0,q\nh1,q\nh2,q\n")
        samples = self.file("md.csv", "location,element\nh0,s1\nh0,s2\nh1,s3\nh0,t\nh1,t\nh2,t\n")
        figures = self.result("trails", "attack", "--identified", people, "--deidentified", samples, "--algorithm",
                              "multiple", "--out", "links.csv")
        self.assertEqual((figures["reidentified"], figures["reserved"]), (1, "deidentified"))
        self.assertEqual((self.path / "links.csv").read_text(), "deidentified,identified\nt,q\n")
        # The other way round it is the names that are several of one, and t the only one that was where both were.
        figures = self.result("trails", "attack", "--identified", people, "--deidentified", samples, "--algorithm",
                              "multiple", "--reserved", "identified", "--out", "links.csv", "--force")
        self.assertEqual((figures["reidentified"], figures["people_reidentified"]), (1, 2))
        self.assertEqual(sorted((self.path / "links.csv").read_text().split()), ["deidentified,identified", "t,p", "t,q"])

    def test_each_location_may_withhold_either_side(self):
        chance = random.Random(7)
        links = 0
        for number in range(20):
            sides = {"people": {}, "samples": {}}
            for place in range(6):
                withheld = chance.choice(("people", "samples", "nothing"))
                for person in range(12):
                    if chance.random() < 0.5:
                        continue
                    for side in sides:
                        if side != withheld or chance.random() < 0.6:
                            sides[side].setdefault(f"L{place}", []).append(f"{side[0]}{person}")
            people = self.file(f"p{number}.csv", long_table(sides["people"]))
            samples = self.file(f"s{number}.csv", long_table(sides["samples"]))
            figures = self.result("trails", "attack", "--identified", people, "--deidentified", samples, "--reserved", "both",
                                  "--out", f"links{number}.csv")
            self.assertEqual(figures["reserved"], "both")
            for row in self.rows(f"links{number}.csv"):
                self.assertEqual(row["deidentified"][1:], row["identified"][1:])
                links += 1
        self.assertGreater(links, 20)
        self.assertIn("exact", self.error("trails", "attack", "--identified", people, "--deidentified", samples, "--reserved",
                                          "both", "--algorithm", "incomplete"))

    def test_a_shared_attribute_links_more_and_never_wrongly(self):
        chance = random.Random(8)
        rows = {"people": "location,element,sex\n", "samples": "location,element,sex\n"}
        for person in range(60):
            sex = chance.choice("fm")
            for place in range(5):
                if chance.random() < 0.4:
                    rows["people"] += f"L{place},p{person},{sex}\n"
                    rows["samples"] += f"L{place},s{person},{sex}\n"
        sides = ["--identified", self.file("p.csv", rows["people"]), "--deidentified", self.file("s.csv", rows["samples"])]
        without = self.result("trails", "attack", *sides)
        block = self.result("trails", "attack", *sides, "--block", "sex", "--out", "links.csv")
        self.assertGreater(block["reidentified"], without["reidentified"])
        self.assertEqual((block["locations"], block["visits"]), (5, without["visits"]))
        self.assertEqual(sum(value["reidentified"] for value in block["block"]["values"]), block["reidentified"])
        for row in self.rows("links.csv"):
            self.assertEqual(row["deidentified"][1:], row["identified"][1:])
        self.assertIn("age", self.error("trails", "attack", *sides, "--block", "age"))

    def test_worlds_at_the_rates_of_lists(self):
        figures = self.result("trails", "simulate", "--like", self.people, "--like-samples", self.samples, "--times", "5",
                              "--subjects", "50", "--runs", "3", "--algorithm", "incomplete", "--seed", "1")
        self.assertEqual((figures["access"], figures["locations"]), ("empirical", 20))
        self.assertGreater(figures["mean_share"], 0)
        self.error("trails", "simulate", "--like-samples", self.samples)
        self.error("trails", "simulate", "--like", self.people, "--access", "uniform:0.5")

    def test_complete_counts_no_more_partners_than_there_are(self):
        people = self.file("ci.csv", "location,element\nh1,p0\nh0,p1\nh1,p1\n")
        samples = self.file("cd.csv", "location,element\nh1,d1\nh0,d0\n")
        sides = ["--identified", people, "--deidentified", samples, "--algorithm", "complete", "--reserved", "deidentified"]
        self.result("trails", "attack", *sides, "--partners", "p.csv")
        counts = [int(line.split(",")[1]) for line in (self.path / "p.csv").read_text().splitlines()[1:]]
        # Both lists have one entry at h0: d1 was not there, as p0 was not. Of d0 at h1 nothing is known.
        self.assertEqual(counts, [1, 2])
        self.assertIn("same file", self.error("trails", "attack", *sides, "--out", "z.csv", "--partners", "z.csv"))

    def test_the_figure_of_the_thesis(self):
        figures = self.attack("--out", "links.csv")
        self.assertEqual((figures["identified"], figures["deidentified"], figures["locations"]), (4, 4, 4))
        self.assertEqual((figures["algorithm"], figures["reserved"]), ("exact", "deidentified"))
        self.assertIn("detected", figures["assumption"])
        self.assertEqual((figures["reidentified"], figures["share"], figures["distinct_trails"]), (4, 1, 4))
        # Three of four people at each of four hospitals: 4 times the entropy of 3/4.
        self.assertAlmostEqual(figures["entropy_bits"], 4 * 0.8112781244591328)
        self.assertGreaterEqual(figures["seconds"], 0)
        links = self.rows("links.csv")
        self.assertEqual(list(links[0]), ["deidentified", "identified"])
        self.assertEqual({link["deidentified"]: link["identified"] for link in links}, OWNERS)

    def test_algorithms_find_no_more_than_exact(self):
        self.assertEqual(self.attack("--algorithm", "incomplete")["reidentified"], 4)
        # The lists of H1 and H4 differ in length; only tgac was at both, so all others hold a *.
        self.assertEqual(self.attack("--algorithm", "complete")["reidentified"], 1)
        # Supertrails by hand, no blank is a 0: actg {Ali}, ctga {Bob, Dan}, tgac {Charlie}, gatc {Ali, Dan}.
        many = self.attack("--algorithm", "multiple", "--k", "2")
        self.assertEqual((many["reidentified"], many["k_reidentified"]), (2, 2))

    def test_k_counts_partners(self):
        people = self.file("p.csv", "location,element\n" + "".join(f"A,p{i}\n" for i in range(5)) + "B,p0\nC,q\n")
        samples = self.file("s.csv", "location,element\nA,s1\nA,s2\nB,s3\nC,t\n")
        arguments = ("trails", "attack", "--identified", people, "--deidentified", samples, "--partners", "partners.csv")
        figures = self.result(*arguments, "--k", "5")
        # B and C are complete: s3 is p0, t is q. s1 and s2 were not at B: they are two of p1 to p4.
        self.assertEqual((figures["reidentified"], figures["k_reidentified"]), (1 + 1, 4))
        self.assertEqual({row["deidentified"]: row["partners"] for row in self.rows("partners.csv")},
                         {"s1": "4", "s2": "4", "s3": "1", "t": "1"})
        self.assertEqual(self.result(*arguments, "--k", "4")["k_reidentified"], 2)

    def test_folders_patterns_and_parquet_say_the_same(self):
        for place, names in PEOPLE.items():
            self.file(f"folder/{place}.csv", "name\n" + "".join(f"{name}\n" for name in names))
        for place, names in SAMPLES.items():
            self.file(f"hospitals/{place}/dna.csv", "dna\n" + "".join(f"{name}\n" for name in names))
        figures = self.result("trails", "attack", "--identified", "folder", "--deidentified", "hospitals/*/dna.csv",
                              "--identified-element", "name", "--deidentified-element", "dna", "--out", "links.csv")
        self.assertEqual((figures["reidentified"], figures["locations"]), (4, 4))
        self.assertEqual({link["deidentified"]: link["identified"] for link in self.rows("links.csv")}, OWNERS)

    def test_headers_and_several_columns(self):
        people = self.file("p.csv", "site,name,born\nA,Ann,1950\nB,Ann,1950\nA,Ann,1960\n")
        samples = self.file("s.csv", "site,dna\nA,x\nB,x\nA,y\n")
        self.result("trails", "attack", "--identified", people, "--deidentified", samples, "--location", "site",
                    "--identified-element", "name,born", "--deidentified-element", "dna", "--out", "links.csv")
        self.assertEqual([tuple(link.values()) for link in self.rows("links.csv")],
                         [("x", "Ann|1950"), ("y", "Ann|1960")])

    def test_the_identified_side_may_be_the_incomplete_one(self):
        figures = self.result("trails", "attack", "--identified", self.samples, "--deidentified", self.people, "--out",
                              "links.csv")
        self.assertEqual((figures["reserved"], figures["reidentified"]), ("identified", 4))
        self.assertEqual({link["identified"]: link["deidentified"] for link in self.rows("links.csv")}, OWNERS)

    def test_truth_scores(self):
        truth = self.file("truth.csv", "deidentified,identified\n" + "".join(f"{a},{b}\n" for a, b in OWNERS.items()))
        self.assertEqual(self.attack("--truth", truth)["truth"], {"pairs": 4, "correct": 4, "false": 0, "recall": 1})
        wrong = self.file("wrong.csv", "deidentified,identified\nactg,Bob\nctga,Bob\n")
        self.assertEqual(self.attack("--truth", wrong)["truth"], {"pairs": 2, "correct": 1, "false": 3, "recall": 0.5})

    def test_no_false_link_on_random_worlds(self):
        draw = random.Random(11)
        for missing in (0, 0.3):
            people, samples, owners = {}, {}, {}
            for person in range(300):
                for place in range(12):
                    if draw.random() < 1 / (1 + place):
                        people.setdefault(f"L{place}", []).append(f"p{person}")
                        if draw.random() >= missing:
                            samples.setdefault(f"L{place}", []).append(f"s{999 - person}")
                            owners[f"s{999 - person}"] = f"p{person}"
            sides = ["--identified", self.file("p.csv", long_table(people)),
                     "--deidentified", self.file("s.csv", long_table(samples))]
            shares = []
            for algorithm in ("complete", "incomplete", "exact"):
                figures = self.result("trails", "attack", *sides, "--algorithm", algorithm, "--out", "links.csv")
                links = self.rows("links.csv")
                self.assertEqual(len(links), figures["reidentified"])
                self.assertTrue(all(owners[link["deidentified"]] == link["identified"] for link in links))
                shares.append(figures["share"])
            self.assertGreater(shares[2], 0)
            self.assertEqual(sorted(shares), shares)

    def test_curves(self):
        figures = self.attack("--by-rank", "down", "--leave-one-out", "--out", "links.csv")
        self.assertEqual([point["locations"] for point in figures["by_rank"]], [1, 2, 3, 4])
        self.assertEqual(figures["by_rank"][-1]["reidentified"], figures["reidentified"])
        # The first hospital alone has three people and two samples whom nothing tells apart.
        self.assertEqual({key: figures["by_rank"][0][key] for key in ("identified", "deidentified", "reidentified")},
                         {"identified": 3, "deidentified": 2, "reidentified": 0})
        self.assertEqual({point["location"] for point in figures["leave_one_out"]}, set(PEOPLE))
        self.assertEqual({point["locations"] for point in figures["leave_one_out"]}, {3})
        for name in ("by-rank", "leave-one-out"):
            self.assertIn("<svg", (self.path / f"links.{name}.svg").read_text())
            self.assertTrue((self.path / f"links.{name}.csv").exists())

    def test_ranks_go_by_visitors(self):
        people = self.file("p.csv", "location,element\nA,x\nB,x\nB,y\nC,x\nC,y\nC,z\n")
        sides = ["--identified", people, "--deidentified", people]
        for rank, order in (("down", "CBA"), ("up", "ABC")):
            figures = self.result("trails", "attack", *sides, "--by-rank", rank)
            self.assertEqual("".join(point["location"] for point in figures["by_rank"]), order)
            self.assertEqual(figures["by_rank"][-1]["reidentified"], 3)

    def test_threshold(self):
        self.attack("--fail-above", "0.5", exit_code=1)

    def test_impossible_data_is_named(self):
        people = self.file("p.csv", "location,element\nA,x\nB,y\nB,w\n")
        samples = self.file("s.csv", "location,element\nA,SECRET\nB,SECRET\n")
        text = self.error("trails", "attack", "--identified", people, "--deidentified", samples)
        self.assertIn("1 of 1 de-identified trails", text)
        self.assertIn("not truthful", text)
        self.assertIn("s.csv, row 1", text)
        self.assertNotIn("SECRET", text)
        sizes = self.error("trails", "attack", "--identified", people, "--deidentified", samples, "--reserved", "none")
        self.assertIn("at 1 location,", sizes)

    def test_bad_input(self):
        self.assertIn("no value in column 'element'", self.error(
            "trails", "attack", "--identified", self.people, "--deidentified",
            self.file("s.csv", "location,element\nA,x\nB,\n")))
        self.assertIn("Did you mean element?", self.error("trails", "attack", "--identified", self.people,
                                                          "--deidentified", self.samples, "--element", "elemnt"))
        (self.path / "empty").mkdir()
        self.assertIn("no files of locations",
                      self.error("trails", "attack", "--identified", "empty", "--deidentified", self.samples))
        self.assertIn("same file", self.error("trails", "attack", *self.sides, "--out", self.people))
        self.error("trails", "attack", *self.sides, "--algorithm", "clever")
        self.error("trails", "attack", *self.sides, "--reserved", "perhaps")

    def test_headers_alone(self):
        empty = self.file("e.csv", "location,element\n")
        figures = self.result("trails", "attack", "--identified", empty, "--deidentified", empty, "--k", "3")
        self.assertEqual((figures["reidentified"], figures["share"], figures["entropy_bits"]), (0, None, 0))
        for sides in ((empty, empty), (self.people, empty), (empty, self.samples)):
            lists = ["--identified", sides[0], "--deidentified", sides[1]]
            self.assertIn("note", self.result("trails", "attack", *lists, "--fail-above", "1", exit_code=1))
            self.assertIn("note", self.result("trails", "verify", *lists, "--k", "2", exit_code=1))


if __name__ == "__main__":
    unittest.main()
