#!/usr/bin/env python3
"""make demo: takes a small synthetic consortium through the flow, and says in demo/report.html what happened.

Every file in tools/demo_stops is a stop of the tour: ORDER says when, run() does it and gives a Stop. This file names none.
"""
import dataclasses
import html
import importlib
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
STOPS = ROOT / "tools" / "demo_stops"
# What several stops use.
WORLD = "world"
RELEASE = "release/patients.csv"
DNA_RELEASE = "release/dna.csv"
RELEASE_REPORT = "release-report.html"
LEDGER = "releases.ledger"
QUASI_IDENTIFIERS = "date_of_birth,age,sex,zip,race,marital_status,education,hospital"
NOT_RELEASED = "patient,hospital_visits,length_of_stay,cost"
HIERARCHIES = ["--hierarchy", "date_of_birth=date", "--hierarchy", "zip=prefix", "--hierarchy", "age=interval:5,10,20"]
K = 5
L = 3

steps = []


@dataclasses.dataclass
class Stop:
    title: str
    short: str  # over its rows in the summary
    story: str
    rows: list  # name, before, after
    columns: tuple = ("before", "after")
    facts: list = dataclasses.field(default_factory=list)  # name, value
    pictures: list = dataclasses.field(default_factory=list)  # caption, file under demo/


def pratique(what, *arguments, expect=0):
    """Runs the program in demo/, says what it does, and returns its JSON."""
    print(f"  {what}")
    command = ["pratique", *arguments]
    began = time.perf_counter()
    refusal = subprocess.DEVNULL if expect else None  # its words are for somebody who did not expect it
    done = subprocess.run([PROGRAM, *arguments, "--json"], cwd=DEMO, stdout=subprocess.PIPE, stderr=refusal)
    if done.returncode != expect:
        sys.exit(f"pratique: the demo expected exit {expect} from this and got {done.returncode}:\n  {' '.join(command)}")
    result = json.loads(done.stdout)
    steps.append((what, command, time.perf_counter() - began, result))
    return result


def percent(share):
    return f"{100 * share:.1f} %"


def stops():
    """The modules of the tour, in order. They import this file by its name."""
    sys.dont_write_bytecode = True
    sys.modules["demo"] = sys.modules[__name__]
    sys.path.insert(0, str(STOPS))
    found = [importlib.import_module(path.stem) for path in STOPS.glob("*.py")]
    return sorted(found, key=lambda module: module.ORDER)


def print_summary(tour, facts):
    width = max(len(row[0]) for stop in tour for row in stop.rows + stop.facts)
    for stop in tour:
        if stop.rows:
            print(f"\n{stop.short:<{width}}  {stop.columns[0]:>9}  {stop.columns[1]:>9}")
        for name, before, after in stop.rows:
            print(f"{name:<{width}}  {before:>9}  {after:>9}")
    print()
    for name, value in facts:
        print(f"{name:<{width}}  {value:>9}")


def table(head, rows):
    cells = "".join(f"<th scope=col>{html.escape(name)}</th>" for name in head)
    body = "".join("<tr><th scope=row>" + html.escape(row[0]) + "</th>" +
                   "".join(f"<td>{html.escape(cell)}</td>" for cell in row[1:]) + "</tr>" for row in rows)
    return f"<table><thead><tr>{cells}</tr></thead><tbody>{body}</tbody></table>"


def section(stop):
    parts = [f"<h2>{html.escape(stop.title)}</h2><p>{html.escape(stop.story)}</p>"]
    if stop.rows:
        parts.append(table(("", *stop.columns), stop.rows))
    if stop.facts:
        parts.append(table(("", ""), stop.facts))
    for caption, picture in stop.pictures:
        parts.append(f"<figure>{(DEMO / picture).read_text(encoding='utf-8')}<figcaption>{html.escape(caption)}</figcaption></figure>")
    return "\n".join(parts)


def write_report(tour):
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
<h1>A consortium, before and after</h1>
<p>A synthetic consortium of 20 hospitals; nobody in it exists. <a href="{RELEASE_REPORT}">The report of its releases</a>.</p>
{"".join(section(stop) for stop in tour)}
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
    (DEMO / "release").mkdir(parents=True)
    print("the demo:")
    world = pratique("make a synthetic consortium: 20 hospitals, 5,000 patients", "generate", "consortium", "--hospitals",
                     "20", "--patients", "5000", "--seed", "1", "--out", WORLD)
    tour = [module.run() for module in stops()]
    facts = [("people in the register", f"{world['registered']:,}"), ("patients", f"{world['patients']:,}")]
    print_summary(tour, facts + [fact for stop in tour for fact in stop.facts])
    path = write_report(tour)
    print(f"\ndone in {time.perf_counter() - began:.1f} s; the story is at {path.relative_to(ROOT)}, the report of the releases "
          f"at demo/{RELEASE_REPORT}, their ledger at demo/{LEDGER}")
    print("to explore all of it in a browser: make run   (or: build/pratique serve --data demo)")


if __name__ == "__main__":
    main()
