#!/usr/bin/env python3
"""make demo: takes a small synthetic consortium through the flow, and says in demo/report.html what happened."""
import csv
import html
import json
import pathlib
import shlex
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROGRAM = ROOT / "build" / "pratique"
DEMO = ROOT / "demo"
WORLD = "world"
RELEASE = "release/patients.csv"
DNA_RELEASE = "release/dna.csv"
SECOND_RELEASE = "second/patients.csv"
RELEASE_REPORT = "release-report.html"
LEDGER = "releases.ledger"
LIST_RELEASE = "release/list.csv"
LINKED_ON = "date_of_birth,sex,zip"
QUASI_IDENTIFIERS = "date_of_birth,age,sex,zip,race,marital_status,education,hospital"
HIERARCHIES = ["--hierarchy", "date_of_birth=date", "--hierarchy", "zip=prefix", "--hierarchy", "age=interval:5,10,20"]
HOSPITALS = ("H01", "H02")
HOSPITAL_COLUMNS = "age,sex,zip,race,marital_status,education"
K = 5
L = 3

steps = []


def pratique(what, *arguments, expect=0):
    """Runs the program in demo/, says what it does, and returns its JSON."""
    print(f"  {what}")
    command = ["pratique", *arguments]
    began = time.perf_counter()
    done = subprocess.run([PROGRAM, *arguments, "--json"], cwd=DEMO, stdout=subprocess.PIPE)
    if done.returncode != expect:
        sys.exit(f"pratique: the demo expected exit {expect} from this and got {done.returncode}:\n  {' '.join(command)}")
    result = json.loads(done.stdout)
    steps.append((what, command, time.perf_counter() - began, result))
    return result


def attack(what, release, *more):
    return pratique(what, "tables", "attack", release, "--register", f"{WORLD}/register.csv", "--on", LINKED_ON,
                    "--sensitive", "diagnosis", "--truth", f"{WORLD}/truth/records.csv", "--truth-key", "entry", *more)


def dollars(mean_square):
    return f"{mean_square ** 0.5:,.0f}"


def percent(share):
    return f"{100 * share:.1f} %"


def run_flow():
    world = pratique("make a synthetic consortium: 20 hospitals, 5,000 patients", "generate", "consortium", "--hospitals",
                     "20", "--patients", "5000", "--seed", "1", "--out", WORLD)
    patients = f"{WORLD}/patients.csv"
    profile = pratique("profile the research table", "tables", "profile", patients)
    before = pratique("assess it as it is", "tables", "assess", patients, "--qi", QUASI_IDENTIFIERS, "--sensitive",
                      "diagnosis")
    attacked = attack("attack it with the population register", patients)
    (DEMO / "release").mkdir()
    pratique("explore risk against utility", "tables", "explore", patients, "--id", "patient", "--qi", QUASI_IDENTIFIERS,
             "--sensitive", "diagnosis", *HIERARCHIES, "--l", str(L), "--ks", "3,5,10,25", "--methods",
             "optimal,mondrian,cluster-up", "--suppression", "0.02", "--out", "map")
    protected = pratique(f"protect it: {K} records and {L} diagnoses in every class", "tables", "protect", patients,
                         "--id", "patient", "--qi", QUASI_IDENTIFIERS, "--sensitive", "diagnosis", *HIERARCHIES,
                         "--method", "mondrian", "--k", str(K), "--l", str(L), "--seed", "1", "--out", RELEASE)
    verified = pratique("verify the released file against its manifest", "verify", RELEASE)
    after = pratique("assess the release", "tables", "assess", RELEASE, "--qi", QUASI_IDENTIFIERS, "--sensitive",
                     "diagnosis")
    attacked_again = attack("attack the release the same way", RELEASE, *HIERARCHIES)
    sized = [("people in the register", f"{world['registered']:,}"), ("patients", f"{world['patients']:,}"),
             ("columns that look like HIPAA identifiers", str(len({found['column'] for found in profile['safe_harbor']}))),
             ("records left out", f"{protected['suppressed']:,}"), ("information lost (LM)", percent(protected["metrics"]["lm"])),
             ("verified from the file", "yes" if verified["holds"] else "NO")]
    compared = [("smallest class (k)", str(before["k"]), str(after["k"])),
                ("unique records", f"{before['unique']:,}", f"{after['unique']:,}"),
                ("largest risk of any record", percent(before["risk"]["prosecutor_max"]), percent(after["risk"]["prosecutor_max"])),
                ("named people linked to one record", f"{attacked['linked_uniquely']:,}", f"{attacked_again['linked_uniquely']:,}"),
                ("diagnoses disclosed", f"{attacked['sensitive_disclosed']:,}", f"{attacked_again['sensitive_disclosed']:,}"),
                ("of these correct", f"{attacked['correct']:,}", f"{attacked_again['correct']:,}")]
    return sized, compared


def run_trails():
    """Discharge lists have names, DNA has none: where each was seen links the two."""
    people = ["--identified", f"{WORLD}/hospitals/*/discharges.csv", "--identified-element", "name,date_of_birth"]
    samples = ["--deidentified", f"{WORLD}/hospitals/*/dna.csv", "--deidentified-element", "sample"]
    released = ["--deidentified", DNA_RELEASE, "--deidentified-element", "sample"]
    before = pratique("link DNA samples to discharge lists by where they were seen", "trails", "attack", *people, *samples,
                      "--k", str(K))
    protected = pratique(f"choose what each hospital discloses: {K} possible people for every sample", "trails", "protect",
                         *people, *samples, "--k", str(K), "--seed", "1", "--out", DNA_RELEASE)
    verified = pratique("verify the released samples against the discharge lists", "verify", DNA_RELEASE)
    after = pratique("link the released samples the same way", "trails", "attack", *people, *released, "--k", str(K))
    return [("DNA samples", f"{protected['samples_in']:,}", f"{protected['samples_out']:,}"),
            ("copies at hospitals", f"{protected['records_in']:,}", f"{protected['records_out']:,}"),
            ("hospitals that disclose samples", str(protected["locations_in"]), str(protected["locations_out"])),
            ("samples whose person is certain", f"{before['reidentified']:,}", f"{after['reidentified']:,}"),
            (f"samples with fewer than {K} possible people", f"{before['k_reidentified']:,}", f"{after['k_reidentified']:,}"),
            ("verified from the file", "", "yes" if verified["holds"] else "NO")]


def hospital_tables():
    """Writes the patients of two hospitals, those of both, and everybody once; gives the files' names."""
    def rows(name):
        with open(DEMO / WORLD / name, encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))

    patient_of = {row["person"]: row["patient"] for row in rows("truth/people.csv")}
    seen = {hospital: {patient_of[row["person"]] for row in rows("truth/visits.csv") if row["hospital"] == hospital}
            for hospital in HOSPITALS}
    wanted = {"one": seen[HOSPITALS[0]], "two": seen[HOSPITALS[1]], "both": seen[HOSPITALS[0]] & seen[HOSPITALS[1]],
              "all": seen[HOSPITALS[0]] | seen[HOSPITALS[1]]}
    columns = [*HOSPITAL_COLUMNS.split(","), "diagnosis"]
    (DEMO / "hospitals").mkdir()
    for name, patients in wanted.items():
        with open(DEMO / "hospitals" / f"{name}.csv", "w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, columns, extrasaction="ignore")
            writer.writeheader()
            writer.writerows(row for row in rows("patients.csv") if row["patient"] in patients)
    return {name: f"hospitals/{name}.csv" for name in wanted}


def run_composition():
    """Two hospitals release independently; some patients were at both."""
    tables = hospital_tables()
    hierarchies = ["--hierarchy", "zip=prefix", "--hierarchy", "age=interval:5,10,20"]

    def protect(what, name):
        return pratique(what, "tables", "protect", tables[name], "--qi", HOSPITAL_COLUMNS, "--sensitive", "diagnosis",
                        *hierarchies, "--method", "mondrian", "--k", str(K), "--l", str(L), "--seed", "1", "--out",
                        f"release/{name}.csv")

    def compose(what, *names):
        releases = [flag for name in names for flag in ("--release", f"release/{name}.csv")]
        return pratique(what, "fusion", "compose", *releases, "--targets", tables["both"], "--qi", HOSPITAL_COLUMNS,
                        "--sensitive", "diagnosis", "--truth-column", "diagnosis", *hierarchies)

    losses = [protect(f"a hospital releases its patients: {K} records and {L} diagnoses in every class", "one"),
              protect("another hospital does too, independently", "two")]
    apart = compose("intersect what both releases say about the patients who were at both", "one", "two")
    losses.append(protect("the two release one table together instead", "all"))
    together = compose("ask the joint release about the same patients", "all")

    def people(found):
        return f"{round(found['perfect_breach'] * found['targets']):,}"

    def mean(numbers):
        return f"{sum(numbers) / len(numbers):.1f}"

    return [("patients who were at both", f"{apart['targets']:,}", f"{together['targets']:,}"),
            ("possible diagnoses, by one release", mean(apart["effective_anonymity"]["prior"]),
             mean(together["effective_anonymity"]["prior"])),
            ("possible diagnoses, by all releases", mean([apart["effective_anonymity"]["posterior"]]),
             mean([together["effective_anonymity"]["posterior"]])),
            ("patients left with one diagnosis", people(apart), people(together)),
            ("most probable diagnosis is correct", percent(apart["bayes"]["correct"]),
             percent(together["bayes"]["correct"])),
            ("information lost (LM)", percent(sum(loss["metrics"]["lm"] for loss in losses[:2]) / 2),
             percent(losses[2]["metrics"]["lm"]))]


def run_web_facts():
    """An insurer's list keeps names and loses income; the web knows more about these people."""
    insurer, facts = f"{WORLD}/insurer.csv", f"{WORLD}/web_facts.csv"
    named = ["--key", "name", "--target", "income", "--rules", "rules.fcl"]
    pratique("draft an adversary's rules: how income relates to valuation, employment and property", "fusion", "rules",
             "--from", insurer, "--auxiliary", facts, "--key", "name", "--target", "income", "--inputs",
             "valuation,employment,property_value", "--tune", "--out", "rules.fcl")
    before = pratique("estimate the incomes missing from an insurer's list, with facts from the web", "fusion", "web",
                      "--release", insurer, "--auxiliary", facts, *named)
    pratique("find the level of anonymity that resists (FRED)", "fusion", "fred", insurer, "--auxiliary", facts, *named,
             "--qi", "visit_index,expenditure_index,valuation", "--tp", "6.5e8", "--tu", "5e-6", "--seed", "1",
             "--charts", "fred", "--out", LIST_RELEASE)
    verified = pratique("verify the released list", "verify", LIST_RELEASE)
    after = pratique("estimate the incomes from the released list the same way", "fusion", "web", "--release",
                     LIST_RELEASE, "--auxiliary", facts, *named, "--truth", insurer, "--truth-key", "member")
    return [("members found on the web", f"{before['matched']:,}", f"{after['matched']:,}"),
            ("typical error without the web, dollars", dollars(before["dissimilarity_before"]),
             dollars(after["dissimilarity_before"])),
            ("typical error with the web, dollars", dollars(before["dissimilarity_after"]),
             dollars(after["dissimilarity_after"])),
            ("incomes estimated within 10 %", percent(before["within_10_percent"]), percent(after["within_10_percent"])),
            ("verified from the file", "", "yes" if verified["holds"] else "NO")]


def run_ledger():
    """The report of both releases, and the ledger, which refuses a second release that tells too much beside the first."""
    pratique("write the report that justifies both releases", "report", RELEASE, DNA_RELEASE, "--ru-map", "map/ru-map.json",
             "--recipient", "a university", "--purpose", "a study of readmissions", "--approved-by", "the data steward",
             "--out", RELEASE_REPORT)
    pratique("start a ledger", "ledger", "init", LEDGER)
    first = pratique("record the research table", "ledger", "add", LEDGER, RELEASE, "--population", "consortium", "--report",
                     RELEASE_REPORT)
    # Nothing joins a table to samples by where they were seen, so the two are not attacked together.
    pratique("record the DNA samples", "ledger", "add", LEDGER, DNA_RELEASE, "--population", "consortium",
             "--allow-unattacked")
    (DEMO / "second").mkdir()
    pratique("make a second release of the same patients, by another method", "tables", "protect", f"{WORLD}/patients.csv",
             "--id", "patient", "--qi", QUASI_IDENTIFIERS, "--sensitive", "diagnosis", *HIERARCHIES, "--method", "cluster-up",
             "--k", str(K), "--l", str(L), "--seed", "1", "--out", SECOND_RELEASE)
    second = pratique("ask the ledger to record that too: it refuses", "ledger", "add", LEDGER, SECOND_RELEASE, "--population",
                      "consortium", "--releases", "release", "--max-breach", "0.05", "--allow-unattacked", expect=1)
    verified = pratique("verify the ledger", "ledger", "verify", LEDGER, "--save-head", "head.json")
    alone, together = (one["sequence"]["attributes"][0]["disclosed"] for one in (first, second))
    return [("diagnoses disclosed by the release alone", percent(alone)),
            ("diagnoses disclosed by both releases together", percent(together)),
            ("entries in the ledger", str(verified["size"] - 1))]


def print_compared(title, compared, width, columns=("before", "after")):
    print(f"\n{title:<{width}}  {columns[0]:>9}  {columns[1]:>9}")
    for name, before, after in compared:
        print(f"{name:<{width}}  {before:>9}  {after:>9}")


def print_summary(sized, compared, trails, composition, web_facts):
    width = max(len(row[0]) for row in sized + compared + trails + composition + web_facts)
    print_compared("the research table", compared, width)
    print_compared("the DNA samples", trails, width)
    print_compared("two hospitals' releases", composition, width, ("apart", "as one"))
    print_compared("the insurer's list", web_facts, width)
    print()
    for name, value in sized:
        print(f"{name:<{width}}  {value:>9}")


def write_report(sized, compared, trails, composition, web_facts, recorded):
    def table(head, rows):
        cells = "".join(f"<th scope=col>{html.escape(name)}</th>" for name in head)
        body = "".join("<tr><th scope=row>" + html.escape(row[0]) + "</th>" +
                       "".join(f"<td>{html.escape(cell)}</td>" for cell in row[1:]) + "</tr>" for row in rows)
        return f"<table><thead><tr>{cells}</tr></thead><tbody>{body}</tbody></table>"

    commands = "".join(f"<li><p>{html.escape(what[0].upper() + what[1:])} ({seconds:.1f} s)</p>"
                       f"<pre>{html.escape(shlex.join(command))}</pre>"
                       f"<details><summary>result</summary><pre>{html.escape(json.dumps(result, indent=2))}</pre></details></li>"
                       for what, command, seconds, result in steps)
    page = f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Pratique: the demo's report</title>
<style>
:root {{ color-scheme: light dark; }}
body {{ font: 16px/1.5 system-ui, sans-serif; max-width: 52rem; margin: 2rem auto; padding: 0 1rem; }}
table {{ border-collapse: collapse; margin: 1rem 0; }}
th, td {{ padding: .3rem .9rem; border-bottom: 1px solid color-mix(in srgb, currentColor 25%, transparent); text-align: right; }}
th[scope=row], thead th:first-child {{ text-align: left; font-weight: normal; }}
pre {{ white-space: pre-wrap; overflow-wrap: anywhere; padding: .5rem .8rem; border-radius: .3rem;
      background: color-mix(in srgb, currentColor 8%, transparent); }}
details pre {{ max-height: 20rem; overflow: auto; }}
</style></head><body>
<h1>A consortium's research table, before and after</h1>
<p>A synthetic consortium of 20 hospitals; nobody in it exists. The adversary has the population register and links its
people to the research table by date of birth, sex and ZIP code. The release is the same table, recoded so that
every class has at least {K} records and {L} diagnoses, and verified from the released file.</p>
{table(("", "before", "after"), compared)}
{table(("", ""), sized)}
<h2>DNA samples and discharge lists</h2>
<p>The hospitals also share DNA without names. Anyone who has their discharge lists sees where every person was treated and
where every sample was taken: trails that link the two. The release says which hospital discloses which sample, so that
each could belong to at least {K} people; nothing is changed and nothing is invented.</p>
{table(("", "before", "after"), trails)}
<h2>Two hospitals, separately</h2>
<p>Two hospitals release their patients without knowing about each other, each with at least {K} records and {L} diagnoses in
every class. Anyone who was at both has a class in each, and only diagnoses that both classes contain can be theirs. For
comparison, the hospitals release one table together.</p>
{table(("", "apart", "as one"), composition)}
<h2>An insurer's list and the web</h2>
<p>An insurer passes on its list of members inside the company: names stay, incomes are removed. Anyone who has the list can
look the members up on the web; employment and property, combined with what the list says, come close to their incomes.
FRED generalises the list, level by level, until the strongest estimate is far enough off.</p>
{table(("", "before", "after"), web_facts)}
{(DEMO / "fred" / "dissimilarity.svg").read_text(encoding="utf-8")}
<h2>Report and ledger</h2>
<p>The <a href="{RELEASE_REPORT}">report</a> justifies both releases. The ledger recorded them, and refused a second release
of the same patients: neither alone discloses anybody's diagnosis, but both together do.</p>
{table(("", ""), recorded)}
<h2>Risk against utility</h2>
<p>Every point is a release that was tried; a ring marks those that no other beats on both.</p>
{(DEMO / "map" / "ru-map.svg").read_text(encoding="utf-8")}
<h2>How it was made</h2>
<p>Run in <code>demo/</code>; every command can be repeated as it is.</p>
<ol>{commands}</ol>
</body></html>
"""
    path = DEMO / "report.html"
    path.write_text(page, encoding="utf-8")
    return path


def main():
    began = time.perf_counter()
    shutil.rmtree(DEMO, ignore_errors=True)
    DEMO.mkdir()
    print("the demo:")
    sized, compared = run_flow()
    trails = run_trails()
    composition = run_composition()
    web_facts = run_web_facts()
    recorded = run_ledger()
    print_summary(sized + recorded, compared, trails, composition, web_facts)
    path = write_report(sized, compared, trails, composition, web_facts, recorded)
    print(f"\ndone in {time.perf_counter() - began:.1f} s; the story is at {path.relative_to(ROOT)}, the report of the releases "
          f"at demo/{RELEASE_REPORT}, their ledger at demo/{LEDGER}")
    print("to explore all of it in a browser: make run   (or: build/pratique serve --data demo)")


if __name__ == "__main__":
    main()
