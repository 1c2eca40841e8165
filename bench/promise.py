"""How a promise is measured: the program and its yardstick are run by turns, each a process of its own,
and the medians are compared. A promise is kept when figure / yardstick <= limit.

    ours = [PROGRAM, "tables", "assess", ...]
    theirs = duckdb("SELECT ...", threads=2)
    runs = by_turns(ours, theirs)
    report("assess.time", runs.ours.seconds, runs.theirs.seconds, 2.0, "s")
"""
import json
import os
import pathlib
import statistics
import sys
import tempfile
import time
from typing import NamedTuple

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROGRAM = str(ROOT / "build" / "pratique")
YARDSTICK = str(ROOT / "build" / "bench" / "duckdb_yardstick")
DATA = ROOT / "build" / "bench-data"
RUNS = int(os.environ.get("RUNS", "5"))
THREADS = int(os.environ.get("THREADS", os.cpu_count() or 1))


class Cost(NamedTuple):
    seconds: float  # wall time of the whole process
    megabytes: float  # its peak resident memory (10^6 bytes); never under this script's own, about 15
    processor: float = 0  # seconds of all its threads: what others on the machine do changes it little


class Turns(NamedTuple):
    ours: Cost
    theirs: Cost


class Failed(Exception):
    """The program did not end well; its own words are in the message."""


def run(command, output=None):
    """Runs the command to its end; its output goes into the file `output`, or is dropped."""
    with tempfile.TemporaryFile() as errors:
        null = os.open(os.devnull, os.O_RDWR)
        began = time.perf_counter()
        child = os.posix_spawn(command[0], command, os.environ, file_actions=[
            (os.POSIX_SPAWN_DUP2, null, 0), (os.POSIX_SPAWN_DUP2, output.fileno() if output else null, 1),
            (os.POSIX_SPAWN_DUP2, errors.fileno(), 2)])
        _, status, usage = os.wait4(child, 0)
        seconds = time.perf_counter() - began
        os.close(null)
        if status != 0:
            errors.seek(0)
            words = errors.read().decode(errors="replace").strip()
            raise Failed(f"exit {os.waitstatus_to_exitcode(status)} from {' '.join(command)}: {words}")
    return Cost(seconds, usage.ru_maxrss * 1024 / 1e6, usage.ru_utime + usage.ru_stime)


def by_turns(ours, theirs, runs=RUNS):
    """The medians of `runs` runs of each, after one of each to warm the file cache."""
    costs = ([], [])
    for turn in range(runs + 1):
        for side, command in zip(costs, (ours, theirs)):
            cost = run(command)
            if turn:
                side.append(cost)
    return Turns(*(Cost(*map(statistics.median, zip(*side))) for side in costs))


def answers(command, runs=RUNS, warm_up=True):
    """The JSON object that each of `runs` runs prints, and its cost, after one run that does not count."""
    found = []
    for turn in range(0 if warm_up else 1, runs + 1):
        with tempfile.TemporaryFile() as output:
            cost = run(command, output)
            output.seek(0)
            if turn:
                found.append((json.load(output), cost))
    return found


def duckdb(*statements, threads=THREADS, memory="8GB"):
    """The command that runs these statements in DuckDB alone."""
    return [YARDSTICK, str(threads), memory, *statements]


def census(rows, seed=1):
    """The path of a synthetic census of that size, made once."""
    path = DATA / f"census-{rows}-{seed}.csv"
    if not path.exists():
        DATA.mkdir(parents=True, exist_ok=True)
        print(f"making {path.relative_to(ROOT)}", file=sys.stderr)
        run([PROGRAM, "generate", "census", "--rows", str(rows), "--seed", str(seed), "--out", str(path)])
    return str(path)


def shown(figure):
    return f"{figure:.4f}" if figure < 0.1 else f"{figure:.2f}"


def report(name, figure, yardstick, limit, unit):
    """One line per promise: name, figure, yardstick, ratio, limit, whether it was kept."""
    ratio = figure / yardstick
    kept = "ok" if ratio <= limit else "missed"
    print(f"{name:<32}{shown(figure):>9} {unit:<3}{shown(yardstick):>9} {unit:<3}{ratio:>7.2f}{limit:>7.2f}  {kept}", flush=True)


def skipped(name, why):
    print(f"{name:<63}  skipped: {why}", flush=True)


def missed(name, why):
    """For a promise whose run failed: there is no figure, and it was not kept."""
    print(f"{name:<63}  missed: {why}", flush=True)


def heading():
    print(f"{'promise':<32}{'figure':>9} {'':<3}{'yardstick':>9} {'':<3}{'ratio':>7}{'limit':>7}", flush=True)


if __name__ == "__main__":
    heading()
