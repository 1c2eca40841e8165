#!/usr/bin/env python3
"""Repeats docs/studies/trails.md: trails.py PROGRAM FOLDER [small] [grid|allocation|secure|copies ...]

Prints the tables as Markdown. Files go to FOLDER. With `small`, worlds are so small and so few that it takes seconds: the
tables then say nothing."""
import pathlib
import sys

import study
from study import SMALL, table

FOLDER = pathlib.Path(sys.argv[2])
SEED = ["--seed", "2006"]


def run(*arguments):
    # 1: a release that discloses nothing. That is a finding here, with its figures.
    return study.run("trails", *arguments, exits=(0, 1))


def world(name, subjects, locations, access):
    if SMALL:
        subjects, locations = subjects // 10, locations // 10
    arguments = ["--subjects", subjects, "--locations", locations, "--access", access]
    run("simulate", *arguments, "--runs", 1, "--world", FOLDER / name, *SEED)
    return ["--identified", FOLDER / name / "identified.csv", "--deidentified", FOLDER / name / "deidentified.csv"]


def protect(lists, k, method, *arguments):
    return run("protect", *lists, "--k", k, "--method", method, "--out", FOLDER / "released.csv", *SEED, *arguments)


def grid():
    for algorithm, missing, runs in (("complete", 0, 100), ("incomplete", 0.5, 10)):
        out = FOLDER / f"{algorithm}.csv"
        runs = 1 if SMALL else runs
        found = run("simulate", "--grid", "--algorithm", algorithm, "--missing", missing, "--runs", runs, "--out", out,
                    *SEED)
        curves = {(curve["access"], curve["locations"]): curve for curve in found["curves"]}
        print(f"`{algorithm}`, missing {missing}, {found['points'] * runs} worlds in {found['seconds']:.0f} s\n")
        rows = []
        for locations in (3, 5, 8, 10, 12, 15, 18, 20, 25, 30, 40):
            uniform, zipf = curves["uniform", locations], curves["zipf", locations]
            rows.append([locations] + [f"{100 * c['maximum']:.1f} % at {c['maximum_at']}" for c in (uniform, zipf)] +
                        [f"{c['area']:.3f}" for c in (uniform, zipf)] +
                        [f"{c['shape']:.2f}" for c in (uniform, zipf)] +
                        [f"{c['shift']:.1f}" for c in (uniform, zipf)])
        table(["locations", "largest share, uniform", "Zipf", "area, uniform", "Zipf", "shape, uniform", "Zipf",
               "shift, uniform", "Zipf"], rows)
        above = [n for n in range(3, 41) if curves["uniform", n]["maximum"] > curves["zipf", n]["maximum"]]
        area = [n for n in range(3, 41) if curves["zipf", n]["area"] > curves["uniform", n]["area"]]
        print(f"Uniform has the larger maximum at {len(above)} of 38 numbers of locations: {above}")
        print(f"Zipf has the larger area at {len(area)} of 38: {area}\n")


def figure(result, what):
    spread = result["runs"][what]
    return f"{spread['mean']:.1f} ({spread['deviation']:.1f})"


def allocation():
    worlds = {"uniform 0.5, 1,000 x 100": world("uniform", 1000, 100, "uniform:0.5"),
              "uniform 0.02, 1,000 x 100": world("sparse", 1000, 100, "uniform:0.02"),
              "Zipf 1 from 0.25, 1,149 x 174": world("secure", 1149, 174, "zipf:1:0.25")}
    for name, lists in worlds.items():
        print(f"{name}: mean (deviation) of 25 runs\n")
        rows = []
        for k in (2, 5) if SMALL else (2, 5, 10, 20, 50, 100):
            results = [protect(lists, k, method, "--runs", 2 if SMALL else 25) for method in ("greedy", "force", "best")]
            bound = results[0]["bound"]
            rows.append([k] + [figure(r, "locations") for r in results] + [bound["locations"]] +
                        [figure(r, "samples") for r in results] + [bound["samples"]])
        table(["k", "locations, greedy", "force", "best", "bound", "samples, greedy", "force", "best", "bound"], rows)


def correlation(x, y):
    mean_x, mean_y = sum(x) / len(x), sum(y) / len(y)
    xy = sum((a - mean_x) * (b - mean_y) for a, b in zip(x, y))
    return xy * xy / (sum((a - mean_x) ** 2 for a in x) * sum((b - mean_y) ** 2 for b in y))


def secure():
    lists = world("secure", 1149, 174, "zipf:1:0.25")
    runs, largest = (1, 5) if SMALL else (5, 30)
    plain, strict, best = {}, {}, {}
    for k in range(2, largest + 2):
        plain[k] = protect(lists, k, "force", "--runs", runs)["runs"]["samples"]["mean"]
    for k in range(2, largest + 1):
        strict[k] = protect(lists, k, "force", "--secure", "--runs", runs)["runs"]["samples"]["mean"]
    for k in (k for k in (2, 5, 10, 20, 30) if k <= largest):
        best[k] = protect(lists, k, "best", "--secure", "--runs", 1)["samples_out"]
    table(["k", "force", "force at k + 1", "force, secure", "best, secure"],
          [[k, f"{plain[k]:.1f}", f"{plain[k + 1]:.1f}", f"{strict[k]:.1f}", best[k]] for k in best])
    ks = sorted(strict)
    print(f"r2 of secure at k with plain at k + 1: {correlation([plain[k + 1] for k in ks], [strict[k] for k in ks]):.4f}")
    print(f"r2 of secure at k with plain at k: {correlation([plain[k] for k in ks], [strict[k] for k in ks]):.4f}\n")


def copies():
    rows = []
    for name, access in (("uniform", "uniform:0.5"), ("sparse", "uniform:0.02")):
        lists = world(name, 1000, 100, access)
        for k in (2,) if SMALL else (5, 20):
            once, more = protect(lists, k, "best"), protect(lists, k, "best", "--keep-copies")
            rows.append([access, k, once["records_in"], once["records_out"], more["records_out"], more["k_verified"],
                         f"{100 * once['before']['reidentified_share']:.1f} %",
                         f"{100 * more['after']['reidentified_share']:.1f} %"])
    table(["access", "k", "records held", "disclosed once", "with copies", "k verified", "re-identified before", "after"],
          rows)


if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    for part in [part for part in sys.argv[3:] if part != "small"] or ("grid", "allocation", "secure", "copies"):
        globals()[part]()
