"""Promises of the workbench, measured as a browser meets them: through the server, on the loopback."""
import contextlib
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import tempfile
import time
import urllib.request

from promise import PROGRAM, ROOT, RUNS, census, missed, report, skipped

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


def job(base, path, **request):
    """Seconds from asking to the end of the job."""
    began = time.perf_counter()
    made = ask(base + path, request)
    with urllib.request.urlopen(f"{base}jobs/{made['id']}/events") as events:
        events.read()
    seconds = time.perf_counter() - began
    ended = ask(f"{base}jobs/{made['id']}")
    if ended["state"] != "done":
        raise RuntimeError(ended["problem"])
    return seconds


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


first_page()
adult_map()
rows()
distributions()
