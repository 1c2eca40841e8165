"""Promises of the fusion noun. Whole processes are compared: wall time."""
from promise import ROOT, by_turns, report

LEVELS = str(ROOT / "build" / "bench" / "level_yardstick")


def levels():
    """FRED's levels k = 2 to 40 of 5,000 people: each from what the last one left, against each from nothing."""
    for method in ("microaggregate", "mondrian"):
        turns = by_turns([LEVELS, method, "kept", "5000", "40"], [LEVELS, method, "anew", "5000", "40"], runs=3)
        report(f"fusion.levels-{method}.time", turns.ours.seconds, turns.theirs.seconds, 0.5, "s")


levels()
