"""Promises of the notes noun: how well identifiers are found, and how fast. Speed is of one core, on notes of 4 KB.

bench/notes/*.txt are notes that were written for this, in the styles of many writers, none of them of a real person: a
note begins with `=== ID`, an identifier is `[[TYPE|TEXT]]`, and notes without any are clean. seen.txt was looked at while
rules were written, unseen.txt was not.
"""
import json
import pathlib
import re
import statistics

from promise import DATA, PROGRAM, ROOT, answers, report, skipped

PUBLIC = ROOT.parent / "shared" / "data" / "notes" / "presidio_generated_large.json"
NOTES = 8_000
BYTES = 4_096


def generated(notes, half, seed=1):
    path = DATA / f"notes-{notes}-{half}.jsonl"
    answers([PROGRAM, "generate", "notes", "--notes", str(notes), "--seed", str(seed), "--templates", half, "--out",
             str(path), "--force", "--json"], 1, warm_up=False)
    return path


def long_notes():
    """Generated notes put together until each has 4 KB."""
    path = DATA / "notes-4k.jsonl"
    texts, size, number = [], 0, 0
    with path.open("w", encoding="utf-8") as out:
        for line in generated(4 * NOTES, "all").open(encoding="utf-8"):
            text = json.loads(line)["text"]
            texts.append(text)
            size += len(text)
            if size >= BYTES and number < NOTES:
                out.write(json.dumps({"id": str(number), "text": "\n".join(texts)[:BYTES]}) + "\n")
                texts, size, number = [], 0, number + 1
    return path, number


def tagged(path, name, *more):
    spans = DATA / f"{name}-spans.jsonl"
    found = answers([PROGRAM, "notes", "tag", str(path), "--out", str(spans), "--force", "--json", *more], 3)
    return spans, found


def quality(path, name):
    spans, _ = tagged(path, name)
    return answers([PROGRAM, "notes", "evaluate", str(spans), "--gold", str(path), "--json"], 1, warm_up=False)[0][0]


def written(name):
    """A file of bench/notes as JSON lines with spans."""
    path = DATA / f"notes-{name}.jsonl"
    with path.open("w", encoding="utf-8") as out:
        for note in re.split(r"^=== ", (ROOT / "bench" / "notes" / f"{name}.txt").read_text(encoding="utf-8"), flags=re.M)[1:]:
            number, _, marked = note.partition("\n")
            text, spans, at = "", [], 0
            marked = marked.rstrip("\n")
            for mark in re.finditer(r"\[\[(\w+)\|(.*?)\]\]", marked, re.S):
                text += marked[at:mark.start()]
                spans.append({"start": len(text), "end": len(text) + len(mark[2]), "type": mark[1]})
                text += mark[2]
                at = mark.end()
            out.write(json.dumps({"id": number, "text": text + marked[at:], "spans": spans}) + "\n")
    return path


DATA.mkdir(parents=True, exist_ok=True)
path, number = long_notes()
_, found = tagged(path, "notes-4k", "--threads", "1")
# Of processor time, the start of the program included; wall time follows where nobody else computes.
report("notes.tag-4k.milliseconds", 1000 * statistics.median(c.processor for _, c in found) / number, 1.0, 1.0, "ms")
small = DATA / "notes-4k-eighth.jsonl"
with path.open(encoding="utf-8") as whole:
    small.write_text("".join(line for _, line in zip(range(number // 8), whole)), encoding="utf-8")
_, few = tagged(small, "notes-4k-eighth", "--threads", "1")
# Flat: eight times the notes take no more than a little more memory.
report("notes.tag-4k.memory", max(c.megabytes for _, c in found), max(c.megabytes for _, c in few), 1.5, "MB")
held = quality(generated(2_000, "held", 5), "notes-held")
report("notes.held.missed-fully", 1 - held["recall_full"], 0.02, 1.0, "")
report("notes.held.imprecise", 1 - held["precision"], 0.05, 1.0, "")
for styles in ("seen", "unseen"):
    others = quality(written(styles), f"notes-{styles}")
    report(f"notes.{styles}-styles.missed", 1 - others["recall_any"], 0.05, 1.0, "")
    report(f"notes.{styles}-styles.imprecise", 1 - others["precision"], 0.05, 1.0, "")
    report(f"notes.{styles}-styles.clean-touched", others["clean_touched"], 0.15, 1.0, "")
    for kind, recall in sorted(others["by_type"].items()):
        print(f"  {kind:<14}{recall['spans']:>5}  any {recall['recall_any']:.2f}  full {recall['recall_full']:.2f}", flush=True)
if PUBLIC.exists():
    gold = DATA / "presidio.jsonl"
    gold.write_text("".join(json.dumps({"id": str(i), "text": note["full_text"], "spans": [
        {"start": s["start_position"], "end": s["end_position"], "type": s["entity_type"]} for s in note["spans"]]}) + "\n"
        for i, note in enumerate(json.loads(pathlib.Path(PUBLIC).read_text(encoding="utf-8")))), encoding="utf-8")
    others = quality(gold, "presidio")
    report("notes.presidio.missed", 1 - others["recall_any"], 0.05, 1.0, "")
    report("notes.presidio.clean-touched", others["clean_touched"], 0.15, 1.0, "")
else:
    skipped("notes.presidio", "no public data here")
