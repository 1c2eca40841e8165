"""Clinical text: identifiers are found and replaced, and somebody with a register looks for people in what is left."""
from demo import Stop, percent, pratique

ORDER = 35
NOTES = "notes.jsonl"
PEOPLE = "notes-people.csv"
SPANS = "notes-spans.jsonl"
NOTES_RELEASE = "release/notes.jsonl"


def run():
    pratique("write clinical notes of nobody", "generate", "notes", "--notes", "300", "--seed", "1", "--register", PEOPLE,
             "--out", NOTES)
    pratique("find the identifiers in them", "notes", "tag", NOTES, "--out", SPANS)
    measured = pratique("see how well", "notes", "evaluate", SPANS, "--gold", NOTES)
    pratique("release the notes with tags in the place of identifiers", "notes", "protect", NOTES, "--mode", "full",
             "--replace", "tags", "--out", NOTES_RELEASE)
    verified = pratique("verify the released notes", "verify", NOTES_RELEASE)
    attacked = pratique("look for people of a register in them", "notes", "attack", NOTES_RELEASE, "--register", PEOPLE,
                        "--original", NOTES)
    before, after = attacked["before"], attacked["after"]
    rows = [("direct identifiers in the text", f"{before['leaks']:,}", f"{after['leaks']:,}"),
            ("patients found in a register", f"{before['reidentified']:,}", f"{after['reidentified']:,}"),
            ("identifiers that finding touches", percent(measured["recall_any"]), ""),
            ("verified from the file", "", "yes" if verified["holds"] else "NO")]
    return Stop(
        title="Clinical text", short="the clinical notes", rows=rows,
        story="""Notes name patients, relatives and doctors, with dates, addresses and numbers. Several detectors compete for
every span; what they find becomes tags that keep who is who. The verifier reads the released text with rules of its own.""")
