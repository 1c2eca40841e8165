#!/usr/bin/env python3
"""trails protect and trails simulate as a user meets them. Run by ctest as: trails_protect_test.py PROGRAM"""
import collections
import json
import unittest

from program_in_folder import ProgramInFolder

# Figure 7.2 of Malin's thesis.
PEOPLE = "location,element\nH1,Ali\nH1,Bob\nH1,Charlie\nH2,Dan\n"
SAMPLES = "location,element\nH1,actg\nH1,ctga\nH1,tgac\nH2,gacg\n"


class TrailsProtectTest(ProgramInFolder):
    def setUp(self):
        super().setUp()
        self.file("people.csv", PEOPLE)
        self.file("samples.csv", SAMPLES)

    def protect(self, *arguments, people="people.csv", samples="samples.csv", out="released.csv", exit_code=0):
        return self.result("trails", "protect", "--identified", people, "--deidentified", samples, "--out", out,
                           "--seed", "1", *arguments, exit_code=exit_code)

    def verify(self, k, *arguments, people="people.csv", samples="released.csv", exit_code=0):
        return self.result("trails", "verify", "--identified", people, "--deidentified", samples, "--k", str(k),
                           "--reserved", "deidentified", *arguments, exit_code=exit_code)

    def sightings(self, name):
        return [(row["location"], row["element"]) for row in self.rows(name)]

    def world(self, name="world", locations="12", access="uniform:0.5", missing="0", subjects="80"):
        self.result("trails", "simulate", "--subjects", subjects, "--locations", locations, "--access", access,
                    "--missing", missing, "--runs", "1", "--seed", "3", "--world", name)
        return {"people": f"{name}/identified.csv", "samples": f"{name}/deidentified.csv"}

    def test_figure_7_2(self):
        for method in ("greedy", "force", "best"):
            result = self.protect("--k", "3", "--method", method)
            self.assertEqual((result["samples_in"], result["samples_out"]), (4, 3))
            self.assertEqual((result["locations_in"], result["locations_out"]), (2, 1))
            # Each of three samples may be each of three people.
            self.assertEqual(result["k_verified"], 3)
            # Before, gacg is Dan's for certain, and each of the others may be each of three people.
            self.assertEqual(result["before"], {"reidentified": 1, "reidentified_share": 0.25, "k_reidentified": 1,
                                                "k_reidentified_share": 0.25})
            self.assertEqual(set(result["after"].values()), {0})
            people = result["possible_people"]
            self.assertEqual(people["at_least"][:3], [1, 3, 6])
            self.assertEqual((people["before"][:3], people["after"][:3]), ([1, 3, 0], [0, 3, 0]))
            self.assertEqual(sorted(self.sightings("released.csv")), [("H1", "actg"), ("H1", "ctga"), ("H1", "tgac")])

    def test_who_is_not_named_hides_nobody(self):
        for command in (("protect", "--out", "out.csv"), ("verify",)):
            text = self.error("trails", *command, "--k", "4", "--reserved", "deidentified", "--deidentified", "samples.csv",
                              "--identified", self.file("nobody.csv", PEOPLE + "H1,Unbekannt\n"))
            self.assertIn("row 5 has no value in column 'element'", text)
            self.assertIn("nobody.csv", text)
            self.assertNotIn("Unbekannt", text)
        self.assertFalse((self.path / "out.csv").exists())

    def test_every_method_passes_the_verifier_and_discloses_what_there_is(self):
        for missing in ("0", "0.3"):
            world = self.world(missing=missing)
            held = set(self.sightings(world["samples"]))
            for method in ("greedy", "force", "best"):
                for secure in ([], ["--secure"]):
                    result = self.protect("--k", "4", "--method", method, *secure, "--runs", "3", **world)
                    rows = self.sightings("released.csv")
                    self.assertLessEqual(set(rows), held)
                    self.assertEqual(len({sample for _, sample in rows}), len(rows))  # each once
                    self.assertEqual(result["samples_out"], len(rows))
                    self.assertEqual(result["locations_out"], len({location for location, _ in rows}))
                    self.assertLessEqual(result["samples_out"], result["bound"]["samples"])
                    self.assertGreater(result["samples_out"], 0)
                    self.assertEqual(result["after"]["k_reidentified"], 0)
                    views = [["external"]] + ([["central"], ["contributor"]] if secure else [])
                    verified = []
                    for view, in views:
                        submitted = [] if view == "external" else ["--submitted", world["samples"]]
                        verified.append(self.verify(4, "--view", view, *submitted, people=world["people"])["k"])
                    self.assertEqual(result["k_verified"], min(verified))
                    self.assertGreaterEqual(result["k_verified"], 4)

    def test_best_beats_force_on_locations(self):
        world = self.world()
        force = self.protect("--k", "10", "--method", "force", "--maximise", "locations", **world)
        best = self.protect("--k", "10", "--maximise", "locations", **world)
        self.assertLessEqual(force["locations_out"], 8)  # of 80 people, ten for each
        self.assertEqual(best["locations_out"], 12)
        self.assertEqual(best["samples_out"], best["samples_in"])

    def test_copies(self):
        world = self.world()
        once = self.protect("--k", "4", **world)
        self.assertEqual(once["records_out"], once["samples_out"])
        more = self.protect("--k", "4", "--keep-copies", **world)
        self.assertGreater(more["records_out"], more["samples_out"])
        self.assertGreaterEqual(self.verify(4, people=world["people"])["k"], 4)
        times = collections.Counter(sample for _, sample in self.sightings("released.csv"))
        self.assertGreater(max(times.values()), 1)

    def test_manifest_proves_the_release_until_something_changes(self):
        world = self.world()
        result = self.protect("--k", "4", "--secure", **world)
        manifest = json.loads((self.path / "released.csv.manifest.json").read_text())
        self.assertEqual(manifest["seed"], 1)
        self.assertEqual(manifest["results"]["samples_out"], result["samples_out"])
        self.assertEqual([claim["view"] for claim in manifest["claims"]], ["external", "central", "contributor"])
        self.assertTrue(self.result("verify", "released.csv")["holds"])
        # Planted: a list of people that is not the one it was made for.
        people = self.path / world["people"]
        people.write_text(people.read_text() + "L1,Somebody\n")
        self.assertFalse(self.result("verify", "released.csv", exit_code=1)["holds"])

    def test_coalitions(self):
        for missing in ("0", "0.1"):
            world = self.world(missing=missing)
            for method in ("greedy", "force", "best"):
                result = self.protect("--k", "2", "--method", method, "--coalition", "2", "--runs", "2", **world)
                self.assertEqual((result["coalition"], result["secure"]), (2, True))
                verdict = self.verify(2, "--coalition", "2", "--submitted", world["samples"], people=world["people"])
                self.assertEqual(result["verified"]["contributor"], verdict["k"])
                self.assertTrue(self.result("verify", "released.csv")["holds"])

    def test_a_seed_repeats_a_release(self):
        world = self.world()
        self.protect("--k", "4", "--method", "force", **world, out="a.csv")
        self.protect("--k", "4", "--method", "force", "--threads", "1", **world, out="b.csv")
        self.assertEqual((self.path / "a.csv").read_bytes(), (self.path / "b.csv").read_bytes())

    def test_nothing_can_be_disclosed(self):
        result = self.protect("--k", "4", exit_code=1)
        self.assertEqual((result["samples_out"], result["locations_out"]), (0, 0))
        self.assertIn("4 people", result["note"])
        self.assertEqual(list(self.path.glob("released*")), [])

    def test_folders(self):
        for name, text in (("people", PEOPLE), ("samples", SAMPLES)):
            files = collections.defaultdict(list)
            for row in text.splitlines()[1:]:
                files[row.split(",")[0]].append(row.split(",")[1])
            for location, elements in files.items():
                self.file(f"{name}/{location}.csv", "\n".join(["element", *elements]) + "\n")
        result = self.protect("--k", "3", people="people", samples="samples")
        self.assertEqual((result["samples_out"], result["k_verified"]), (3, 3))
        self.assertTrue(self.result("verify", "released.csv")["holds"])

    def test_errors_say_what_to_do_and_write_nothing(self):
        base = ["trails", "protect", "--identified", "people.csv", "--deidentified", "samples.csv", "--k", "2"]
        self.assertIn("same file", self.error(*base, "--out", "people.csv"))
        self.assertIn("--keep-copies", self.error(*base, "--out", "r.csv", "--keep-copies", "--secure"))
        self.assertIn("--keep-copies", self.error(*base, "--out", "r.csv", "--keep-copies", "--method", "force"))
        self.assertIn("standard input", self.error("trails", "protect", "--identified", "-", "--deidentified",
                                                   "samples.csv", "--k", "2", "--out", "r.csv"))
        # A sample where nobody is named: somebody's list is not truthful.
        self.file("liar.csv", SAMPLES + "H3,cccc\n")
        self.error("trails", "protect", "--identified", "people.csv", "--deidentified", "liar.csv", "--k", "2",
                   "--reserved", "deidentified", "--out", "r.csv")
        self.error("trails", "protect", "--identified", "samples.csv", "--deidentified", "people.csv", "--k", "2",
                   "--reserved", "identified", "--out", "r.csv")

    def test_simulate(self):
        figures = self.result("trails", "simulate", "--runs", "60", "--seed", "5")
        # (1 - 2^-10)^999; 60 worlds spread by 0.015 / sqrt(60)
        self.assertAlmostEqual(figures["mean_share"], (1 - 2 ** -10) ** 999, delta=0.009)
        self.assertAlmostEqual(figures["entropy_bits"], 10, delta=0.1)
        self.assertEqual(figures["mean_share"], self.result("trails", "simulate", "--runs", "60", "--seed", "5",
                                                            "--threads", "1")["mean_share"])

    def test_simulated_world_attacked_gives_the_simulated_share(self):
        world = self.world(subjects="300", access="zipf:0.4", locations="10")
        simulated = self.result("trails", "simulate", "--subjects", "300", "--locations", "10", "--access",
                                "zipf:0.4", "--runs", "1", "--seed", "3")
        attacked = self.result("trails", "attack", "--identified", world["people"], "--deidentified",
                               world["samples"], "--algorithm", "complete", "--truth", "world/truth.csv")
        self.assertEqual(attacked["truth"]["false"], 0)
        self.assertAlmostEqual(attacked["reidentified"] / 300, simulated["mean_share"])

    def test_grid(self):
        figures = self.result("trails", "simulate", "--grid", "--from", "3", "--to", "5", "--subjects", "60", "--runs",
                              "2", "--seed", "1", "--out", "grid.csv")
        self.assertEqual(figures["points"], 2 * 3 * 10)
        self.assertEqual(len(figures["curves"]), 2 * 3)
        points = self.rows("grid.csv")
        self.assertEqual(len(points), 60)
        curve = [float(point["mean_share"]) for point in points
                 if (point["access"], point["locations"]) == ("zipf", "5")]
        stated = next(c for c in figures["curves"] if (c["access"], c["locations"]) == ("zipf", 5))
        self.assertAlmostEqual(stated["maximum"], max(curve), places=5)
        self.assertAlmostEqual(stated["area"], sum(a + b for a, b in zip(curve, curve[1:])) / 20, places=5)
        for name in ("curves.csv", "area.svg", "shape.svg", "shift.svg", "maximum.svg", "uniform.svg", "zipf.svg"):
            self.assertTrue((self.path / f"grid.{name}").stat().st_size > 100, name)

    def test_simulate_errors(self):
        for access in ("uniform", "uniform:2", "zipf:-1", "pareto:1", "zipf:x", "zipf:1:2", "uniform:0.5:1", "zipf:"):
            self.assertIn("--access", self.error("trails", "simulate", "--access", access))
        self.assertIn("--grid", self.error("trails", "simulate", "--out", "x.csv"))
        self.assertIn("--world", self.error("trails", "simulate", "--grid", "--world", "x"))


if __name__ == "__main__":
    unittest.main()
