#!/usr/bin/env python3
"""fusion web, rules and fred as a user meets them. Run by ctest as: fusion_web_test.py PROGRAM"""
import collections
import os
import random
import stat
import statistics
import unittest

from program_in_folder import ProgramInFolder

RULES = """FUNCTION_BLOCK income
VAR_INPUT valuation : REAL; holdings : REAL; END_VAR
VAR_OUTPUT income : REAL; END_VAR
FUZZIFY valuation TERM low := (1, 1) (10, 0); TERM high := (1, 0) (10, 1); END_FUZZIFY
FUZZIFY holdings TERM small := (500, 1) (5500, 0); TERM large := (500, 0) (5500, 1); END_FUZZIFY
DEFUZZIFY income
  TERM low := 40000; TERM medium := 70000; TERM high := 100000;
  METHOD : COGS; DEFAULT := 70000;
END_DEFUZZIFY
RULEBLOCK all
  RULE 1 : IF valuation IS low AND holdings IS small THEN income IS low;
  RULE 2 : IF valuation IS low AND holdings IS large THEN income IS medium;
  RULE 3 : IF valuation IS high AND holdings IS small THEN income IS medium;
  RULE 4 : IF valuation IS high AND holdings IS large THEN income IS high;
END_RULEBLOCK
END_FUNCTION_BLOCK
"""

# Tables 4.1 and 4.3 of Ganta's thesis, the release of table 4.2 in our notation.
PEOPLE = """name,visits,spending,valuation,income
Alice,8,7,4,91250
Bob,5,4,4,74340
Christine,4,5,5,75123
Robert,9,8,9,98230
"""
RELEASE = """name,visits,spending,valuation
Alice,5..10,5..10,1..5
Bob,5..10,1..5,1..5
Christine,1..5,1..5,1..5
Robert,5..10,5..10,5..10
"""
FACTS = """name,employment,holdings
Alice,CEO,3560
Bob,Manager,1200
Christina,Assistant,720
Robert,CEO,5430
"""


def csv_text(header, rows):
    return header + "\n" + "".join(",".join(map(str, row)) + "\n" for row in rows)


class FusionTest(ProgramInFolder):
    def setUp(self):
        super().setUp()
        self.file("rules.fcl", RULES)
        self.file("people.csv", PEOPLE)
        self.file("release.csv", RELEASE)
        self.file("facts.csv", FACTS)

    def error(self, *arguments, **options):
        text = super().error(*arguments, **options)
        self.assertIn("hint:", text)
        return text

    def world(self, people=300):
        """A table in which income goes with valuation and, more, with holdings."""
        chance = random.Random(7)
        rows, facts = [], []
        for i in range(people):
            valuation, holdings = chance.randint(1, 10), chance.randint(500, 5500)
            income = 30000 + 2500 * valuation + 9 * holdings + chance.randint(-2000, 2000)
            name = "Ann " + "".join(chance.choices("bcdfghklmnprst", k=12))
            rows.append((name, valuation, chance.randint(1, 10), income))
            if i % 5:
                facts.append((name, holdings))
        self.file("private.csv", csv_text("name,valuation,visits,income", rows))
        self.file("web.csv", csv_text("name,holdings", facts))
        return rows, facts

    def web(self, *more, **options):
        return self.result("fusion", "web", "--release", "release.csv", "--auxiliary", "facts.csv", "--key", "name",
                           "--target", "income", "--rules", "rules.fcl", *more, **options)

    def fred(self, *more, tp="2e8", tu="1e-5", **options):
        return self.result("fusion", "fred", "private.csv", "--key", "name", "--qi", "valuation,visits", "--target",
                           "income", "--rules", "rules.fcl", "--tp", tp, "--tu", tu, "--seed", "1", "--out",
                           "out.csv", *more, **options)


class WebTest(FusionTest):
    def test_the_thesis_table_by_hand(self):
        self.file("rules.fcl", RULES.replace("DEFAULT := 70000;", ""))
        figures = self.web("--truth", "people.csv", "--likeness", "0.9", "--out", "estimates.csv")
        self.assertEqual((figures["people"], figures["matched"], figures["matched_exactly"], figures["ambiguous"]),
                         (4, 4, 3, 0))
        self.assertEqual(figures["scored"], 4)
        # valuation 1..5 is low to the degree 1 and high to 4/9; 5..10 low to 5/9 and high to 1.
        # holdings h is large to (h - 500) / 5000. AND is the minimum; two rules say medium.
        estimates = {row["name"]: float(row["estimate"]) for row in self.rows("estimates.csv")}
        self.assertEqual(figures["strongest"], "rules")
        for name, (low, high), holdings in (("Alice", (1, 4 / 9), 3560), ("Bob", (1, 4 / 9), 1200),
                                            ("Christine", (1, 4 / 9), 720), ("Robert", (5 / 9, 1), 5430)):
            large = (holdings - 500) / 5000
            rules = {40000: min(low, 1 - large), 70000: max(min(low, large), min(high, 1 - large)),
                     100000: min(high, large)}
            by_hand = sum(value * degree for value, degree in rules.items()) / sum(rules.values())
            self.assertAlmostEqual(estimates[name], by_hand, delta=0.5)
        truth = {"Alice": 91250, "Bob": 74340, "Christine": 75123, "Robert": 98230}
        after = sum((estimates[name] - truth[name]) ** 2 for name in truth) / 4
        self.assertAlmostEqual(figures["dissimilarity_after"] / after, 1, places=3)
        self.assertAlmostEqual(figures["information_gain"],
                               figures["dissimilarity_before"] - figures["dissimilarity_after"])
        near = sum(abs(estimates[name] - truth[name]) <= 0.1 * truth[name] for name in truth) / 4
        self.assertEqual(figures["within_10_percent"], near)

    def test_estimates_are_for_their_owner_alone(self):
        self.web("--out", "estimates.csv")
        self.assertEqual(stat.S_IMODE(os.stat(self.path / "estimates.csv").st_mode), 0o600)
        done = self.run_program("fusion", "web", "--release", "release.csv", "--auxiliary", "facts.csv", "--key",
                                "name", "--target", "income", "--rules", "rules.fcl")
        for name in ("Alice", "Bob", "Robert"):
            self.assertNotIn(name, done.stdout.decode() + done.stderr.decode())

    def test_without_truth_there_are_no_figures(self):
        figures = self.web()
        self.assertEqual(figures["scored"], 0)
        for key in ("dissimilarity_before", "dissimilarity_after", "information_gain", "within_5_percent",
                    "within_10_percent", "rank_correlation"):
            self.assertIsNone(figures[key])

    def test_a_sample_makes_a_stronger_adversary(self):
        rows, _ = self.world()
        self.file("release.csv", csv_text("name,valuation", ((name, value) for name, value, _, _ in rows)))
        self.file("sample.csv", csv_text("name,income", ((row[0], row[3]) for row in rows[::4])))
        os.rename(self.path / "web.csv", self.path / "facts.csv")
        plain = self.web("--truth", "private.csv")
        self.assertEqual(plain["matched"], 240)
        self.assertGreater(plain["information_gain"], 0)
        learned = self.web("--truth", "private.csv", "--learn", "sample.csv")
        self.assertEqual((learned["sample"], learned["scored"]), (75, 225))
        by_name = {row["adversary"]: row for row in learned["adversaries"]}
        self.assertEqual(list(by_name), ["rules", "rules-average", "guess", "tuned-rules", "regression"])
        self.assertEqual(learned["dissimilarity_after"], min(row["dissimilarity_after"] for row in by_name.values()))
        self.assertEqual(learned["dissimilarity_before"], min(row["dissimilarity_before"] for row in by_name.values()))
        self.assertLess(by_name["tuned-rules"]["dissimilarity_after"], by_name["rules"]["dissimilarity_after"])
        self.assertLess(learned["dissimilarity_after"], plain["dissimilarity_after"])
        self.assertEqual(self.web("--truth", "private.csv", "--learn", "sample.csv", "--fail-above", "0.01",
                                  exit_code=1)["matched"], 240)

    def test_bad_input_is_named(self):
        web = ["fusion", "web", "--release", "release.csv", "--auxiliary", "facts.csv", "--key", "name", "--target",
               "income"]
        self.file("bad.fcl", RULES.replace("valuation IS low AND holdings IS small", "valuation IS lo", 1))
        text = self.error(*web, "--rules", "bad.fcl")
        self.assertIn("bad.fcl:11:28", text)
        self.assertIn("Did you mean low?", text)
        self.file("other.fcl", RULES.replace("holdings", "holding"))
        self.assertIn("Did you mean holdings?", self.error(*web, "--rules", "other.fcl"))
        self.assertIn("no output 'salary'", self.error(*web[:-1], "salary", "--rules", "rules.fcl"))
        self.assertIn("names", self.error(*web[:7], "names", "--target", "income", "--rules", "rules.fcl"))
        self.file("words.csv", "name,income\nAlice,much\n")
        text = self.error(*web, "--rules", "rules.fcl", "--truth", "words.csv")
        self.assertIn("not numbers", text)
        self.assertNotIn("much", text)
        self.file("strangers.csv", "name,income\nZoe,1\n")
        self.assertIn("--truth-key", self.error(*web, "--rules", "rules.fcl", "--truth", "strangers.csv"))
        self.assertIn("fewer than two", self.error(*web, "--rules", "rules.fcl", "--learn", "strangers.csv"))
        self.assertIn("same file", self.error(*web, "--rules", "rules.fcl", "--out", "release.csv"))
        self.assertIn("same file", self.error(*web, "--rules", "rules.fcl", "--out", "rules.fcl"))


class RulesTest(FusionTest):
    def test_a_draft_is_a_rule_file(self):
        self.world()
        draft = self.result("fusion", "rules", "--from", "private.csv", "--auxiliary", "web.csv", "--key", "name",
                            "--target", "income", "--inputs", "valuation,holdings", "--out", "draft.fcl")
        self.assertEqual((draft["matched"], draft["rows_used"], draft["inputs"]), (240, 240, ["valuation", "holdings"]))
        self.assertEqual(stat.S_IMODE(os.stat(self.path / "draft.fcl").st_mode), 0o600)
        drafted = self.result("fusion", "web", "--release", "private.csv", "--auxiliary", "web.csv", "--key", "name",
                              "--target", "income", "--rules", "draft.fcl")
        self.assertLess(drafted["dissimilarity_after"], 0.5 * drafted["variance_of_target"])
        tuned = self.result("fusion", "rules", "--from", "private.csv", "--auxiliary", "web.csv", "--key", "name",
                            "--target", "income", "--tune")
        self.assertEqual(tuned["inputs"], ["valuation", "visits", "holdings"])
        self.assertLess(tuned["squared_error_tuned"], tuned["squared_error_drafted"])
        self.assertTrue(tuned["fcl"].startswith("(* Drafted by pratique"))
        again = self.result("fusion", "rules", "--from", "private.csv", "--auxiliary", "web.csv", "--key", "name",
                            "--target", "income", "--tune")
        self.assertEqual(again["fcl"], tuned["fcl"])

    def test_bad_input_is_named(self):
        self.assertIn("needs --key", self.error("fusion", "rules", "--from", "people.csv", "--target", "income",
                                                "--auxiliary", "facts.csv"))
        self.assertIn("no numbers", self.error("fusion", "rules", "--from", "people.csv", "--target", "name"))
        self.assertIn("valuaton", self.error("fusion", "rules", "--from", "people.csv", "--target", "income",
                                             "--inputs", "valuaton"))


class FredTest(FusionTest):
    def test_a_name_in_two_spellings_is_asked_about(self):
        rows, _ = self.world()
        self.file("private.csv", (self.path / "private.csv").read_text() + ",".join(map(str, (rows[0][0].upper() + " ", *rows[0][1:]))) + "\n")
        self.assertIn("'name' repeats", self.error("fusion", "fred", "private.csv", "--auxiliary", "web.csv", "--key", "name", "--target",
                                                   "income", "--qi", "valuation,visits", "--rules", "rules.fcl", "--tp", "0", "--tu",
                                                   "1e-4", "--out", "out.csv"))

    def test_names_stay_and_the_target_goes(self):
        rows, _ = self.world()
        for method in ("microaggregate", "mondrian"):
            result = self.fred("--auxiliary", "web.csv", "--method", method, tp="0", tu="1e-4")
            released = self.rows("out.csv")
            self.assertEqual(list(released[0]), ["name", "valuation", "visits"])
            self.assertEqual(sorted(row["name"] for row in released), sorted(row[0] for row in rows))
            classes = collections.Counter((row["valuation"], row["visits"]) for row in released)
            self.assertGreaterEqual(min(classes.values()), result["k_opt"])
            self.assertTrue(self.result("verify", "out.csv")["holds"])
            best = max((level for level in result["levels"] if level["admitted"]), key=lambda level: level["h"])
            self.assertEqual(best["k"], result["k_opt"])
            self.assertEqual([level["k"] for level in result["levels"]], list(range(2, 2 + len(result["levels"]))))
            # The figures of the level are those of the file that left.
            sizes = [classes[row["valuation"], row["visits"]] for row in released]
            self.assertAlmostEqual(best["utility"], 1 / sum(sizes))
            mean_square = sum(size ** -2 for size in sizes) / len(sizes)
            self.assertAlmostEqual(best["h"], 0.5 * best["dissimilarity"] + 0.5 * mean_square, places=4)
            self.assertAlmostEqual(best["weighted_sum"], 0.5 * best["dissimilarity"] + 0.5 / sum(sizes), places=4)
            attacked = self.result("fusion", "web", "--release", "out.csv", "--auxiliary", "web.csv", "--key", "name",
                                   "--target", "income", "--rules", "rules.fcl", "--truth", "private.csv")
            for key in ("dissimilarity_before", "dissimilarity_after"):
                self.assertAlmostEqual(attacked[key] / best[key], 1, places=9)
                self.assertAlmostEqual(result["released"][key] / best[key], 1, places=9)
            incomes = [row[3] for row in rows]
            variance = statistics.pvariance(incomes)
            self.assertAlmostEqual(result["variance_of_target"] / variance, 1, places=9)
            for level in result["levels"]:
                least = min(level["dissimilarity_before"], level["dissimilarity_after"], variance)
                self.assertAlmostEqual(level["dissimilarity"] / least, 1, places=9)
            self.assertLess(result["as_it_is"]["dissimilarity_after"], best["dissimilarity"])
            # 300 people in classes of k or more have a utility of at most 1 / (300 k), 1e-4 at k = 33.3.
            self.assertEqual(len(result["levels"]), 32)
            self.assertIn(f"k = {result['k_opt']}", result["choice"])
            for level in result["levels"]:
                self.assertEqual(level["admitted"], level["utility"] >= 1e-4)

    def test_a_column_that_stays_may_tell_the_target(self):
        rows, _ = self.world()
        private = (self.path / "private.csv").read_text().splitlines()
        incomes = {row[0]: row[3] for row in rows}
        names = [line.split(",")[0] for line in private[1:]]
        bands = {name: int(incomes[name] // 10000) for name in names}
        self.file("private.csv", "\n".join([private[0] + ",band"] + [f"{line},{bands[line.split(',')[0]]}" for line in private[1:]]))
        groups = collections.defaultdict(list)
        for name in names:
            groups[bands[name]].append(incomes[name])

        def off(name):
            others = list(groups[bands[name]])
            others.remove(incomes[name])
            if not others:
                others = [incomes[other] for other in names if other != name]
            return (incomes[name] - statistics.mean(others)) ** 2

        by_band = statistics.mean(off(name) for name in names)
        result = self.fred("--auxiliary", "web.csv", "--insensitive", "band", tp="0", tu="1e-4")
        for level in result["levels"]:
            self.assertLessEqual(level["dissimilarity"], by_band * (1 + 1e-9))
        refused = self.fred("--auxiliary", "web.csv", "--insensitive", "band", "--force", tp=str(by_band * 1.01), tu="1e-4",
                            exit_code=1)
        self.assertIsNone(refused["k_opt"])

    def test_the_same_seed_gives_the_same_bytes(self):
        self.world()
        self.fred("--auxiliary", "web.csv", "--k-max", "6", tp="0")
        first = (self.path / "out.csv").read_bytes()
        self.fred("--auxiliary", "web.csv", "--k-max", "6", "--threads", "1", tp="0")
        self.assertEqual((self.path / "out.csv").read_bytes(), first)

    def test_no_admissible_level(self):
        self.world()
        result = self.fred("--auxiliary", "web.csv", "--k-max", "8", tp="1e12", exit_code=1)
        self.assertIsNone(result["k_opt"])
        self.assertEqual(result["nearest"]["dissimilarity"], max(level["dissimilarity"] for level in result["levels"]))
        self.assertFalse((self.path / "out.csv").exists())
        self.assertFalse((self.path / "out.csv.manifest.json").exists())
        result = self.fred("--auxiliary", "web.csv", tu="1", exit_code=1)
        self.assertEqual(result["nearest"]["k"], 2)

    def test_the_strongest_of_several_sources_counts(self):
        _, facts = self.world()
        self.file("set/all.csv", csv_text("name,holdings", facts))
        self.file("set/few.csv", csv_text("name,holdings", facts[::10]))
        self.file("set/readme.txt", "no table")
        several = self.fred("--attack-set", "set", "--k-max", "4", "--charts", "charts", tp="0")
        self.assertEqual([source["source"] for source in several["sources"]], ["set/all.csv", "set/few.csv"])
        alone = self.fred("--auxiliary", "set/all.csv", "--k-max", "4", tp="0")
        few = self.fred("--auxiliary", "set/few.csv", "--k-max", "4", tp="0")
        for both, full, partial in zip(several["levels"], alone["levels"], few["levels"]):
            self.assertEqual(both["dissimilarity"], min(full["dissimilarity"], partial["dissimilarity"]))
            self.assertEqual(both["source"], "set/all.csv")
        self.assertIn("after fusion", (self.path / "charts" / "dissimilarity.csv").read_text())

    def test_an_adversary_with_a_sample_is_resisted_too(self):
        rows, _ = self.world()
        self.file("sample.csv", csv_text("name,income", ((row[0], row[3]) for row in rows[::3])))
        plain = self.fred("--auxiliary", "web.csv", "--k-max", "3", tp="0")
        learned = self.fred("--auxiliary", "web.csv", "--k-max", "3", "--learn", "sample.csv", tp="0")
        self.assertLess(learned["levels"][0]["dissimilarity"], plain["levels"][0]["dissimilarity"])

    def test_bad_input_is_named(self):
        self.world(20)
        fred = ["fusion", "fred", "private.csv", "--key", "name", "--target", "income", "--rules", "rules.fcl", "--tp",
                "1", "--tu", "0", "--out", "out.csv"]
        self.assertIn("--attack-set", self.error(*fred, "--qi", "valuation,visits"))
        self.assertIn("two roles", self.error(*fred, "--qi", "income", "--auxiliary", "web.csv"))
        self.assertIn("two roles", self.error(*fred, "--qi", "visits", "--id", "name", "--auxiliary", "web.csv"))
        self.assertIn("--qi", self.error(*fred, "--auxiliary", "web.csv"))
        self.assertIn("no .csv", self.error(*fred, "--qi", "valuation,visits", "--attack-set", "tmp"))
        self.assertIn("same file", self.error(*fred[:-1], "web.csv", "--qi", "valuation,visits", "--auxiliary", "web.csv"))
        self.assertIn("'nan' is not a number of at least 0", self.error(*fred, "--qi", "visits", "--auxiliary", "web.csv", "--w1", "nan"))


if __name__ == "__main__":
    unittest.main()
