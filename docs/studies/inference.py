#!/usr/bin/env python3
"""Repeats docs/studies/inference.md: inference.py PROGRAM ADULT FOLDER [small]

ADULT is the folder with UCI Adult and its hierarchies (adult.csv, adult_hierarchy_COLUMN.csv). Prints the tables as
Markdown. Files go to FOLDER. With small, one release of each sort."""
import csv
import pathlib
import sys

from study import SMALL, run, table

ADULT, FOLDER = pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
QI = ["age", "workclass", "education", "marital-status", "race", "sex", "native-country"]
TREES = [flag for column in QI for flag in ("--hierarchy", f"{column}={ADULT}/adult_hierarchy_{column}.csv")]


def percent(share):
    return f"{100 * share:.1f} %"


def people():
    """Adult with a number per person: original records, register and truth in one."""
    path = FOLDER / "people.csv"
    with open(ADULT / "adult.csv", encoding="utf-8") as file, open(path, "w", encoding="utf-8") as out:
        reader = csv.DictReader(file, delimiter=";")
        writer = csv.writer(out)
        writer.writerow(["person", *QI, "occupation", "salary-class"])
        for number, row in enumerate(reader):
            writer.writerow([number, *(row[column] for column in QI), row["occupation"], row["salary-class"]])
    return path


def values(path, column):
    with open(path, encoding="utf-8") as file:
        return sorted({row[column] for row in csv.DictReader(file)})


def releases(originals, sensitive):
    """Name, file and the options with which its cells are read."""
    other = "salary-class" if sensitive == "occupation" else "occupation"
    yield "the original records", originals, []

    def protect(name, *options):
        path = FOLDER / f"{name.replace(' ', '_').replace('=', '')}.csv"
        run("tables", "protect", originals, "--id", f"person,{other}", "--qi", ",".join(QI), "--sensitive", sensitive,
            *TREES, *options, "--out", path, "--force", "--rows-are-people", exits=(0, 1))
        return name, path, TREES

    diverse = "4" if sensitive == "occupation" else "2"
    yield protect("mondrian k=5", "--method", "mondrian", "--k", "5")
    yield protect(f"mondrian k=5 l={diverse}", "--method", "mondrian", "--k", "5", "--l", diverse)
    if not SMALL:
        yield protect("mondrian k=50", "--method", "mondrian", "--k", "50")
        yield protect("mondrian k=5 t=0.2", "--method", "mondrian", "--k", "5", "--t", "0.2")
        yield protect("optimal k=5", "--method", "optimal", "--k", "5", "--suppression", "0.02")
        yield protect(f"optimal k=5 l={diverse}", "--method", "optimal", "--k", "5", "--l", diverse, "--suppression", "0.02")
    domains = ["--domain", "age=17..90"]
    for column in [*QI[1:], sensitive]:
        listed = FOLDER / f"{column}.values"
        listed.write_text("\n".join(values(originals, column)) + "\n", encoding="utf-8")
        domains += ["--domain", f"{column}={listed}"]
    for epsilon in ("1",) if SMALL else ("0.1", "1", "10"):
        ledger, path = FOLDER / f"{sensitive}-{epsilon}.ledger", FOLDER / f"synthetic-{sensitive}-{epsilon}.csv"
        run("dp", "open", ledger, "--data", originals, "--epsilon", epsilon, "--delta", "1e-9", "--person", "person",
            "--registry", f"{ledger}.registry")
        run("dp", "synthesize", ledger, "--epsilon", epsilon, "--delta", "1e-9", *domains, "--out", path, "--force")
        yield f"synthetic, epsilon {epsilon}", path, []


def main():
    originals = people()
    for sensitive in ("salary-class",) if SMALL else ("occupation", "salary-class"):
        print(f"Who guesses the {sensitive}\n")
        rows = []
        for name, path, trees in releases(originals, sensitive):
            found = run("tables", "attack", path, "--register", originals, "--on", ",".join(QI), "--sensitive", sensitive,
                        "--truth", originals, "--truth-key", "person", "--rows-are-people", *trees)
            learned = found["learned"]
            sure = learned.get("confident_right_share")
            rows.append([name, percent(found["sensitive_disclosed_share"]), percent(learned["right_share"]),
                         percent(learned["usual_share"]), percent(learned["confident"] / learned["targets"]),
                         percent(sure) if sure is not None else "-"])
        table(["release", "disclosed by classes", "guessed rightly", "by the usual value", "sure", "right where sure"], rows)


main()
