#!/usr/bin/env python3
"""trails verify as a user meets it, on cases worked by hand. Run by ctest as: trails_verify_test.py PROGRAM"""
import random
import unittest

from program_in_folder import ProgramInFolder

# Figure 6.7 of Malin's thesis: 3-unlinkable though every published trail is unique.
PEOPLE = {"Ali": "1 2 3", "Bob": "1 2 4", "Charlie": "1 3 4", "Dan": "2 3 4"}
SAMPLES = {"actg": "1", "ctga": "2", "tgac": "3", "gatc": "4"}


def rows(trails):
    return [(f"H{at}", element) for element, trail in trails.items() for at in trail.split()]


class TrailsVerifyTest(ProgramInFolder):
    def long(self, name, trails, header="location,element"):
        return self.file(name, header + "\n" + "".join(f"{at},{element}\n" for at, element in rows(trails)))

    def run_program(self, *arguments):
        return super().run_program("trails", *arguments)

    def verify(self, people, samples, k, *arguments, exit_code=0):
        return self.result("verify", "--identified", people, "--deidentified", samples, "--k", str(k), *arguments,
                           exit_code=exit_code)

    def test_a_truth_that_contradicts_the_lists_is_refused(self):
        head = "location,element\n"
        people = self.file("fi.csv", head + "h2,p0\nh0,p0\nh1,p1\nh0,p2\nh0,p3\nh1,p3\n")
        submitted = self.file("fs.csv", head + "h2,d1\nh0,d1\nh1,d0\nh0,d2\nh1,d2\n")
        released = self.file("fr.csv", head + "h1,d0\nh1,d2\n")
        asked = ["--submitted", submitted, "--view", "contributor", "--reserved", "deidentified", "--truth"]
        wrong = self.file("wrong.csv", "deidentified,identified\nd1,p0\nd0,p1\nd2,p2\n")
        done = self.run_program("verify", "--identified", people, "--deidentified", released, "--k", "2", *asked, wrong)
        self.assertEqual((done.returncode, b"does not fit" in done.stderr), (2, True))
        right = self.file("right.csv", "deidentified,identified\nd1,p0\nd0,p1\nd2,p3\n")
        self.assertEqual(self.verify(people, released, 2, *asked, right, exit_code=1)["k"], 1)

    def test_figure_6_7(self):
        people, samples = self.long("people.csv", PEOPLE), self.long("samples.csv", SAMPLES)
        verdict = self.verify(people, samples, 3)
        self.assertEqual((verdict["k"], verdict["k_deidentified"], verdict["k_identified"], verdict["violations"]),
                         (3, 3, 3, 0))
        verdict = self.verify(people, samples, 4, exit_code=1)
        self.assertEqual((verdict["holds"], verdict["violations"], verdict["worst"][0]["partners"]), (False, 8, 3))
        self.assertIn("de-identified", verdict["assumption"])
        self.assertEqual(self.verify(people, samples, 3, "--reserved", "deidentified")["k"], 3)

    def test_one_sample_too_many_is_caught(self):
        # Two hospitals with five people each, one of them at both.
        people = self.long("people.csv", {**{f"n{i}": "1" for i in range(4)}, **{f"s{i}": "2" for i in range(4)},
                                          "both": "1 2"})
        kept = {**{f"x{i}": "1" for i in range(4)}, **{f"y{i}": "2" for i in range(4)}}
        self.assertEqual(self.verify(people, self.long("samples.csv", kept), 5)["k"], 5)
        # A fifth at H1 must be everybody there, so the four at H2 are the other four.
        verdict = self.verify(people, self.long("samples.csv", {**kept, "x4": "1"}), 5, exit_code=1)
        self.assertEqual((verdict["k"], verdict["violations"], verdict["impossible"]), (4, 8, 0))
        # A sixth cannot be.
        verdict = self.verify(people, self.long("samples.csv", {**kept, "x4": "1", "x5": "1"}), 2, "--reserved",
                              "deidentified", exit_code=1)
        self.assertEqual(verdict["impossible"], 1)
        # One published twice shows whose it is.
        verdict = self.verify(people, self.long("samples.csv", {**kept, "x3": "1 2"}), 2, exit_code=1)
        self.assertEqual((verdict["k_deidentified"], verdict["worst"][0]["locations"]), (1, ["H1", "H2"]))

    def test_a_folder_per_side_and_other_columns(self):
        self.long("people.csv", PEOPLE, "place,who")
        for at in "1234":
            names = [name for name, trail in PEOPLE.items() if at in trail]
            self.file(f"people/H{at}.csv", "who\n" + "\n".join(names) + "\n")
        self.long("samples.csv", SAMPLES, "place,dna")
        columns = ["--location", "place", "--identified-element", "who", "--deidentified-element", "dna"]
        for people in ("people.csv", "people"):
            self.assertEqual(self.verify(people, "samples.csv", 3, *columns)["k"], 3)

    def test_views(self):
        people, samples = self.long("people.csv", PEOPLE), self.long("samples.csv", {**SAMPLES, "ctga": "4", "gatc": "2"})
        submitted = self.long("submitted.csv", {"actg": "1 2 3", "ctga": "2 4", "tgac": "1 3 4", "gatc": "2 3"})
        truth = self.file("truth.csv", "deidentified,identified\nactg,Ali\nctga,Bob\ntgac,Charlie\ngatc,Dan\n")
        self.assertTrue(self.verify(people, samples, 2)["holds"])
        verdict = self.verify(people, samples, 2, "--view", "central", "--submitted", submitted, exit_code=1)
        self.assertEqual((verdict["k"], verdict["k_joint"], verdict["view"], verdict["exact"]), (1, 1, "central", True))
        verdict = self.verify(people, samples, 2, "--view", "contributor", "--submitted", submitted, "--truth", truth,
                              exit_code=1)
        self.assertEqual({trail["contributor"] for trail in verdict["worst"] if trail["partners"] == 1},
                         {"H1", "H2", "H3", "H4"})
        verdict = self.verify(people, samples, 1, "--view", "contributor", "--submitted", submitted)
        self.assertFalse(verdict["exact"])

    def test_two_locations_that_pool_what_they_know(self):
        # B and C each know six of A's thirteen people; together all but one.
        trails = {i: "1 2" if i < 6 else "1 3" if i < 12 else "1" for i in range(13)}
        people = self.long("people.csv", {f"p{i}": trail for i, trail in trails.items()})
        submitted = self.long("submitted.csv", {f"s{i}": trail for i, trail in trails.items()})
        published = self.long("published.csv", {f"s{i}": "1" for i in trails})
        given = ["--submitted", submitted]
        alone = self.verify(people, published, 6, "--view", "contributor", *given)
        self.assertEqual((alone["k"], alone["coalition"], alone["exact"]), (7, 1, True))
        verdict = self.verify(people, published, 6, "--coalition", "2", *given, exit_code=1)
        self.assertEqual((verdict["k"], verdict["coalition"], verdict["view"]), (1, 2, "contributor"))
        self.assertEqual(verdict["worst"][0]["contributors"], ["H2", "H3"])
        done = self.run_program("verify", "--identified", people, "--deidentified", published, "--k", "2", *given,
                                "--view", "central", "--coalition", "2")
        self.assertEqual((done.returncode, b"--view" in done.stderr), (2, True))

    def test_either_side_may_be_suppressed(self):
        # Definition 20. H1 withholds two samples, H2 two names: everybody may be anybody's.
        everybody = {i: "1 2" for i in range(4)}
        people = self.long("people.csv", {f"p{i}": "1 2" if i < 2 else "1" for i in everybody})
        samples = self.long("samples.csv", {f"s{i}": "1 2" if i < 2 else "2" for i in everybody})
        originals = ["--submitted", self.long("all_samples.csv", {f"s{i}": trail for i, trail in everybody.items()}),
                     "--submitted-identified", self.long("all_people.csv", {f"p{i}": trail for i, trail in everybody.items()})]
        verdict = self.verify(people, samples, 4, "--reserved", "both", *originals)
        self.assertEqual((verdict["k"], verdict["suppressed"]), (4, {"identified": 2, "deidentified": 2}))
        self.assertEqual((verdict["protection"], round(verdict["ent_unlinkability"], 4)), (0.75, 0.8113))
        # One of each, at places that withhold the other side: they fit each other, or are two people's.
        alone = self.verify(self.long("one.csv", {"p": "1"}), self.long("two.csv", {"s": "2"}), 3, "--reserved", "both",
                            exit_code=1)
        self.assertEqual(alone["k"], 2)
        more = self.long("more.csv", {"p0": "1 2", "p9": "1"})
        done = self.run_program("verify", "--identified", more, "--deidentified", samples, "--k", "2", "--reserved", "both",
                                *originals)
        self.assertEqual((done.returncode, b"person was published" in done.stderr), (2, True))

    def test_errors(self):
        people, samples = self.long("people.csv", PEOPLE), self.long("samples.csv", SAMPLES)
        for arguments, word in ((["--view", "central"], "--submitted"), (["--element", "person"], "'person'"),
                                (["--reserved", "neither"], "--reserved"), (["--k", "0"], "--k")):
            arguments = arguments if "--k" in arguments else [*arguments, "--k", "2"]
            done = self.run_program("verify", "--identified", people, "--deidentified", samples, *arguments)
            self.assertEqual((done.returncode, done.stdout), (2, b""))
            self.assertIn(word, done.stderr.decode())
            self.assertNotIn("Ali", done.stderr.decode())

    def test_many_elements(self):
        # 1,000 people at one of ten hospitals; each publishes half: the other half are alternatives.
        random.seed(3)
        people = {f"p{i}": str(i % 10) for i in range(1000)}
        samples = {f"s{i}": str(i % 10) for i in random.sample(range(1000), 500)}
        verdict = self.verify(self.long("people.csv", people), self.long("samples.csv", samples), 100)
        self.assertEqual((verdict["k_deidentified"], verdict["undisclosed"]), (100, 500))


if __name__ == "__main__":
    unittest.main()
