"""DNA is unique: sequences that stand there twice, and hashed names that hide nobody."""
import csv
import hashlib

from demo import DEMO, WORLD, Stop, percent, pratique

ORDER = 35
SEQUENCES = "sequences.fasta"
SEQUENCES_RELEASE = "release/sequences.fasta"
STUDY = "study.csv"
MOST = 400


def write_inputs():
    """Sequences of the hospitals' samples, and a study whose people stand there under hashes of their names."""
    samples = {}
    for path in sorted(DEMO.glob(f"{WORLD}/hospitals/*/dna.csv")):
        with path.open(newline="") as table:
            samples.update((row["sample"], row["sequence"]) for row in csv.DictReader(table))
    chosen = sorted(samples)[:MOST]
    (DEMO / SEQUENCES).write_text("".join(f">{sample}\n{samples[sample]}\n" for sample in chosen))
    with (DEMO / WORLD / "register.csv").open(newline="") as table:
        people = [row for _, row in zip(range(MOST), csv.DictReader(table))]
    with (DEMO / STUDY).open("w") as study:
        study.write("pseudonym\n")
        for person in people:
            study.write(hashlib.sha256((person["name"] + person["date_of_birth"]).encode()).hexdigest() + "\n")


def run():
    write_inputs()
    protected = pratique("make DNA sequences stand there twice, letter by letter", "genomes", "protect", SEQUENCES, "--method",
                         "dnala", "--k", "2", "--seed", "1", "--out", SEQUENCES_RELEASE)
    verified = pratique("verify the released sequences", "verify", SEQUENCES_RELEASE)
    broken = pratique("turn hashed names back with a voter list", "genomes", "attack", "dictionary", "--pseudonyms", STUDY,
                      "--column", "pseudonym", "--register", f"{WORLD}/register.csv", "--on", "name,date_of_birth",
                      "--scheme", "sha256")
    systems = pratique("attack four protection systems over a world of families", "genomes", "susceptibility", "--people", "500",
                       "--seed", "1", "--key-bits", "10")
    before, after = protected["before"], protected["after"]
    rows = [("DNA sequences", f"{protected['sequences']:,}", f"{protected['sequences']:,}"),
            ("people whose sequence fits one entry alone", f"{before['unique']:,}", f"{after['unique']:,}"),
            ("entries that fit a person, at least", str(before["fewest_candidates"]), str(after["fewest_candidates"])),
            ("verified from the file", "", "yes" if verified["holds"] else "NO")]
    families = systems["cells"]["FAMILY"]
    return Stop(
        title="DNA sequences", short="the DNA sequences", rows=rows,
        facts=[("lattice distance lost, best pairs", f"{protected['loss']['distance']:,}"),
               ("the same, paired greedily", f"{protected['loss']['greedy_distance']:,}"),
               ("hashed names turned back", f"{broken['broken']:,} of {broken['of']:,}"),
               ("people named by the shape of their family alone", percent(families["TRUST"]))],
        story="""A sequence is nobody's name and everybody's own. In the release each stands there at least twice: close sequences
are paired, and where the two differ a letter says so (R is A or G). Names that were hashed are back in a second,
because a voter list can be hashed, too; and families are known by their shape.""")
