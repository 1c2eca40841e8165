"""Promises of the trails noun. Whole processes are compared: wall time and peak memory."""
import sys

from promise import DATA, PROGRAM, ROOT, THREADS, Failed, by_turns, duckdb, missed, report, run


def world(people, missing, locations=200, alpha=1):
    """The two sides of a world whose location of rank r has seen a person with probability r ** -alpha, and
    whose samples lack each sighting with probability `missing`; made once."""
    sides = [str(DATA / f"trails-{people}-{missing}-{side}.csv") for side in ("identified", "deidentified")]
    if not all(map(lambda path: (ROOT / path).exists(), sides)):
        DATA.mkdir(parents=True, exist_ok=True)
        print(f"making a world of {people} people", file=sys.stderr)
        chance = "(hash(p * 1000003 + l * {}) % 1000000007) / 1000000007.0"
        run(duckdb(
            f"CREATE TABLE w AS SELECT p, l, {chance.format(104729)} >= {missing} AS kept FROM range({people}) a(p), "
            f"range(1, {locations} + 1) b(l) WHERE {chance.format(7919)} < pow(l, -{alpha})",
            f"COPY (SELECT 'L' || l AS location, 'person ' || p AS element FROM w) TO '{sides[0]}' (HEADER)",
            f"COPY (SELECT 'L' || l AS location, 's' || hash(p) AS element FROM w WHERE kept) TO '{sides[1]}' (HEADER)"))
    return sides


def attack(sides, algorithm):
    return [PROGRAM, "trails", "attack", "--identified", sides[0], "--deidentified", sides[1], "--algorithm", algorithm,
            "--json", "--threads", str(THREADS)]


def group_by_element(sides):
    return duckdb(*(f"SELECT element, list(location) FROM read_csv('{side}', all_varchar = true) GROUP BY element"
                    for side in sides))


million = world(1_000_000, 0)
turns = by_turns(attack(million, "complete"), group_by_element(million), runs=3)
report("trails.complete.time", turns.ours.seconds, turns.theirs.seconds, 3.0, "s")

costs = {}
for missing_share in (0, 0.5):
    for people in (1_000, 10_000, 100_000, 1_000_000):
        name = f"trails.exact-{people}-missing-{missing_share}"
        try:
            costs[people] = run(attack(world(people, missing_share), "exact"))
        except Failed as failure:
            missed(name, failure)
            continue
        print(f"{name:<44}{costs[people].seconds:>9.2f} s {1e6 * costs[people].seconds / people:>9.1f} us per trail", flush=True)
    report(f"trails.exact-missing-{missing_share}.time", costs[1_000_000].seconds, 600.0, 1.0, "s")
    report(f"trails.exact-missing-{missing_share}.memory", costs[1_000_000].megabytes, 4000.0, 1.0, "MB")
