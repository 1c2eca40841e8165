#!/usr/bin/env python3
"""notes_test.py PROGRAM: the verbs of notes as scripts rely on them."""
import json
import pathlib
import re
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
    assert found["(617) 555-0142"] == "phone" and found["03/14/2011"] == "date" and "Dr. Smith" in found, found
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


PHI = ["Johnson", "555-9142", "03/14/2011", "123-45-6789", "4471123", "jo@mail.com", "1600 Elm"]


def protect(folder):
    text = ("Mary Johnson, a 53-year-old woman, was seen on 03/14/2011. SSN 123-45-6789, MRN: 4471123. Call (617) "
            "555-9142 or write to jo@mail.com. She lives at 1600 Elm Street, Boston, MA 02139. BP 120/80. "
            "Seen again on 03/24/2011. Her 97 year old mother is well.")
    notes = folder / "in.jsonl"
    secret = "Johnson-77"
    write(notes, [{"id": secret, "patient": "MaryJohnson", "text": text},
                  {"id": "b", "patient": "MaryJohnson", "text": "JOHNSON is better. Ms. Johnsn walks."}])
    with notes.open("a", encoding="utf-8") as file:
        file.write("nonsense\n")
    key = folder / "key"
    for mode in ("full", "partial"):
        for replace in ("tags", "surrogates", "suppress", "generalise"):
            out = folder / f"{mode}-{replace}.jsonl"
            done = run("notes", "protect", notes, "--mode", mode, "--replace", replace, "--key", key, "--out", out,
                       "--private", folder / "private")
            assert done["released"] == 2 and done["notes"] == 3 and len(done["rejected"]) == 1, done
            assert done["before"]["leaks"] > 0 and done["after"]["leaks"] == 0, done
            released = [json.loads(line) for line in out.read_text().splitlines()]
            everything = out.read_text() + out.with_name(out.name + ".manifest.json").read_text()
            for identifier in PHI:
                if identifier == "03/14/2011" and mode == "partial" and replace != "surrogates":
                    continue  # a limited data set keeps dates
                assert identifier not in everything and "MaryJohnson" not in everything, (mode, replace, identifier)
            assert "JOHNSON" not in everything and "Johnsn" not in everything, everything
            assert all(set(note) == {"id", "patient", "text"} and len(note["id"]) == 32 for note in released)
            assert len({note["patient"] for note in released}) == 1
            assert any("BP 120/80" in note["text"] and "53-year-old" in note["text"] for note in released), released
            assert run("verify", out)["holds"] is True
    # Consistent under the key: the same person is the same letters, the same id the same pseudonym.
    def tagged(name):
        return sorted((folder / name).read_text().splitlines())
    again = folder / "again.jsonl"
    run("notes", "protect", notes, "--key", key, "--out", again, "--private", folder / "private")
    assert tagged("again.jsonl") == tagged("full-tags.jsonl")
    # Report and ledger take it as any other kind.
    subprocess.run([PROGRAM, "report", again, "--out", folder / "report.html", "--private", folder / "private"],
                   check=True, capture_output=True)
    run("ledger", "init", folder / "ledger")
    added = run("ledger", "add", folder / "ledger", again, "--private", folder / "private")
    assert added["breach"] == 0, added
    # Tags become surrogates later: the same letters the same name, and the verifier agrees.
    later = folder / "later.jsonl"
    done = run("notes", "protect", again, "--replace", "surrogates", "--key", key, "--out", later,
               "--private", folder / "private")
    assert done["released"] == 2 and "**" not in later.read_text() and run("verify", later)["holds"] is True, done
    letters = re.findall(r"\*\*NAME\[([A-Z]{3}) ([A-Z]{3})\]", again.read_text())
    given, family = letters[0]
    assert f"Ms. **NAME[{family}]" not in again.read_text() or later.read_text().count(family) == 0
    # Releases of the same notes that hide different things tell together what neither tells.
    two = folder / "two.jsonl"
    write(two, [{"id": "1", "text": "Mr. Waylon Smithers, DOB 07/11/1949, has cough since Tuesday."},
                {"id": "2", "text": "Mrs. Rosalind Thackeray, DOB 03/14/1961, fell on the stairs."}])
    run("ledger", "init", folder / "second.ledger")
    for what in ("date", "name"):
        run("notes", "protect", two, "--only", what, "--out", folder / f"only-{what}.jsonl",
            "--private", folder / "private")
    run("ledger", "add", folder / "second.ledger", folder / "only-date.jsonl", "--private", folder / "private")
    added = run("ledger", "add", folder / "second.ledger", folder / "only-name.jsonl", "--private", folder / "private",
                code=1)
    assert added["breach"] == 1, added
    # A planted number is seen by the verifier, and a release is never replaced by nothing.
    line = json.loads(again.read_text().splitlines()[0])
    line["text"] += " Call 617-555-9999."
    again.write_text(json.dumps(line) + "\n")
    assert run("verify", again, code=1)["holds"] is False
    notes.write_text("nonsense\n")
    done = subprocess.run([PROGRAM, "notes", "protect", notes, "--out", folder / "none.jsonl"], capture_output=True,
                          check=False)
    assert done.returncode == 1 and not (folder / "none.jsonl").exists(), done


def others(folder):
    notes = folder / "in.jsonl"
    write(notes, [
        {"id": "1", "text": "Patient: Mary Johnson, DOB: 03/14/1950. MRN: 4471123. She is a 61-year-old woman with gout."},
        {"id": "2", "text": "Patient: Mary Johnson, DOB: 03/14/1950. MRN: 4471123. She walks. Seen on 05/02/2011."},
        {"id": "3", "text": "Patient: Robert Miller, DOB: 07/01/1971. MRN: 9981234. He is a 40-year-old man with asthma."}])
    view = folder / "view.csv"
    linked = run("notes", "view", notes, "--out", view)
    assert linked["persons"] == 2 and linked["notes"] == 3 and linked["links"] == 1, linked
    rows = view.read_text().splitlines()
    assert rows[0] == "person,notes,age,sex,zip,first_date,last_date,diagnoses" and len(rows) == 3, rows
    assert rows[1].startswith("1,2,61,F,") and "gout" in rows[1] and oct(view.stat().st_mode & 0o777) == "0o600", rows

    # Before, the register names both patients; after, nobody: one compared attribute is not enough.
    register = folder / "register.csv"
    register.write_text("name,age,sex,illness\nMary Johnson,61,F,gout\nRobert Miller,40,M,asthma\nAnn Lee,40,F,asthma\n")
    raw = run("notes", "attack", notes, "--register", register)
    assert raw["reidentified"] >= 2 and raw["leaks"] > 0 and raw["before"] is None, raw
    out = folder / "out.jsonl"
    run("notes", "protect", notes, "--out", out, "--private", folder / "private")
    attacked = run("notes", "attack", out, "--register", register, "--private", folder / "private")
    assert attacked["leaks"] == 0 and attacked["after"]["leaks"] == 0 and attacked["before"]["leaks"] > 0, attacked
    assert attacked["before"]["reidentified"] >= 2, attacked
    # Age, sex and illness stay in the text, and so two of three notes still tell one row: it is said, not hidden.
    assert attacked["reidentified"] == 2, attacked
    run("notes", "attack", out, "--register", register, "--private", folder / "private", "--max-reidentified", 0, code=1)
    register.write_text("name,age\n")
    run("notes", "attack", out, "--register", register, code=1)
    # Nothing that the register has can be compared: that is not tried, and no pass.
    register.write_text("id,foo\n1,2\n")
    assert run("notes", "attack", out, "--register", register, "--max-leaks", 0, code=1)["tried"] is False
    # Half a name of the register's people is a leak, however it is written.
    write(notes, [{"id": "1", "text": "The user jdoe_vandergrift logged in."}, {"id": "2", "text": "well"}])
    register.write_text("name,age\nThaddeus Vandergrift,61\n")
    assert run("notes", "attack", notes, "--register", register, "--max-leaks", 0, code=1)["leaks"] == 1

    ontology = folder / "ontology.csv"
    ontology.write_text("".join(f"{leaf};{up};thing\n" for up, leaves in {
        "state capital": ["Sacramento", "Boston", "Austin", "Denver"], "drug": ["marijuana", "heroin", "opium", "cocaine"],
        "pain": ["lumbar pain", "headache", "toothache"], "carcinoma": ["liver cancer", "lung cancer"]}.items()
        for leaf in leaves))
    write(notes, [{"id": "t", "text": "A Sacramento resident purchased marijuana for the lumbar pain caused by liver "
                                      "cancer."}])
    plausible = run("notes", "plausibility", notes, "--t", 96, "--minimum", 2, "--ontology", ontology, "--out",
                    folder / "plausible.jsonl")
    assert plausible["texts"] == 96 and plausible["t"] == 96 and 0 < plausible["loss"] < 1, plausible
    assert json.loads((folder / "plausible.jsonl").read_text())["text"] == (
        "A state capital resident purchased drug for the pain caused by carcinoma.")
    run("notes", "plausibility", notes, "--t", 1000000, "--ontology", ontology, code=1)


def training(folder):
    notes, model = folder / "notes.jsonl", folder / "model"
    made = run("generate", "notes", "--notes", 60, "--seed", 7, "--templates", "trained", "--out", notes, "--register",
               folder / "people.csv")
    assert made["notes"] == 60 and made["patients"] == 20 and made["spans"] > 300, made
    for line in notes.read_text(encoding="utf-8").splitlines():
        note = json.loads(line)
        assert all(0 <= s["start"] < s["end"] <= len(note["text"]) for s in note["spans"]), note
    first = notes.read_bytes()
    run("generate", "notes", "--notes", 60, "--seed", 7, "--templates", "trained", "--out", notes, "--force")
    assert notes.read_bytes() == first
    trained = run("notes", "train", "--annotated", notes, "--folds", 2, "--epochs", 30, "--seed", 1, "--out", model,
                  "--suggest", 2, "--pool", notes)
    assert 0.5 < trained["f1"] <= 1 and trained["folds"] == 2 and len(trained["fold_f1"]) == 2, trained
    assert len(trained["suggested"]) == 2, trained
    run("notes", "tag", notes, "--model", model, "--out", folder / "spans.jsonl")
    assert run("notes", "evaluate", folder / "spans.jsonl", "--gold", notes)["recall_any"] > 0.95
    run("notes", "tag", notes, "--model", notes, "--out", folder / "spans.jsonl", code=2)


def forms(folder):
    texts = folder / "texts"
    (texts / "p1").mkdir(parents=True)
    (texts / "p1" / "Smith-1.txt").write_bytes("Zoe\u0308 Smith came.\r\nCall 617-555-0199.".encode())
    (texts / "p1" / "Smith-1.ann").write_text("T1\tname 0 10\tx\n")
    (texts / "bad.txt").write_bytes(b"a\0b")
    (texts / "p1" / "windows.txt").write_bytes("Frau M\u00fcller \u2013 Tel. 617-555-0155".encode("cp1252"))
    (texts / "beyond.txt").write_text("short")
    (texts / "beyond.ann").write_text("T1\tname 0 99\tx\n")
    (texts / "doc.xml").write_text("<ClinicalDocument><title>Smith</title><section><title>Plan</title><text>Call "
                                   "617-555-0177.</text></section></ClinicalDocument>")
    (folder / "release").mkdir()
    out = folder / "release" / "out.jsonl"
    done = run("notes", "protect", texts, "--out", out, "--private", folder / "private")
    assert done["released"] == 3 and len(done["rejected"]) == 2 and done["finding"]["marked"] == 1, done
    assert [one["why"] for one in done["repaired"]] == ["not UTF-8, read as Windows-1252"], done
    everything = out.read_text() + out.with_name(out.name + ".manifest.json").read_text()
    assert "Smith" not in everything and "555" not in out.read_text() and "Zoe" not in everything, everything
    # What is hidden in a folder is no note: the private manifests of an earlier run are there.
    secrets = folder / "secrets"
    (secrets / ".pratique" / "private").mkdir(parents=True)
    (secrets / ".pratique" / "private" / "x.json").write_text('{"key": "secret"}')
    (secrets / "a.txt").write_text("Pt is well.")
    done = run("notes", "protect", secrets, "--out", folder / "release" / "secrets.jsonl", "--private", folder / "private")
    assert done["released"] == 1 and "secret" not in (folder / "release" / "secrets.jsonl").read_text(), done
    # Marked spans that overlap are taken together, and that is said.
    write(folder / "overlap.jsonl", [{"id": "6", "text": "abc def", "spans": [
        {"start": 0, "end": 5, "type": "name"}, {"start": 3, "end": 7, "type": "date"}]}])
    done = run("notes", "tag", folder / "overlap.jsonl", "--out", folder / "overlap-spans.jsonl")
    assert [one["line"] for one in done["repaired"]] == [1], done
    table = folder / "notes.csv"
    table.write_text('note_id,person_id,note_text\n1,7,"Call 617-555-0188, ""now""\nplease"\n2,7,well\n')
    done = run("notes", "protect", table, "--out", folder / "table.jsonl", "--private", folder / "private")
    assert done["released"] == 2 and done["patients"] == 1, done
    assert run("verify", folder / "table.jsonl")["holds"] is True
    done = run("notes", "tag", table, "--id-column", "note_id", "--text-column", "note_text", "--out",
               folder / "spans.jsonl", "--as", "brat")
    assert done["notes"] == 2 and "T1\\tphone 5 17" in (folder / "spans.jsonl").read_text(), done
    # What tag writes in each form comes back as the same spans.
    run("notes", "tag", table, "--out", folder / "plain.jsonl")
    for form in ("brat", "inline"):
        run("notes", "tag", table, "--out", folder / "marked.jsonl", "--as", form, "--force")
        same = run("notes", "evaluate", folder / "plain.jsonl", "--gold", folder / "marked.jsonl")
        assert same["gold"] == 1 and same["recall_full"] == 1 and same["over_redaction"] == 0, (form, same)
    resource = folder / "fhir.json"
    resource.write_text(json.dumps({"resourceType": "DocumentReference", "id": "d", "content": [
        {"attachment": {"contentType": "text/plain", "data": "Q2FsbCA2MTctNTU1LTAxODg="}}]}))
    done = run("notes", "tag", resource, "--out", folder / "fhir.jsonl")
    assert done["notes"] == 1 and done["spans"] == 1, done


def statistical(folder):
    notes, out = folder / "notes.jsonl", folder / "out.jsonl"
    run("generate", "notes", "--notes", 240, "--seed", 3, "--out", notes)
    done = run("notes", "protect", notes, "--mode", "statistical", "--replace", "generalise", "--k", 5, "--out", out,
               "--private", folder / "private")
    assert done["k_verified"] >= 5 and done["released"] + done["withheld"] == 240, done
    people = {}
    for line in out.read_text().splitlines():
        note = json.loads(line)
        assert not re.search(r"\b(in|since) (19|20)\d\d\b(?!\.\.)", note["text"]), note["text"]
        people[note["patient"]] = tuple(note["view"][key] for key in ("age", "sex", "zip", "year"))
    for row in set(people.values()):
        assert sum(1 for other in people.values() if other == row) >= 5, row
    verified = run("verify", out)
    assert verified["holds"] is True and len(verified["claims"]) == 2, verified
    # One patient alone in a row is seen.
    lines = [json.loads(line) for line in out.read_text().splitlines()]
    for note in lines:
        if note["patient"] == lines[0]["patient"]:
            note["view"]["age"] = "41"
    out.write_text("".join(json.dumps(note, separators=(",", ":")) + "\n" for note in lines))
    assert [claim["holds"] for claim in run("verify", out, code=1)["claims"]] == [True, False]
    run("notes", "protect", notes, "--mode", "statistical", "--replace", "tags", "--out", out, code=2)


def synthesize(folder):
    """The view under differential privacy in one step: what leaves has the ages of nobody."""
    notes, out = folder / "notes.jsonl", folder / "synthetic.csv"
    run("generate", "notes", "--notes", 300, "--seed", 5, "--out", notes)
    done = run("notes", "synthesize", notes, "--view", folder / "view.csv", "--ledger", folder / "budget.ledger",
               "--epsilon", 2, "--out", out, "--private", folder / "private")
    assert done["persons"] == 100 and done["notes"] == 300, done
    assert oct((folder / "view.csv").stat().st_mode & 0o777) == "0o600"
    head, *rows = out.read_text().splitlines()
    assert head == "age,sex,zip,first_date" and rows, head
    assert all(re.fullmatch(r"(\d+\.\.\d+)?,(F|M|other),[\d.]*,[\d-]*", row) for row in rows), rows[:5]
    assert run("verify", out)["holds"] is True
    # All of the budget is spent, and a note of nobody is refused: its row would depend on others' notes.
    assert run("dp", "budget", folder / "budget.ledger")["left"] == 0
    write(notes, [{"id": "1", "text": "well"}])
    run("notes", "synthesize", notes, "--view", folder / "view2.csv", "--ledger", folder / "b2.ledger", "--epsilon", 1,
        "--out", folder / "s2.csv", code=2)


if __name__ == "__main__":
    for test in (main, protect, others, training, forms, statistical, synthesize):
        with tempfile.TemporaryDirectory() as name:
            test(pathlib.Path(name))
