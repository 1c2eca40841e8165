"""Promises of the codes noun. Whole processes are compared: wall time and peak memory. A fifth of the seconds that
ARX's k^m branch takes on two cores is the yardstick; beside it, how long it takes to read the file and no more."""
import pathlib
import random
import statistics

from promise import DATA, PROGRAM, ROOT, THREADS, Failed, answers, by_turns, missed, report, skipped

PUBLIC = ROOT.parent / "shared" / "data" / "codes"
ARX_SECONDS = {("informs_icd9", 2): 0.54, ("informs_icd9", 3): 3.1, ("BMS1", 2): 1.4, ("ehr631_icd9", 2): 4.6}
# What ARX reaches, k = 5; to four digits.
ARX_NCP = {("informs_icd9", 2): 0.0446, ("informs_icd9", 3): 0.0804, ("BMS1", 2): 0.0504, ("ehr631_icd9", 2): 0.0079}


def released(data, method, m):
    return str(DATA / f"{pathlib.Path(data).stem}-{method}-{m}.dat")


def protect(data, tree, m, method):
    over = [] if method == "disassociation" else ["--hierarchy", str(tree)]
    return [PROGRAM, "codes", "protect", str(data), *over, "--method", method, "--k", "5", "--m", str(m),
            "--seed", "1", "--out", released(data, method, m), "--json", "--threads", str(THREADS)]


def read_only(data):
    """Reads the sets and stops at k, which is larger than the number of patients: nothing is written."""
    out = DATA / "never-written.dat"
    return ["/bin/sh", "-c", f"'{PROGRAM}' codes protect '{data}' --method suppress --k 1000000000 --out '{out}' || :"]


def baskets(patients=88_000, items=16_470):
    """A file like retail's, and an even tree over it."""
    data, tree = DATA / "baskets.dat", DATA / "baskets.csv"
    if not (data.exists() and tree.exists()):
        draw = random.Random(1)
        weights = [1 / (i + 10) ** 0.95 for i in range(items)]
        names = [f"i{i}" for i in range(items)]
        lines = []
        for _ in range(patients):
            size = 1 + min(75, int(draw.expovariate(1 / 9.5)))
            lines.append(" ".join(sorted(set(draw.choices(names, weights, k=size)))) + "\n")
        data.write_text("".join(lines))
        tree.write_text("".join(";".join([f"i{i}", *(f"L{level}:{i // 5 ** level}" for level in range(1, 7)), "*"]) + "\n"
                                for i in range(items)))
    return data, tree


def medians(command, runs):
    found = answers(command, runs)
    costs = [cost for _, cost in found]
    return found[0][0], statistics.median(c.seconds for c in costs), max(c.megabytes for c in costs)


def measured(name, measure):
    """A run that fails is said, and the others go on."""
    try:
        measure()
    except Failed as failure:
        missed(name, failure)


def beside_arx(name, m, method):
    data, tree = PUBLIC / f"{name}.dat", PUBLIC / f"{name}_even5.csv"
    promise = f"codes.{method}-{name}-m{m}"
    result, _, _ = medians(protect(data, tree, m, method), 1)
    report(f"{promise}.ncp", round(result["metrics"]["ncp"], 4), ARX_NCP[name, m], 1.0, "")
    turns = by_turns(protect(data, tree, m, method), read_only(data))
    report(f"{promise}.time", turns.ours.seconds, ARX_SECONDS[name, m] / 5, 1.0, "s")
    report(f"{promise}.reading", turns.ours.seconds, turns.theirs.seconds, 20.0, "s")


def disassociation():
    data, tree = PUBLIC / "ehr631_icd9.dat", PUBLIC / "ehr631_icd9_even5.csv"
    _, seconds, megabytes = medians(protect(data, tree, 2, "disassociation"), 5)
    report("codes.disassociation.time", seconds, 1.0, 1.0, "s")
    report("codes.disassociation.memory", megabytes, 200.0, 1.0, "MB")


def verify(name):
    """Every three codes of a release, from the file alone."""
    data, tree = PUBLIC / f"{name}.dat", PUBLIC / f"{name}_even5.csv"
    medians(protect(data, tree, 3, "apriori"), 1)
    command = [PROGRAM, "verify", released(data, "apriori", 3), "--json", "--threads", str(THREADS)]
    _, seconds, megabytes = medians(command, 3)
    report(f"codes.verify-{name}-m3.time", seconds, 1.0, 1.0, "s")
    report(f"codes.verify-{name}-m3.memory", megabytes, 100.0, 1.0, "MB")


def many_baskets():
    data, tree = baskets()
    _, seconds, megabytes = medians(protect(data, tree, 2, "apriori"), 1)
    report("codes.apriori-88000x16470.time", seconds, 10.0, 1.0, "s")
    report("codes.apriori-88000x16470.memory", megabytes, 200.0, 1.0, "MB")


DATA.mkdir(parents=True, exist_ok=True)
if PUBLIC.exists():
    for name, m in ARX_SECONDS:
        for method in ("apriori", "local"):
            measured(f"codes.{method}-{name}-m{m}.time", lambda: beside_arx(name, m, method))
    measured("codes.disassociation.time", disassociation)
    for name in ("BMS1", "ehr631_icd9"):
        measured(f"codes.verify-{name}-m3.time", lambda: verify(name))
else:
    skipped("codes.*-informs, -BMS1, -ehr631", "no public data here")
measured("codes.apriori-88000x16470.time", many_baskets)
