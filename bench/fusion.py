"""Promises of the fusion noun. Whole processes are compared: wall time."""
import sys

from promise import DATA, PROGRAM, ROOT, THREADS, by_turns, census, duckdb, report, run

QI = ["sex", "age", "race", "marital-status", "education", "native-country", "workclass", "salary-class"]


def trees(people, columns):
    """The hierarchies of these columns, as flags."""
    specs = [f"{column}=interval:5,10,20" if column == "age" else f"{column}={people[:-4]}_hierarchies/{column}.csv"
             for column in columns]
    return [flag for spec in specs for flag in ("--hierarchy", spec)]


def released(people, name, columns, *options):
    """A release of these people, made once."""
    path = DATA / f"compose-{name}.csv"
    if not path.exists():
        print(f"making {path.relative_to(ROOT)}", file=sys.stderr)
        dropped = [column for column in QI if column not in columns]
        run([PROGRAM, "tables", "protect", people, "--qi", ",".join(columns), "--sensitive", "occupation",
             *trees(people, columns), *(("--id", ",".join(dropped)) if dropped else ()), "--seed", "1", "--out",
             str(path), *options])
    return str(path)


def compose():
    """A million people, all of them in four releases of different methods and columns."""
    people = census(1_000_000)
    releases = [released(people, "free", QI, "--method", "mondrian", "--k", "5"),
                released(people, "labels", QI, "--method", "mondrian", "--recoding", "labels", "--k", "10"),
                released(people, "optimal", QI, "--method", "optimal", "--k", "5", "--suppression", "0.02"),
                released(people, "few", QI[:5], "--method", "mondrian", "--k", "20")]
    ours = [PROGRAM, "fusion", "compose", *(flag for path in releases for flag in ("--release", path)), "--targets",
            people, "--qi", ",".join(QI), "--sensitive", "occupation", "--truth-column", "occupation",
            *trees(people, QI), "--json", "--threads", str(THREADS)]
    theirs = duckdb(*(f"SELECT max(COLUMNS(*)) FROM read_csv('{path}', all_varchar = true)"
                      for path in (people, *releases)))
    turns = by_turns(ours, theirs)
    report("fusion.compose.time", turns.ours.seconds, turns.theirs.seconds, 5.0, "s")


LEVELS = str(ROOT / "build" / "bench" / "level_yardstick")


def levels():
    """FRED's levels k = 2 to 40 of 5,000 people: each from what the last one left, against each from nothing."""
    for method in ("microaggregate", "mondrian"):
        turns = by_turns([LEVELS, method, "kept", "5000", "40"], [LEVELS, method, "anew", "5000", "40"], runs=3)
        report(f"fusion.levels-{method}.time", turns.ours.seconds, turns.theirs.seconds, 0.5, "s")


DATA.mkdir(parents=True, exist_ok=True)
levels()
compose()
