#!/usr/bin/env python3
"""Promises of the consortium noun: group operations against the least that the protocol needs and against libsodium's scalar
multiplication alone, bytes against formula C.4, memory of each participant's own process as lists grow. BIG=1 also runs 2 sites
of a million people and samples each."""
import json
import os
import pathlib
import random
import resource
import shutil
import subprocess
import tempfile
import time

from promise import DATA, PROGRAM, ROOT, THREADS, Failed, heading, report, run

YARDSTICK = str(ROOT / "build" / "bench" / "multiplication_yardstick")
POINT = 32  # bytes


def world(name, sites, records, *options, shared=0.3):
    """A folder with a consortium and its data: so many people with a sample at each site, some of them at others too."""
    folder = DATA / f"consortium-{name}"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    names = [f"H{i:02}" for i in range(sites)]
    run([PROGRAM, "consortium", "init", "--sites", ",".join(names), "--k", "5", "--wait", "600", "--step", "7200",
         "--records", "1000000", "--port", str(random.randrange(20000, 30000)), "--out", str(folder / "C"), *options])
    common = int(records * shared)
    for i, site in enumerate(names):
        path = folder / "data" / site
        path.mkdir(parents=True)
        own = [f"c{j}" for j in range(common)] + [f"{site}-{j}" for j in range(records - common)]
        for side, prefix in (("identified", "p"), ("deidentified", "s")):
            path.joinpath(f"{side}.csv").write_text("element\n" + "".join(f"{prefix}{element}\n" for element in own))
    return [PROGRAM, "consortium", "run", "--config", str(folder / "C/consortium.yaml"), "--data", str(folder / "data"), "--json"]


def multiplication():
    """How libsodium alone does: how many a second on all cores, and processor seconds for each."""
    return json.loads(subprocess.run([YARDSTICK, "3", str(THREADS)], capture_output=True, check=True).stdout)


def measured(command):
    output = DATA / "consortium.json"
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with open(output, "w+b") as file:
        cost = run(command, file)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return json.loads(pathlib.Path(output).read_text()), cost, processor


def bandwidth(sites, sent, returned=None, alpha=0, lock=0):
    """Formula C.4 for one list of one site, in points: `sent` with its dummies, and what comes back of it, if anything."""
    back = 0 if returned is None else returned + lock
    points = 2 * sent * (sites - 1) + 2 * back * (sites - 1) + sent + back + 2 * alpha * sent * (sites - 1)
    return points if returned is None else points + lock


def speed():
    sites, records = 10, 2000
    command = world("speed", sites, records)
    before = multiplication()
    result, cost, processor = measured(command)
    after = multiplication()
    rate = (before["rate"] + after["rate"]) / 2
    each = (before["processor"] + after["processor"]) / 2
    report("consortium.operations", result["operations"], result["least_operations"], 1.02, "")
    report("consortium.10x2000.time", cost.seconds, result["operations"] / rate, 1.25, "s")
    # On a machine that does other things too, this says the same.
    report("consortium.10x2000.processor", processor, result["operations"] * each, 1.25, "s")
    report("consortium.10x2000.bytes", result["bytes"], POINT * 2 * sites * bandwidth(sites, records), 1.10, "B")


def thesis_bytes():
    """Of the thesis's protocol, on few records: how many has no part in it."""
    sites, records, alpha, beta, lock = 4, 500, 2, 100, 300
    result, _, _ = measured(world("stranon", sites, records, "--protocol", "stranon", "--alpha", str(alpha), "--beta", str(beta),
                                  "--lock", str(lock)))
    sent = records + beta + 1
    # What it forgets: the lock, too, goes to every site to be encrypted, and back.
    points = 2 * lock * sites
    for one in result["participants"]:
        if "submitted" in one:
            points += bandwidth(sites, sent, one["disclosed"], alpha, lock) + bandwidth(sites, sent, None, alpha)
    report("consortium.stranon.bytes", result["bytes"], POINT * points, 1.10, "B")


def apart(name, records):
    """Two sites and the authority, each in its own process: the result, the seconds, and the peak of each in megabytes."""
    folder = DATA / f"consortium-{name}"
    world(name, 2, records)
    config = ["--config", str(folder / "C" / "consortium.yaml"), "--json", "--name"]
    commands = {"A": [PROGRAM, "consortium", "authority", *config, "A"]}
    for site in ("H00", "H01"):
        lists = folder / "data" / site
        commands[site] = [PROGRAM, "consortium", "site", *config, site, "--identified", str(lists / "identified.csv"),
                          "--deidentified", str(lists / "deidentified.csv"), "--out", str(folder / f"{site}.csv")]
    began = time.perf_counter()
    with tempfile.TemporaryDirectory() as outputs:
        running = {}
        for participant, command in commands.items():
            output = os.open(f"{outputs}/{participant}", os.O_WRONLY | os.O_CREAT, 0o600)
            running[os.posix_spawn(command[0], command, os.environ, file_actions=[(os.POSIX_SPAWN_DUP2, output, 1)])] = participant
            os.close(output)
        peaks = {}
        for child, participant in running.items():
            _, status, usage = os.wait4(child, 0)
            if status != 0:
                raise Failed(f"exit {os.waitstatus_to_exitcode(status)} from {' '.join(commands[participant])}")
            peaks[participant] = usage.ru_maxrss * 1024 / 1e6
        results = [json.loads(pathlib.Path(outputs, participant).read_text()) for participant in commands]
    return results, time.perf_counter() - began, peaks


def memory():
    """Points pass through in batches or lie on disk, as the lists do. What grows are a few bytes by which a site and the authority
    number the records."""
    small, large = 2_000, 80_000
    _, _, least = apart("small", small)
    _, seconds, most = apart("large", large)
    report("consortium.2x80k.site-memory", max(most["H00"], most["H01"]), max(least["H00"], least["H01"]), 1.25, "MB")
    report("consortium.2x80k.authority-memory", most["A"], least["A"], 1.25, "MB")
    if os.environ.get("BIG"):
        million = 1_000_000
        results, took, peaks = apart("million", million)
        report("consortium.2x1M.site-memory", max(peaks["H00"], peaks["H01"]), max(least["H00"], least["H01"]), 3, "MB")
        report("consortium.2x1M.authority-memory", peaks["A"], least["A"], 4, "MB")
        report("consortium.2x1M.time", took, seconds * million / large, 1.25, "s")
        report("consortium.2x1M.operations", sum(one["operations"] for one in results),
               sum(one["least_operations"] for one in results), 1.02, "")


if __name__ == "__main__":
    heading()
    speed()
    thesis_bytes()
    memory()
