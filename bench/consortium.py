#!/usr/bin/env python3
"""Promises of the consortium noun: group operations against the least that the protocol needs and against libsodium's scalar
multiplication alone, bytes against formula C.4, memory as lists grow. BIG=1 also runs 2 sites of a million records, for
about half an hour."""
import json
import os
import pathlib
import random
import resource
import shutil
import subprocess

from promise import DATA, PROGRAM, ROOT, THREADS, heading, report, run

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


def bandwidth(sites, size, returned=0, alpha=0, lock=0):
    """Formula C.4 for one list of one site, in points; the lock's own encryption, which it forgets, comes last."""
    return (2 * size * (sites - 1) + 2 * returned * (sites - 1) + size + returned + lock
            + 2 * alpha * size * (sites - 1) + 2 * lock)


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


def memory():
    small = measured(world("small", 2, 2_000))[1].megabytes
    large = measured(world("large", 2, 20_000))[1].megabytes
    # Of ten times as many records only the lists themselves, and what the authority compares, grow: a kilobyte each.
    report("consortium.2x20000.memory", large - small, 2 * 2 * 18_000 * 1024 / 1e6, 1.0, "MB")
    if os.environ.get("BIG"):
        result, cost, _ = measured(world("million", 2, 1_000_000))
        report("consortium.2x1M.memory", cost.megabytes, 4000, 1.0, "MB")
        report("consortium.2x1M.operations", result["operations"], result["least_operations"], 1.02, "")


if __name__ == "__main__":
    heading()
    speed()
    memory()
