#!/usr/bin/env python3
"""Repeats docs/studies/codes.md: codes.py PROGRAM FOLDER [small]

Prints the table as Markdown. Files go to FOLDER. With `small`, the world is so small that it takes seconds: the table then
says nothing."""
import collections
import csv
import pathlib
import random
import sys

from study import SMALL, run

FOLDER = pathlib.Path(sys.argv[2])
POPULATION, SAMPLE = (1000, 100) if SMALL else (50000, 2762)
SHARES = (0.005, 0.01, 0.02, 0.05, 0.25)


def read_sets(path):
    sets = collections.defaultdict(set)
    with open(path, newline="") as file:
        for row in csv.DictReader(file):
            sets[row["patient"]].add(row["code"])
    return sets


def write_sets(path, sets):
    """Who has no code left is not released, and cannot be looked for."""
    with open(path, "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["patient", "code"])
        for patient, codes in sets.items():
            writer.writerows([patient, code] for code in sorted(codes))
    return path


def three_digits(sets):
    return {patient: {code.split(".")[0] for code in codes} for patient, codes in sets.items()}


def without_rare(sets, share, population):
    """Only the codes that more than this share of the sample has; from the population, too."""
    counts = collections.Counter(code for codes in sets.values() for code in codes)
    kept = {code for code, count in counts.items() if count > share * len(sets)}

    def thinned(everybody):
        return {patient: codes & kept for patient, codes in everybody.items() if codes & kept}
    return thinned(sets), thinned(population), len(kept)


def row(what, sample, population, all_codes):
    codes = {code for codes in sample.values() for code in codes}
    if not sample:
        return [what, 0, 0, "-", "-", "-", "-"]
    figures = run("codes", "assess", write_sets(FOLDER / "sample.csv", sample), "--population",
                  write_sets(FOLDER / "population.csv", population), "--seed", 1)
    # Of all who were in the sample, whoever lost all codes is not singled out.
    left = len(sample) / SAMPLE
    shares = [figures["unique_all"], figures["unique_m"]["2"], figures["unique_set"]]
    kept = sum(map(len, sample.values())) / all_codes
    return [what, len(codes), len(sample), f"{100 * kept:.1f} %"] + [f"{100 * left * share:.1f} %" for share in shares]


def main():
    world = FOLDER / "world"
    run("generate", "consortium", "--hospitals", 20, "--patients", POPULATION, "--seed", 1, "--out", world)
    population = read_sets(world / "codes.csv")
    chosen = random.Random(2010).sample(sorted(population), SAMPLE)
    sample = {patient: population[patient] for patient in chosen}
    all_codes = sum(map(len, sample.values()))
    rows = [row("as they are", sample, population, all_codes)]
    general, general_population = three_digits(sample), three_digits(population)
    rows.append(row("three digits", general, general_population, all_codes))
    for share in SHARES:
        thin, thin_population, _ = without_rare(sample, share, population)
        rows.append(row(f"codes of at most {100 * share:g} % removed", thin, thin_population, all_codes))
    for share in SHARES:
        thin, thin_population, _ = without_rare(general, share, general_population)
        rows.append(row(f"three digits, and those of at most {100 * share:g} % removed", thin, thin_population, all_codes))
    header = ["sample", "codes", "patients left", "occurrences kept", "singled out by all codes", "by some 2",
              "by the whole set"]
    print("| " + " | ".join(header) + " |\n|" + "---|" * len(header))
    for cells in rows:
        print("| " + " | ".join(str(cell) for cell in cells) + " |")
    print()
    raw = write_sets(FOLDER / "raw.csv", sample)
    rows = []
    for model in (["--model", "km", "--k", "5", "--m", "2"], ["--model", "complete", "--k", "5"]):
        made = run("codes", "protect", raw, "--hierarchy", "icd9", *model, "--seed", 1, "--out", FOLDER / "out.csv", "--force")
        rows.append([f"`{' '.join(model)}`", f"{made['metrics']['ncp']:.3f}",
                     *(f"{100 * made['after'][known]['reidentified'] / SAMPLE:.1f} %"
                       for known in ("all_codes_known", "m_codes_known")),
                     f"{100 * made['after']['whole_set_known']['named'] / SAMPLE:.1f} %"])
    header = ["release", "NCP", "found by all codes", "by the 2 rarest", "named by the whole set"]
    print("| " + " | ".join(header) + " |\n|" + "---|" * len(header))
    for cells in rows:
        print("| " + " | ".join(str(cell) for cell in cells) + " |")


main()
