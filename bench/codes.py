"""Promises of the codes noun. Whole processes are compared: wall time and peak memory. A fifth of the seconds that
ARX's k^m branch takes on two cores is the yardstick; beside it, how long it takes to read the file and no more."""
import pathlib
import random

from promise import DATA, PROGRAM, ROOT, THREADS, Failed, by_turns, missed, report, run

PUBLIC = ROOT.parent / "shared" / "data" / "codes"
ARX_SECONDS = {("informs_icd9", 2): 0.54, ("informs_icd9", 3): 3.1, ("BMS1", 2): 1.4, ("ehr631_icd9", 2): 4.6}


def protect(data, tree, m, method):
    out = DATA / f"{pathlib.Path(data).stem}-{method}-{m}.dat"
    return [PROGRAM, "codes", "protect", str(data), "--hierarchy", str(tree), "--method", method, "--k", "5", "--m",
            str(m), "--seed", "1", "--out", str(out), "--json", "--threads", str(THREADS)]


def read_only(data):
    """Reads the sets and stops at k, which is larger than the number of patients."""
    return ["/bin/sh", "-c", f"'{PROGRAM}' codes protect '{data}' --method suppress --k 1000000000 --out /tmp/none || :"]


def baskets(patients=88_000, items=16_470):
    """A file like retail's, and an even tree over it."""
    data, tree = DATA / "baskets.dat", DATA / "baskets.csv"
    if not data.exists():
        DATA.mkdir(parents=True, exist_ok=True)
        draw = random.Random(1)
        weights = [1 / (i + 10) ** 0.95 for i in range(items)]
        names = [f"i{i}" for i in range(items)]
        with open(data, "w") as file:
            for _ in range(patients):
                size = 1 + min(75, int(draw.expovariate(1 / 9.5)))
                file.write(" ".join(sorted(set(draw.choices(names, weights, k=size)))) + "\n")
        with open(tree, "w") as file:
            for i in range(items):
                file.write(";".join([f"i{i}", *(f"L{level}:{i // 5 ** level}" for level in range(1, 7)), "*"]) + "\n")
    return data, tree


DATA.mkdir(parents=True, exist_ok=True)
for (name, m), seconds in ARX_SECONDS.items():
    data, tree = PUBLIC / f"{name}.dat", PUBLIC / f"{name}_even5.csv"
    for method in ("apriori", "local"):
        promise = f"codes.{method}-{name}-m{m}.time"
        if not data.exists():
            missed(promise, "no public data here")
            continue
        turns = by_turns(protect(data, tree, m, method), read_only(data))
        report(promise, turns.ours.seconds, seconds / 5, 1.0, "s")
        report(promise.replace(".time", ".reading"), turns.ours.seconds, turns.theirs.seconds, 20.0, "s")
data, tree = baskets()
try:
    cost = run(protect(data, tree, 2, "apriori"))
    report("codes.apriori-88000x16470.time", cost.seconds, 10.0, 1.0, "s")
    report("codes.apriori-88000x16470.memory", cost.megabytes, 200.0, 1.0, "MB")
except Failed as failure:
    missed("codes.apriori-88000x16470.time", failure)
