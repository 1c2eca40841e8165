#!/usr/bin/env python3
"""notes_test.py PROGRAM: the verbs of notes as scripts rely on them."""
import json
import pathlib
import subprocess
import sys
import tempfile

PROGRAM = sys.argv[1]


def run(*arguments, code=0):
    done = subprocess.run([PROGRAM, *map(str, arguments), "--json"], capture_output=True, text=True, check=False)
    assert done.returncode == code, (arguments, done.returncode, done.stdout, done.stderr)
    return json.loads(done.stdout)


def write(path, notes):
    path.write_text("".join(json.dumps(note) + "\n" for note in notes), encoding="utf-8")


def main(folder):
    text = "Zoe\u0308 M\u00fcller was seen by Dr. Smith on 03/14/2011.\r\nCall (617) 555-0142."
    phone = text.index("(617)")
    gold = [{"id": "a", "text": text, "patient": "p1",
             "spans": [{"start": phone, "end": phone + 14, "type": "phone"},
                       {"start": text.index("Smith"), "end": text.index("Smith") + 5, "type": "clinician"}]},
            {"id": "b", "text": "Lungs clear, abdomen soft.", "spans": []}]
    notes, spans = folder / "notes.jsonl", folder / "spans.jsonl"
    write(notes, gold)
    tagged = run("notes", "tag", notes, "--out", spans)
    assert tagged["notes"] == 2 and tagged["rejected"] == [] and tagged["notes_per_second"] > 0, tagged
    lines = [json.loads(line) for line in spans.read_text(encoding="utf-8").splitlines()]
    assert [line["id"] for line in lines] == ["a", "b"] and lines[1]["spans"] == [], lines
    assert tagged["spans"] == len(lines[0]["spans"])
    for span in lines[0]["spans"]:
        assert set(span) == {"start", "end", "type", "certainty"} and 0 <= span["certainty"] <= 1, span
    found = {text[span["start"]:span["end"]]: span["type"] for span in lines[0]["spans"]}
    assert found["(617) 555-0142"] == "phone" and found["03/14/2011"] == "date" and "Smith" in found, found
    assert oct(spans.stat().st_mode & 0o777) == "0o600"

    measured = run("notes", "evaluate", spans, "--gold", notes)
    assert measured["recall_any"] == measured["recall_full"] == 1 and measured["clean_touched"] == 0, measured
    assert abs(measured["precision"] - 2 / len(lines[0]["spans"])) < 1e-9, measured
    assert set(measured["by_type"]) == {"phone", "clinician"}, measured

    # A planted miss and a planted false find are seen.
    write(folder / "worse.jsonl", [{"id": "a", "spans": [{"start": phone, "end": phone + 2, "type": "phone"}]},
                                   {"id": "b", "spans": [{"start": 0, "end": 5, "type": "name"}]}])
    worse = run("notes", "evaluate", folder / "worse.jsonl", "--gold", notes)
    assert worse["recall_any"] == 0.5 and worse["recall_full"] == 0, worse
    assert worse["precision"] == 0.5 and worse["clean_touched"] == 1, worse

    # One bad note does not stop the others; nothing at all does not pass.
    notes.write_bytes(b'{"id":"x","text":"\xff"}\nnonsense\n{"id":"y","text":"ok"}\n')
    tagged = run("notes", "tag", notes, "--out", spans)
    assert tagged["notes"] == 1 and [bad["line"] for bad in tagged["rejected"]] == [1, 2], tagged
    notes.write_text("")
    run("notes", "tag", notes, "--out", spans, code=1)
    run("notes", "evaluate", notes, "--gold", folder / "worse.jsonl", code=1)
    run("notes", "tag", folder / "missing.jsonl", "--out", spans, code=2)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as name:
        main(pathlib.Path(name))
