"""Promises of the workbench, measured as a browser meets them: through the server, on the loopback."""
import collections
import contextlib
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request

from promise import DATA, PROGRAM, ROOT, RUNS, census, missed, report, run, skipped
from visits import write_visits

ADULT = ROOT.parent / "shared" / "data" / "adult"
QI = ["age", "sex", "race", "marital-status", "education", "native-country", "workclass", "occupation", "salary-class"]


@contextlib.contextmanager
def server(data):
    process = subprocess.Popen([PROGRAM, "serve", "--port", "0", "--data", str(data), "--no-token", "--json"],
                               stdout=subprocess.PIPE)
    text = b""
    while not text.rstrip().endswith(b"}"):
        text += process.stdout.readline()
    try:
        yield process, json.loads(text)["url"] + "api/v1/"
    finally:
        process.terminate()
        process.wait()


def ask(url, body=None):
    request = urllib.request.Request(url, json.dumps(body).encode() if body is not None else None,
                                     {"X-Pratique": "1"})
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


def done(base, path, **request):
    """A job that is asked for and comes to its end: what it found, the seconds until its first point (None without one)
    and until its end."""
    began = time.perf_counter()
    made = ask(base + path, request)
    first = None
    with urllib.request.urlopen(f"{base}jobs/{made['id']}/events") as events:
        for line in events:
            if first is None and line.startswith(b"event: point"):
                first = time.perf_counter() - began
    seconds = time.perf_counter() - began
    ended = ask(f"{base}jobs/{made['id']}")
    if ended["state"] != "done":
        raise RuntimeError(ended["problem"])
    return ended["result"], first, seconds


def job(base, path, **request):
    """Seconds from asking to the end of the job."""
    return done(base, path, **request)[2]


def processor(process):
    """Seconds of processor time of the server and of all its jobs that have ended."""
    fields = pathlib.Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


def adult_map():
    table = ADULT / "adult.csv"
    if not table.exists():
        skipped("workbench.map-adult.time", "UCI Adult is not here")
        return
    with tempfile.TemporaryDirectory() as folder:
        for file in ADULT.iterdir():
            if file.is_file():
                shutil.copy(file, folder)
        shared = {"qi": QI, "hierarchy": [f"{c}=adult_hierarchy_{c}.csv" for c in QI], "suppression": 0.02}
        with server(folder) as (_, base):
            one, whole = [], []
            for _ in range(RUNS):
                one.append(job(base, "tables/protect", inputs=["adult.csv"],
                               options={**shared, "k": 5, "out": f"release-{len(one)}.csv"}))
                whole.append(job(base, "tables/explore", inputs=["adult.csv"], options={**shared, "out": "map"}))
        report("workbench.map-adult.time", statistics.median(whole), statistics.median(one), 20.0, "s")


def rows():
    path = pathlib.Path(census(10_000_000))
    with tempfile.TemporaryDirectory(dir=path.parent) as folder:  # a link must stay on its disk
        os.link(path, pathlib.Path(folder) / "census.csv")
        with server(folder) as (process, base):
            def page(offset):
                began = time.perf_counter()
                found = ask(f"{base}rows/census.csv?offset={offset}&limit=100")
                return time.perf_counter() - began, found
            first, _ = page(0)
            report("workbench.rows-10M.first-page", first, 1.0, 1.0, "s")
            began = time.perf_counter()
            while page(0)[1]["total"] is None:
                time.sleep(0.05)
            report("workbench.rows-10M.scan", time.perf_counter() - began, 30.0, 1.0, "s")
            pages = [page(offset) for offset in [*range(0, 10_000_000, 97_003), 9_999_900]]
            if any(len(found["rows"]) != 100 for _, found in pages):
                missed("workbench.rows-10M.page", "a page is not full")
            report("workbench.rows-10M.page", statistics.median(s for s, _ in pages), 0.1, 1.0, "s")
            peak = next(int(line.split()[1]) for line in pathlib.Path(f"/proc/{process.pid}/status").read_text()
                        .splitlines() if line.startswith("VmHWM")) * 1024 / 1e6
            report("workbench.rows-10M.memory", peak, 100.0, 1.0, "MB")


def distributions():
    path = pathlib.Path(census(1_000_000))
    with tempfile.TemporaryDirectory(dir=path.parent) as folder:
        os.link(path, pathlib.Path(folder) / "census.csv")
        with server(folder) as (_, base):
            seconds = []
            for _ in range(RUNS + 1):
                began = time.perf_counter()
                ask(f"{base}distributions/census.csv")
                seconds.append(time.perf_counter() - began)
            report("workbench.distributions-1M.again", statistics.median(seconds[1:]), 0.1, 1.0, "s")


def first_page():
    """In a browser: from asking for the page to its heading, and all that came over the wire for it."""
    if not (ROOT / "web" / "node_modules" / "playwright").exists() or shutil.which("chromium") is None:
        skipped("workbench.first-page.time", "Chromium and Playwright are not here")
        return
    with tempfile.TemporaryDirectory() as folder, server(folder) as (_, base):
        done = subprocess.run(["node", ROOT / "bench" / "first_page.mjs", base.removesuffix("api/v1/"), str(RUNS)],
                              stdout=subprocess.PIPE, check=True)
        runs = [json.loads(line) for line in done.stdout.splitlines()]
    report("workbench.first-page.time", statistics.median(r["seconds"] for r in runs), 1.0, 1.0, "s")
    report("workbench.first-page.bytes", max(r["bytes"] for r in runs) / 1e3, 300.0, 1.0, "kB")


# 101,766 visits of 50 columns, as the pages of a table ask about them one after the other. A file that changed is as new.
WIDE_QI = ["race", "gender", "age", "admission_type", "discharge_to", "admission_source", "days", "specialty"]


def wide():
    DATA.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=DATA) as folder:
        visits = pathlib.Path(folder) / "visits.csv"
        names = write_visits(visits, 101_766, 2)
        people = ["encounter_id", "patient_nbr"]
        secrets = [name for name in names if name.startswith(("diag", "drug"))]
        settings = {"id": people, "person": "patient_nbr", "qi": WIDE_QI, "sensitive": secrets,
                    "insensitive": [name for name in names if name not in people + WIDE_QI + secrets],
                    "hierarchy": ["age=interval:20,40", "days=interval:2,4,8"], "suppression": 0.02}
        several = {**settings, "ks": ["5", "11"], "methods": ["mondrian", "local", "optimal"]}
        found = collections.defaultdict(list)
        with server(folder) as (process, base):
            for turn in range(RUNS):
                os.utime(visits, (turn, turn))
                found["columns"].append(job(base, "tables/profile", inputs=["visits.csv"], options={"first": 2000}))
                before = processor(process)
                found["profile"].append(job(base, "tables/profile", inputs=["visits.csv"], options={}))
                found["profile-processor"].append(processor(process) - before)
                plan, _, _ = done(base, "tables/plan", inputs=["visits.csv"], options=several)
                drawn, first, seconds = done(base, "tables/explore", inputs=["visits.csv"],
                                             options={**several, "out": f"map-{turn}"})
                found["first-point"].append(first)
                found["told"].append(plan["seconds"])
                found["took"].append(seconds)
                for method in plan["methods"]:
                    name = method["method"]
                    found["told-" + name].append(method["seconds"])
                    found["took-" + name].append(statistics.mean(point["seconds"] for point in drawn["points"]
                                                                 if point["method"] == name))
            release = f"{folder}/release.csv"
            done(base, "tables/protect", inputs=["visits.csv"],
                 options={**settings, "k": 5, "method": "mondrian", "out": "release.csv"})
        for _ in range(RUNS):
            cost = run([PROGRAM, "report", release, "--out", f"{folder}/report.html", "--force"])
            found["report-processor"].append(cost.processor)
    middle = {name: statistics.median(figures) for name, figures in found.items()}
    for name, limit in (("columns", 2.0), ("profile", 5.0), ("profile-processor", 5.0), ("first-point", 2.0),
                        ("report-processor", 5.0)):
        report(f"workbench.wide.{name}", middle[name], limit, 1.0, "s")
    for name in ("", *("-" + method for method in several["methods"])):
        told, took = middle["told" + name], middle["took" + name]
        report(f"workbench.wide.foretold{name}", max(told, took), min(told, took), 2.0, "s")


PARTS = {"first-page": first_page, "map-adult": adult_map, "rows": rows, "distributions": distributions, "wide": wide}

for part in sys.argv[1:] or PARTS:
    if part not in PARTS:
        sys.exit(f"there is no part {part}; there are {', '.join(PARTS)}")
    PARTS[part]()
