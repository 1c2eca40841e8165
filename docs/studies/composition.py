#!/usr/bin/env python3
"""Repeats docs/studies/composition.md: composition.py PROGRAM ADULT FOLDER [small] [thesis|cells|resist|overlap|partial|
randomised|diagnoses ...]

ADULT is the folder with UCI Adult and its hierarchies (adult.csv, adult_hierarchy_COLUMN.csv). Prints the tables as
Markdown. Files go to FOLDER. With small, two runs of the first settings of each part, of tables as small as ADULT's."""
import csv
import pathlib
import shutil
import sys

from study import SMALL, run, table

ADULT, FOLDER = pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
QI = ["age", "workclass", "education", "marital-status", "race", "sex", "native-country"]
KS = "5,10" if SMALL else "5,10,15,20"
RUNS = 2 if SMALL else 10
LEVELS = ("1", "0.5", "0.333", "0.25")


def people():
    with open(ADULT / "adult.csv", encoding="utf-8") as file:
        return list(csv.DictReader(file, delimiter=";"))


def simulate(*arguments, data=ADULT / "adult.csv", columns=QI, overlap=min(5000, len(people()) // 6)):
    trees = [flag for column in columns for flag in ("--hierarchy", f"{column}={ADULT}/adult_hierarchy_{column}.csv")]
    found = run("fusion", "compose", "--simulate", "--data", data, "--qi", ",".join(columns), *trees, "--runs", RUNS,
                "--seed", 2009, "--overlap", overlap, *arguments)
    print(f"{len(found['cases'])} cases, {RUNS} runs, {found['seconds']:.0f} s\n", file=sys.stderr)
    return found["cases"]


def percent(share):
    return f"{100 * share:.1f} %"


def mean(numbers):
    return sum(numbers) / len(numbers)


def figures(case, attack="known"):
    """Breach at the four levels, values before and after, size of classes, loss."""
    found = case[attack]
    anonymity = found["effective_anonymity"]
    return [*(percent(found["breach_at"][level]) for level in LEVELS), f"{mean(anonymity['prior']):.2f}",
            f"{anonymity['posterior']:.2f}", f"{found['mean_drop']:.2f}", f"{mean(found['class_size']):.0f}",
            percent(case["loss"])]


FIGURES = ["one value", "at most 2", "3", "4", "values before", "after", "drop", "class", "loss"]


def derived():
    """Adult with a coarser and a finer sensitive attribute beside the occupation."""
    with open(ADULT / "adult_hierarchy_occupation.csv", encoding="utf-8") as file:
        group = {row[0]: row[1] for row in csv.reader(file, delimiter=";")}
    path = FOLDER / "adult.csv"
    with open(path, "w", encoding="utf-8") as out:
        writer = csv.writer(out)
        writer.writerow([*QI, "occupation", "occupation-group", "occupation-and-salary", "salary-class"])
        for row in people():
            job = row["occupation"]
            writer.writerow([*(row[column] for column in QI), job, group[job], f"{job} {row['salary-class']}",
                             row["salary-class"]])
    return path


def thesis():
    models = ("--l", "2", "--t", "0.5") if SMALL else ("--l", "2,3,4,5,6", "--t", "0.3,0.4,0.5")
    cases = simulate("--sensitive", "occupation,occupation-and-salary,occupation-group,salary-class", "--ks", KS, "--methods",
                     "mondrian,microaggregate,mixed", *models, "--releases", "2,3,4", "--out", FOLDER / "figures",
                     data=derived())
    plain = [c for c in cases if c["releases"] == 2 and c["sensitive"] == "occupation" and not c["l"] and not c["t"]]
    print("Figures 3.1 to 3.4\n")
    table(["method", "k", *FIGURES], [[c["method"], c["k"], *figures(c)] for c in plain])
    print("Figures 3.5 and 3.6 (k = 10)\n")
    ten = [c for c in plain if c["method"] == "mondrian" and c["k"] == 10]
    diverse = [c for c in cases if c["l"] or c["t"]]
    table(["beside k", *FIGURES], [["nothing", *figures(c)] for c in ten] + [
        [f"l = {c['l']:g}" if c["l"] else f"t = {c['t']:g}", *(figures(c) if c["runs"] else ["cannot be"])] for c in diverse])
    print("Figure 3.7\n")
    names = ["occupation-and-salary", "occupation", "occupation-group", "salary-class"]
    rows = []
    for name in names:
        mine = {c["k"]: c for c in cases if c["sensitive"] == name and c["method"] == "mondrian" and c["releases"] == 2
                and not c["l"] and not c["t"]}
        rows.append([name, f"{mine[5]['entropy_of_sensitive']:.2f}", *(f"{mine[k]['known']['mean_drop']:.2f}" for k in mine),
                     *(percent(mine[k]["known"]["perfect_breach"]) for k in mine)])
    table(["sensitive", "bits", *(f"drop, k = {k}" for k in KS.split(",")), *(f"one value, k = {k}" for k in KS.split(","))],
          rows)
    print("Figure 3.8\n")
    rows = []
    for count in (2, 3, 4):
        mine = {c["k"]: c for c in cases if c["releases"] == count and c["sensitive"] == "occupation"
                and c["method"] == "mondrian" and not c["l"] and not c["t"]}
        rows.append([count, *(percent(mine[k]["known"]["perfect_breach"]) for k in mine),
                     *(f"{mine[k]['known']['mean_drop']:.2f}" for k in mine)])
    table(["releases", *(f"one value, k = {k}" for k in KS.split(",")), *(f"drop, k = {k}" for k in KS.split(","))], rows)


def cells():
    """What the way of cutting does, and who has to find the class."""
    rows = []
    for recoding in ("labels", "free"):
        for case in simulate("--sensitive", "occupation", "--ks", "5,10", "--methods", "mondrian,microaggregate", "--releases",
                             2, "--recoding", recoding):
            if recoding == "free" and case["method"] == "microaggregate":
                continue
            known, real = case["known"], case["real"]
            rows.append([f"{case['method']}{', ' + recoding if case['method'] == 'mondrian' else ''}", case["k"],
                         percent(known["perfect_breach"]), percent(known["breach_at"]["0.25"]), percent(case["located"]),
                         percent(real["perfect_breach"]), percent(real["correct"]), f"{known['bayes']['confidence']:.3f}",
                         f"{known['bayes']['correct']:.3f}", percent(known["bayes"]["at_0.5"]),
                         f"{real['bayes']['confidence']:.3f}", f"{real['bayes']['correct']:.3f}"])
    table(["method", "k", "one value", "at most 4", "class found", "one value, class to be found", "of these right",
           "belief", "beliefs right", "belief 1/2 or more", "belief, class to be found", "beliefs right"], rows)


def resist():
    """What resists, and what it costs."""
    def row(name, case):
        known = case["known"]
        return [name, percent(known["perfect_breach"]), percent(known["breach_at"]["0.25"]),
                f"{known['effective_anonymity']['posterior']:.2f}", percent(known["bayes"]["correct"]),
                percent(case["loss"])]

    def one(name, *arguments, **more):
        return row(name, simulate(*arguments, "--methods", "mondrian", "--recoding", "free", **more)[0])

    two = ["--releases", 2]
    data = derived()
    rows = [one("k = 5", "--sensitive", "occupation", "--ks", 5, *two)]
    for k in (10,) if SMALL else (10, 20, 50, 100):
        rows.append(one(f"k = {k}", "--sensitive", "occupation", "--ks", k, *two))
    for option, values in (("--l", (3, 5, 7)), ("--t", (0.5, 0.3, 0.2))):
        for value in values[:1] if SMALL else values:
            cases = simulate("--sensitive", "occupation", "--ks", 5, "--diversity-k", 5, option, value, *two, "--methods",
                             "mondrian", "--recoding", "free")
            rows.append(row(f"k = 5, {option[2:]} = {value}", cases[-1]))
    rows.append(one("k = 5, occupation in 3 groups", "--sensitive", "occupation-group", "--ks", 5, *two, data=data))
    for columns in (QI[:4], QI[:2]):
        rows.append(one(f"k = 5, {len(columns)} columns", "--sensitive", "occupation", "--ks", 5, *two, columns=columns))
    rows.append(one("k = 5, one release of everybody", "--sensitive", "occupation", "--ks", 5, "--releases", 1))
    rows.append(one("k = 10, one release of everybody", "--sensitive", "occupation", "--ks", 10, "--releases", 1))
    table(["releases", "one value", "at most 4", "values left", "best guess right", "loss"], rows)


def overlap():
    rows = []
    everybody = len(people())
    for both in (everybody // 6, everybody // 3) if SMALL else (1000, 5000, 10000, 15000, 20000):
        case = simulate("--sensitive", "occupation", "--ks", 5, "--methods", "mondrian", overlap=both)[0]
        rows.append([both, (everybody - both) // 2 + both, *figures(case)])
    table(["in both", "in each", *FIGURES], rows)


def halves():
    """Two overlapping parts of the table, who is in both, and people of whom half are in the second."""
    rows = people()
    third = min(10000, len(rows) // 3)
    parts = {"first": rows[:2 * third], "second": rows[third:], "both": rows[third:2 * third],
             "half": rows[third // 2:3 * third // 2]}
    for name, part in parts.items():
        with open(FOLDER / f"{name}.csv", "w", encoding="utf-8") as out:
            writer = csv.DictWriter(out, [*QI, "occupation"], extrasaction="ignore")
            writer.writeheader()
            writer.writerows(part)


def partial():
    """Who may not be in a release: two releases of everybody's halves."""
    halves()
    for name in ("first", "second"):
        run("tables", "protect", FOLDER / f"{name}.csv", "--qi", ",".join(QI), "--sensitive", "occupation", "--method",
            "mondrian", "--k", 5, "--seed", 1, "--out", FOLDER / f"{name}-released.csv")
    releases = ["--release", FOLDER / "first-released.csv", "--release", FOLDER / "second-released.csv"]
    table_rows = []
    for targets, name, flags in (("all in both", "both", ()), ("half of them in the second", "half", ()),
                                 ("half of them in the second", "half", ("--overlap-probability", "2:0.5"))):
        found = run("fusion", "compose", *releases, "--targets", FOLDER / f"{name}.csv", "--qi", ",".join(QI), "--sensitive",
                    "occupation", "--truth-column", "occupation", *flags)
        bayes = found["bayes"]
        table_rows.append([targets, flags[1] if flags else "in both", percent(bayes["believed"]), f"{bayes['confidence']:.3f}",
                           f"{bayes['correct']:.3f}"])
    table(["targets", "assumed", "belief about", "belief", "beliefs right"], table_rows)


def randomised():
    """Two releases of 20,000 whose occupations left through a published operator."""
    halves()
    rows = []
    domain = ("--hierarchy", f"occupation={ADULT}/adult_hierarchy_occupation.csv")  # which occupations there are
    bounds = ("0.1:0.5",) if SMALL else ("0.1:0.7", "0.1:0.5", "0.1:0.3")
    for name, flags in (("as they are", ()), *((f"`--rho {bound}`", ("--rho", bound, *domain)) for bound in bounds)):
        for half in ("first", "second"):
            run("tables", "protect", FOLDER / f"{half}.csv", "--qi", ",".join(QI), "--sensitive", "occupation", "--method",
                "mondrian", "--k", 5, "--seed", 1, "--out", FOLDER / f"{half}-drawn.csv", *flags)
        for half in ("first", "second"):  # without what the manifest says, cells are taken for the truth
            shutil.copy(FOLDER / f"{half}-drawn.csv", FOLDER / f"{half}-alone.csv")

        def attack(files):
            return run("fusion", "compose", "--release", FOLDER / f"first-{files}.csv", "--release",
                       FOLDER / f"second-{files}.csv", "--targets", FOLDER / "both.csv", "--qi", ",".join(QI), "--sensitive",
                       "occupation", "--truth-column", "occupation")

        found, naive = attack("drawn"), attack("alone")
        rows.append([name, f"{found['by_release'][0].get('gamma', 0):.1f}" if flags else "", percent(naive["perfect_breach"]),
                     percent(naive["correct"]) if naive["correct"] is not None else "", percent(naive["contradicted"]),
                     percent(found["perfect_breach"]), f"{found['bayes']['confidence']:.3f}",
                     f"{found['bayes']['correct']:.3f}"])
    table(["occupations", "gamma", "one value, taken for the truth", "of these right", "contradicted",
           "one value, by the operator", "belief", "beliefs right"], rows)


def diagnoses():
    """A sensitive attribute with many values: the synthetic consortium's diagnoses."""
    world = FOLDER / "world"
    if not world.exists():
        run("generate", "consortium", "--hospitals", 5 if SMALL else 20, "--patients", 2000 if SMALL else 50000, "--seed", 1, "--out", world)
    found = run("fusion", "compose", "--simulate", "--data", world / "patients.csv", "--qi",
                "age,sex,zip,race,marital_status,education", "--hierarchy", "age=interval:5,10,20", "--hierarchy", "zip=prefix",
                "--sensitive", "diagnosis", "--ks", KS, "--methods", "mondrian,microaggregate,mixed", "--runs", RUNS, "--seed",
                2009, "--overlap", 300 if SMALL else 5000)
    print(f"{found['cases'][0]['entropy_of_sensitive']:.2f} bits\n")
    table(["method", "k", *FIGURES], [[c["method"], c["k"], *figures(c)] for c in found["cases"]])


if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    for part in [word for word in sys.argv[4:] if word != "small"] or ("thesis", "cells", "resist", "overlap", "partial", "randomised", "diagnoses"):
        globals()[part]()
