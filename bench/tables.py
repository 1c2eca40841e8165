"""Promises of the tables noun. Whole processes are compared: wall time and peak memory."""
import itertools
import math
import random
import statistics

from promise import (DATA, PROGRAM, ROOT, THREADS, Failed, answers, by_turns, census, duckdb, missed, report, run,
                     skipped)
from visits import write_visits

QI = ["sex", "age", "race", "marital-status", "education", "native-country", "workclass", "salary-class"]


def assess(path, *options):
    return [PROGRAM, "tables", "assess", path, "--qi", ",".join(QI), "--json", "--threads", str(THREADS), *options]


def group_by(path, columns):
    names = ", ".join(f'"{name}"' for name in columns)
    return duckdb(f"SELECT {names}, count(*) FROM read_csv('{path}', all_varchar = true) GROUP BY {names}")


million = census(1_000_000)
for name, options, columns in (("tables.assess", (), QI),
                               ("tables.assess-sensitive", ("--sensitive", "occupation"), [*QI, "occupation"])):
    turns = by_turns(assess(million, *options), group_by(million, columns))
    report(f"{name}.time", turns.ours.seconds, turns.theirs.seconds, 2.0, "s")
    report(f"{name}.memory", turns.ours.megabytes, turns.theirs.megabytes, 1.5, "MB")

ten_million = census(10_000_000)
try:
    cost = run(assess(ten_million, "--sensitive", "occupation", "--memory", "2GB"))
    report("tables.assess-10M.memory", cost.megabytes, 2000.0, 1.0, "MB")
except Failed as failure:
    missed("tables.assess-10M.memory", failure)


# 50 columns of 100,000 visits: all sets of up to four columns are searched for those that single people out. DuckDB
# counts the values of each column and, as it has no such search, of each pair of the 24 with the most values.
visits = DATA / "visits-100000-1.csv"
DATA.mkdir(parents=True, exist_ok=True)
names = write_visits(visits, 100_000)
pairs = [f'"{a}", "{b}"' for a, b in itertools.combinations(names[:24], 2)]
counting = ", ".join([f'count(DISTINCT "{name}")' for name in names] + [f"count(DISTINCT ({pair}))" for pair in pairs])
turns = by_turns([PROGRAM, "tables", "profile", str(visits), "--json", "--threads", str(THREADS)],
                 duckdb(f"CREATE TABLE visits AS FROM read_csv('{visits}', all_varchar = true)", f"SELECT {counting} FROM visits"))
report("tables.profile.time", turns.ours.seconds, turns.theirs.seconds, 1.0, "s")


def protect(path, *options):
    hierarchies = [f"{name}=interval:5,10,20" if name == "age" else f"{name}={path[:-4]}_hierarchies/{name}.csv"
                   for name in QI]
    flags = [flag for spec in hierarchies for flag in ("--hierarchy", spec)]
    return [PROGRAM, "tables", "protect", path, "--qi", ",".join(QI), "--sensitive", "occupation", *flags, "--k", "5",
            "--suppression", "0.02", "--seed", "1", "--out", path[:-4] + "-released.csv", "--json", "--threads",
            str(THREADS), *options]


def rewrite(path):
    return duckdb(f"COPY (SELECT * FROM read_csv('{path}', all_varchar = true)) TO '{path[:-4]}-rewritten.csv' (HEADER)")


turns = by_turns(protect(million), rewrite(million))
report("tables.protect.time", turns.ours.seconds, turns.theirs.seconds, 2.2, "s")
try:
    cost = run(protect(ten_million, "--memory", "2GB"))
    report("tables.protect-10M.memory", cost.megabytes, 2000.0, 1.0, "MB")
except Failed as failure:
    missed("tables.protect-10M.memory", failure)

# Real numbers, nearly every one of its own: what is around the search must grow with the rows, and no faster. The figure
# is the exponent from the smaller table to the larger one; the yardstick of the second promise is DuckDB's rewriting.
def reals(rows):
    path = DATA / f"reals-{rows}-1.csv"
    if not path.exists():
        draw = random.Random(1)
        with open(path, "w", encoding="utf-8") as file:
            file.write("weight,cost,age,diagnosis\n")
            for _ in range(rows):
                file.write(f"{draw.gauss(80, 15):.3f},{draw.lognormvariate(8, 1):.2f},{draw.randrange(18, 95)},"
                           f"D{draw.randrange(9)}\n")
    return str(path)


def around_search(path, method):
    command = [PROGRAM, "tables", "protect", path, "--qi", "weight,cost,age", "--sensitive", "diagnosis", "--k", "5", "--l",
               "2", "--method", method, "--seed", "1", "--out", path[:-4] + "-released.csv", "--json", "--threads",
               str(THREADS)]
    return statistics.median(result["seconds"] - result["search_seconds"] for result, _ in answers(command, runs=1))


for method in ("mondrian", "microaggregate"):
    few, many = around_search(reals(100_000), method), around_search(reals(1_000_000), method)
    report(f"tables.reals-{method}.growth", math.log10(many / few), 1.0, 1.1, "")
    twice = 2 * by_turns(rewrite(reals(1_000_000)), rewrite(reals(1_000_000)), runs=1).ours.seconds
    report(f"tables.reals-{method}.around", many, twice, 1.0, "s")


# Where a lattice is too large to look at all of it: the best levels after half a minute, against the best of what others
# use there (best first from either end, a genetic search), each with as much time. The gap is to what is proven.
SECONDS = 30


def best_levels(search, columns, rows, suppression):
    command = [str(ROOT / "build" / "bench" / "lattice_yardstick"), search, str(columns), str(rows), str(suppression), str(SECONDS)]
    [(result, cost)] = answers(command, runs=1, warm_up=False)
    return result["lm"], result["lower_bound"], cost.seconds


for columns, rows, suppression in ((12, 73_489, 0), (16, 73_489, 0.02), (16, 73_489, 1), (20, 100_000, 0.02)):
    loss, bound, seconds = best_levels("ours", columns, rows, suppression)
    rivals = [best_levels(search, columns, rows, suppression)[0] for search in ("bottom-up", "top-down", "genetic")]
    name = f"tables.lattice-{columns}-{suppression:g}"
    report(f"{name}.lm", loss, min(rivals), 1.0, "")
    report(f"{name}.gap", 1 - bound / loss, 1.0, 1.0, "")
    report(f"{name}.time", seconds, SECONDS, 1.2, "s")


# Many quasi-identifiers: local recoding ends when it must, with what it has.
def survey(rows, columns):
    path = DATA / f"survey-{rows}-{columns}.csv"
    sizes = [100, 73, 60, 50, 40, 30, 24, 20, 16, 12, 10, 9, 8, 7, 6, 5, 4, 4, 3, 3, 2, 2, 2, 2][:columns]
    hierarchies = [DATA / f"survey-q{i}.csv" for i in range(columns)]
    if not path.exists():
        draw = random.Random(5)
        with open(path, "w", encoding="utf-8") as file:
            file.write(",".join(f"q{i}" for i in range(columns)) + "\n")
            for _ in range(rows):
                kind = draw.random()
                cells = []
                for i, size in enumerate(sizes):
                    place = (kind + draw.gauss(0, 0.18 if i % 3 else 0.35)) % 1
                    cells.append(str(int((place ** 1.5 if i % 2 else place) * size)))
                file.write(",".join(cells) + "\n")
        for hierarchy, size in zip(hierarchies, sizes):
            widths = [3 ** level for level in range(1, 6) if 3 ** level < size]
            hierarchy.write_text("".join(";".join([str(value), *(f"{width}:{value // width}" for width in widths), "*"]) + "\n"
                                         for value in range(size)), encoding="utf-8")
    return path, [flag for i, hierarchy in enumerate(hierarchies) for flag in ("--hierarchy", f"q{i}={hierarchy}")]


LIMIT = 10
table, flags = survey(73_489, 24)
for method in ("local", "best", "cluster-up"):
    [(result, _)] = answers([PROGRAM, "tables", "protect", str(table), "--qi", ",".join(f"q{i}" for i in range(24)), *flags, "--k", "5",
                             "--method", method, "--time-limit", str(LIMIT), "--seed", "1", "--out", str(table)[:-4] + "-released.csv",
                             "--json", "--threads", str(THREADS)], runs=1, warm_up=False)
    report(f"tables.24-columns-{method}.search", result["search_seconds"], LIMIT, 1.1, "s")


# Many secrets: ten times as many cost ten times as much, and not their square.
def secrets(rows, columns):
    path = DATA / f"secrets-{rows}-{columns}.csv"
    if not path.exists():
        draw = random.Random(5)
        with open(path, "w", encoding="utf-8") as file:
            file.write(",".join(["age", "sex", "zip", *(f"s{i}" for i in range(columns))]) + "\n")
            for _ in range(rows):
                file.write(f"{draw.randrange(18, 90)},{draw.choice('FM')},{draw.randrange(10_000, 10_200)},"
                           + ",".join(str(draw.randrange(2 + i % 40)) for i in range(columns)) + "\n")
    return path


def protect_secrets(columns):
    path = secrets(20_000, columns)
    [(result, _)] = answers([PROGRAM, "tables", "protect", str(path), "--qi", "age,sex,zip", "--sensitive",
                             ",".join(f"s{i}" for i in range(columns)), "--k", "5", "--l", "2", "--method", "local", "--seed", "1",
                             "--out", str(path)[:-4] + "-released.csv", "--json", "--threads", str(THREADS)], runs=1)
    return result["seconds"]


report("tables.secrets-10-to-100.growth", math.log10(protect_secrets(100) / protect_secrets(10)), 1.0, 1.1, "")


# Many columns that no model looks at.
def wide(rows, columns):
    path = DATA / f"wide-{rows}-{columns}.csv"
    if not path.exists():
        draw = random.Random(2)
        with open(path, "w", encoding="utf-8") as file:
            file.write(",".join(["age", "sex", "zip", *(f"x{i}" for i in range(columns - 3))]) + "\n")
            for _ in range(rows):
                file.write(f"{draw.randrange(18, 90)},{draw.choice('FM')},{draw.randrange(100):03d},"
                           + ",".join(f"{draw.random():.3f}" if i % 2 else str(draw.randrange(30)) for i in range(columns - 3)) + "\n")
    return path


def protect_wide(table):
    others = ",".join(f"x{i}" for i in range(197))
    return run([PROGRAM, "tables", "protect", str(table), "--qi", "age,sex,zip", "--insensitive", others, "--allow", others, "--k",
                "5", "--seed", "1", "--out", str(table)[:-4] + "-released.csv", "--threads", str(THREADS)])


table = wide(100_000, 200)
longer = table.with_name("wide-300000-200.csv")
if not longer.exists():
    # Line by line: a process that is started counts the memory of the one that starts it.
    with open(longer, "w", encoding="utf-8") as file:
        for digit in "123":
            with open(table, encoding="utf-8") as lines:
                head = next(lines)
                file.write(head if digit == "1" else "")
                file.writelines(digit + line for line in lines)
cost = protect_wide(table)
report("tables.200-columns.memory", cost.megabytes, table.stat().st_size / 1e6, 4.0, "MB")
# They are not held: three times as many rows take little more.
report("tables.200-columns.3-times-the-rows.memory", protect_wide(longer).megabytes, cost.megabytes, 1.5, "MB")

# The search of ARX (Java, warm, single-threaded, on a 2-core machine) for the best levels by LM on UCI Adult, in
# milliseconds, as measured when these promises were made. It is not run here.
ADULT = ROOT.parent / "shared" / "data" / "adult"
ARX = {"k5": 419, "t0.2": 2522, "9-columns": 3387}


def protect_adult(columns, *options):
    DATA.mkdir(parents=True, exist_ok=True)
    flags = [flag for name in columns for flag in ("--hierarchy", f"{name}={ADULT}/adult_hierarchy_{name}.csv")]
    return [PROGRAM, "tables", "protect", f"{ADULT}/adult.csv", "--qi", ",".join(columns), *flags, "--k", "5", "--seed",
            "1", "--out", str(DATA / "adult-released.csv"), "--json", "--threads", str(THREADS), *options]


def adult():
    optimal = ("--method", "optimal", "--metric", "lm", "--suppression")
    for name, command in (
            ("k5", protect_adult(QI, "--sensitive", "occupation", *optimal, "0.02")),
            ("t0.2", protect_adult(QI, "--sensitive", "occupation", "--t", "0.2", "--distance", "equal", *optimal, "1")),
            ("9-columns", protect_adult([*QI, "occupation"], *optimal, "1"))):
        runs = answers(command)
        searched = statistics.median(result["search_seconds"] for result, _ in runs)
        report(f"tables.adult-{name}.search", searched * 1000, ARX[name], 0.1, "ms")
        report(f"tables.adult-{name}.memory", statistics.median(cost.megabytes for _, cost in runs), 60.0, 1.0, "MB")
    for method, options, most in (("cluster-up", ("--recoding", "labels"), 0.062),
                                  ("cluster-up", ("--recoding", "free"), 0.0120), ("local", (), 0.085)):
        [(result, _)] = answers(protect_adult(QI, "--sensitive", "occupation", "--method", method, *options), runs=1)
        report(f"tables.adult-{'-'.join((method, *options[1:]))}.lm", result["metrics"]["lm"], most, 1.0, "")
        report(f"tables.adult-{'-'.join((method, *options[1:]))}.bound", result["metrics"]["lm"], result["lower_bound"], 4.0, "")
    whole = statistics.median(cost.seconds for _, cost in answers(protect_adult(QI, "--sensitive", "occupation", *optimal, "0.02")))
    report("tables.adult.whole", whole, 0.15, 1.0, "s")


if ADULT.exists():
    adult()
else:
    skipped("tables.adult", f"no {ADULT}")
