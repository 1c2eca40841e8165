#!/usr/bin/env python3
"""Repeats docs/studies/fred.md: fred.py PROGRAM FOLDER [small]

Prints the tables as Markdown. Files go to FOLDER. With `small`, so few tables are drawn that they say nothing."""
import csv
import pathlib
import random
import sys

from study import SMALL, run, table

FOLDER = pathlib.Path(sys.argv[2])
DRAWS = 2 if SMALL else 40
PEOPLE, T_U, KS = 29, 0.0018, range(2, 21)
INPUTS = "valuation,expenditure_index,visit_index,employment"
NAMED = ["--key", "name", "--target", "income"]


def mean(numbers):
    return sum(numbers) / len(numbers)


def fred(people, rules, *thresholds, exits=(0,)):
    return run("fusion", "fred", people, "--auxiliary", FOLDER / "world" / "web_facts.csv", *NAMED, "--qi",
               "visit_index,expenditure_index,valuation", "--id", "member", "--rows-are-people", "--rules", rules, "--seed", 1, "--force", "--out",
               FOLDER / "list.csv", *thresholds, exits=exits)


def main():
    world = FOLDER / "world"
    run("generate", "consortium", "--hospitals", 20, "--patients", 5000, "--seed", 1, "--out", world)
    rules = FOLDER / "rules.fcl"
    run("fusion", "rules", "--from", world / "insurer.csv", "--auxiliary", world / "web_facts.csv", *NAMED, "--inputs", INPUTS,
        "--tune", "--out", rules)
    with open(world / "insurer.csv", encoding="utf-8", newline="") as file:
        members = list(csv.DictReader(file))
    with open(world / "web_facts.csv", encoding="utf-8", newline="") as file:
        on_the_web = {row["name"] for row in csv.DictReader(file)}
    members = [row for row in members if row["name"] in on_the_web]
    chance = random.Random(2009)
    scans, spaces, best = [], [], []
    for _ in range(DRAWS):
        people = FOLDER / "people.csv"
        with open(people, "w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, members[0])
            writer.writeheader()
            writer.writerows(chance.sample(members, PEOPLE))
        levels = {level["k"]: level for level in fred(people, rules, "--tp", 0, "--tu", 0, "--k-max", KS[-1])["levels"]}
        scans.append(levels)
        t_p = levels[7]["dissimilarity"]
        found = fred(people, rules, "--tp", t_p, "--tu", T_U, exits=(0, 1))
        spaces.append([level["k"] for level in found["levels"] if level["admitted"]])
        best.append(found["k_opt"])
    rows = []
    for k in KS:
        at = [levels[k] for levels in scans]
        rows.append([k, f"{mean([a['dissimilarity_before'] for a in at]):.3g}",
                     f"{mean([a['dissimilarity_after'] for a in at]):.3g}", f"{mean([a['gain'] for a in at]):.3g}",
                     f"{mean([a['utility'] for a in at]):.5f}", f"{mean([a['h'] for a in at]):.3g}",
                     f"{sum(a['utility'] >= T_U for a in at)} of {DRAWS}"])
    table(["k", "before fusion (4.3a)", "after (4.3b)", "gain (4.4)", "utility (4.5)", "H (4.6)", f"utility at least {T_U}"],
          rows)
    chosen = [k for k in best if k is not None]
    print(f"Largest k admitted: {max(max(space) for space in spaces if space)}; "
          f"chosen: {min(chosen)} to {max(chosen)}, median {sorted(chosen)[len(chosen) // 2]}; "
          f"the largest admitted was chosen in {sum(space[-1] == k for space, k in zip(spaces, best) if space)} of {DRAWS}\n")


if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    main()
