"""Promises of the tables noun. Whole processes are compared: wall time and peak memory."""
from promise import PROGRAM, THREADS, Failed, by_turns, census, duckdb, missed, report, run

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
report("tables.protect.time", turns.ours.seconds, turns.theirs.seconds, 3.0, "s")
try:
    cost = run(protect(ten_million, "--memory", "2GB"))
    report("tables.protect-10M.memory", cost.megabytes, 2000.0, 1.0, "MB")
except Failed as failure:
    missed("tables.protect-10M.memory", failure)
