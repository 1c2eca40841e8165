#!/usr/bin/env python3
"""Repeats docs/studies/trails.md: trails.py PROGRAM FOLDER [small] [grid|allocation|differences|rates|secure|sparse|
losses|scaling|copies ...]

Prints the tables as Markdown. Files go to FOLDER. With `small`, worlds are so small and so few that it takes seconds: the
tables then say nothing."""
import math
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


def beyond(t, freedom):
    """The probability that Student's t is as far from 0: the incomplete beta function by its continued fraction (Lentz)."""
    x, a, b = freedom / (freedom + t * t), freedom / 2, 0.5
    if x >= 1:
        return 1.0
    front = math.exp(math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log(1 - x))
    if x > (a + 1) / (a + b + 2):
        return 1 - front / b * fraction(1 - x, b, a)
    return front / a * fraction(x, a, b)


def fraction(x, a, b):
    tiny = 1e-300
    c, d = 1.0, 1 / (1 - (a + b) * x / (a + 1) or tiny)
    value = d
    for m in range(1, 500):
        for step in (m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
                     -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))):
            d = 1 / (1 + step * d or tiny)
            c = 1 + step / c or tiny
            value *= c * d
        if abs(c * d - 1) < 1e-14:
            break
    return value


def better(one, other, runs):
    """Welch's t-test at 99 %: 1 where the first mean is larger, -1 where the second is, 0 where chance may be."""
    spread = (one["deviation"] ** 2 + other["deviation"] ** 2) / runs
    difference = one["mean"] - other["mean"]
    if difference == 0:
        return 0
    if spread == 0:
        return 1 if difference > 0 else -1
    freedom = spread ** 2 / sum((side["deviation"] ** 2 / runs) ** 2 / (runs - 1) for side in (one, other))
    return 0 if beyond(difference / math.sqrt(spread), freedom) >= 0.01 else (1 if difference > 0 else -1)


def ranges(numbers):
    """2-5, 8: the numbers of an ascending list."""
    text = []
    for number in numbers:
        if text and text[-1][1] == number - 1:
            text[-1][1] = number
        else:
            text.append([number, number])
    return ", ".join(f"{a}" if a == b else f"{a}-{b}" for a, b in text) or "none"


def differences():
    """Figures 9.2(b), 9.5(b) and 9.6(b)."""
    # Tables have t = 2.4922 at 24 degrees for 0.02 on both sides, 63.657 at 1 for 0.01, 2.5758 at infinity for 0.01.
    assert all(abs(beyond(t, n) - p) < 1e-5 for t, n, p in ((2.492159, 24, 0.02), (63.65674, 1, 0.01), (2.575836, 1e7, 0.01)))
    worlds = {"uniform 0.5, 1,000 x 100": world("uniform", 1000, 100, "uniform:0.5"),
              "Zipf 1 from 0.25, 1,149 x 174": world("secure", 1149, 174, "zipf:1:0.25")}
    runs, largest = (3, 4) if SMALL else (25, 60)
    rows = []
    for name, lists in worlds.items():
        scores = {"samples": {}, "locations": {}}
        for k in range(2, largest + 1):
            greedy, force = [protect(lists, k, method, "--runs", runs)["runs"] for method in ("greedy", "force")]
            for what, score in scores.items():
                score[k] = better(greedy[what], force[what], runs)
        for what, score in scores.items():
            rows.append([name, what] + [ranges([k for k in score if score[k] == wanted]) for wanted in (1, -1, 0)])
    table(["world", "of", "Greedy-Dedup better at k", "Force-Dedup better at k", "no difference at k"], rows)


def rates():
    """Figure 9.3."""
    lists = world("secure", 1149, 174, "zipf:1:0.25")
    rows, points = [], {}
    for k in range(2, 6) if SMALL else (2, 3, 5, 10, 20, 30, 40, 60, 80, 100, 120, 140, 159):
        linked = run("attack", *lists, "--algorithm", "incomplete", "--reserved", "deidentified", "--k", k)
        disclosed = protect(lists, k, "force", "--runs", 2 if SMALL else 25)
        points[k] = (linked["k_reidentified"] / linked["deidentified"],
                     disclosed["runs"]["samples"]["mean"] / disclosed["samples_in"])
        rows.append([k] + [f"{100 * share:.1f} %" for share in points[k]])
    table(["k", "k-re-identified before", "disclosed by Force-Dedup"], rows)
    first, last = points[min(points)], points[max(points)]
    print(f"From k = {min(points)} to {max(points)}, {100 * (last[0] - first[0]):.1f} points more are re-identified and "
          f"{100 * (first[1] - last[1]):.1f} points fewer disclosed.\n")


# Table 5.1: patients, hospitals, mean number of hospitals per patient. Then tables 9.5 and 9.6: locations that
# Force-Dedup-Secure loses against Force-Dedup at k = 2 and 5, in % of those that disclose.
DISEASES = {"CF": (1149, 174, 1.80, 14.60, 10.97), "FA": (129, 105, 1.70, 41.03, 25.00), "HD": (419, 172, 1.80, 19.17, 7.84),
            "HT": (429, 159, 1.79, 19.13, 7.41), "PK": (77, 57, 1.59, 33.33, 50.00), "RD": (4, 8, 2.0, 0, 0),
            "SC": (7730, 207, 2.38, 3.80, 3.87), "TS": (220, 119, 2.07, 14.52, 13.04)}


def like_disease(patients, hospitals, visits):
    """Subjects and share for a Zipf world in which so many are seen, at so many hospitals on average."""
    def mean(share):
        chances = [share / rank for rank in range(1, hospitals + 1)]
        return sum(chances) / (1 - math.prod(1 - chance for chance in chances))
    low, high = 1e-6, 1.0
    while high - low > 1e-6:
        middle = (low + high) / 2
        low, high = (middle, high) if mean(middle) < visits else (low, middle)
    seen = 1 - math.prod(1 - low / rank for rank in range(1, hospitals + 1))
    return round(patients / seen), round(low, 4)


def losses():
    """Tables 9.5 and 9.6."""
    rows = {2: [], 5: []}
    for disease, (patients, hospitals, visits, *thesis) in DISEASES.items():
        subjects, share = like_disease(patients, hospitals, visits)
        if SMALL and patients > 200:
            continue
        name = FOLDER / disease
        run("simulate", "--subjects", subjects, "--locations", hospitals, "--access", f"zipf:1:{share}", "--runs", 1, "--world",
            name, *SEED)
        lists = ["--identified", name / "identified.csv", "--deidentified", name / "deidentified.csv"]
        for k, lost_there in zip(rows, thesis):
            runs = ["--runs", 1 if SMALL else 5]
            plain, strict, best = [protect(lists, k, *how, *runs) for how in (("force",), ("force", "--secure"),
                                                                              ("best", "--secure", "--maximise", "locations"))]
            before, after = [found["runs"]["locations"]["mean"] for found in (plain, strict)]
            rows[k].append([disease, plain["samples_in"], hospitals, f"{before:.1f}", f"{after:.1f}", f"{before - after:.1f}",
                            f"{100 * (before - after) / before:.1f} %" if before else "-", f"{lost_there:.1f} %",
                            best["locations_out"]])
    for k, lines in rows.items():
        print(f"k = {k}\n")
        table(["like", "people seen", "locations", "force", "force, secure", "lost", "decrease", "in the thesis", "best, secure"],
              lines)


def scaling():
    """Figure 5.9: at the rates of one world's lists, more people and more locations."""
    FOLDER.joinpath("rates").mkdir(exist_ok=True)
    subjects, share = (40, 0.3) if SMALL else (1000, 0.3)
    run("simulate", "--subjects", subjects, "--locations", 24, "--access", f"zipf:0.5:{share}", "--missing", 0.3, "--runs", 1,
        "--world", FOLDER / "rates", *SEED)
    like = ["--like", FOLDER / "rates" / "identified.csv", "--like-samples", FOLDER / "rates" / "deidentified.csv"]
    sizes = (20, 40) if SMALL else (100, 1000, 10000)
    rows = []
    for times in (1, 2, 3):
        shares = [run("simulate", *like, "--times", times, "--subjects", size, "--algorithm", "incomplete", "--runs",
                      2 if SMALL else 5, *SEED)["mean_share"] for size in sizes]
        slope = (shares[-1] - shares[0]) / (math.log10(sizes[-1]) - math.log10(sizes[0]))
        rows.append([24 * times] + [f"{100 * share:.1f} %" for share in shares] + [f"{slope:.2f}"])
    table(["locations"] + [f"{size:,} people" for size in sizes] + ["slope per tenfold"], rows)


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


def sparse_by(what):
    """Worlds in which hardly anybody shares a location, so that secure disclosure is nearly impossible."""
    rows, objective = [], ["--secure", "--maximise", what]
    for subjects in (30,) if SMALL else (100, 300):
        for locations in (10,) if SMALL else (50, 100):
            for access in (0.1,) if SMALL else (0.02, 0.03, 0.05):
                sums = dict.fromkeys(("worlds", "force", "best", "refused", "worse", "more", "by force", "by best", "bound"), 0)
                for seed in range(1, 4 if SMALL else 9):
                    name = FOLDER / "sparse-world"
                    run("simulate", "--subjects", subjects, "--locations", locations, "--access", f"uniform:{access}", "--runs", 1,
                        "--world", name, "--seed", seed, "--force")
                    lists = ["--identified", name / "identified.csv", "--deidentified", name / "deidentified.csv"]
                    force, best = [run("protect", *lists, "--k", 3, "--method", method, *objective, "--out", FOLDER / "released.csv",
                                       "--seed", seed) for method in ("force", "best")]
                    # What has priority, then the other.
                    reached = [tuple(found[f"{each}_out"] for each in dict.fromkeys((what, "samples", "locations")))
                               for found in (force, best)]
                    sums["worlds"] += 1
                    sums["force"] += reached[0][0] > 0
                    sums["best"] += reached[1][0] > 0
                    sums["refused"] += reached[0][0] > 0 and reached[1][0] == 0
                    sums["worse"] += reached[1] < reached[0]
                    sums["more"] += reached[1] > reached[0]
                    sums["by force"] += reached[0][0]
                    sums["by best"] += reached[1][0]
                    sums["bound"] += force["bound"][what]
                rows.append([subjects, locations, access, *sums.values()])
    print(f"--maximise {what}\n")
    table(["people", "locations", "access", "worlds", "force discloses", "best discloses", "only force", "best worse",
           "best better", f"{what}, force", f"{what}, best", "bound"], rows)


def sparse():
    for what in ("samples", "locations"):
        sparse_by(what)


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
    for part in [part for part in sys.argv[3:] if part != "small"] or ("grid", "allocation", "differences", "rates",
                                                                       "secure", "sparse", "losses", "scaling",
                                                                       "copies"):
        globals()[part]()
