"""The report of releases, and the ledger, which refuses a second release that tells too much beside the first."""
from demo import (DEMO, DNA_RELEASE, HIERARCHIES, K, L, LEDGER, NOT_RELEASED, QUASI_IDENTIFIERS, RELEASE, RELEASE_REPORT, WORLD, Stop,
                  percent, pratique)

ORDER = 90
SECOND_RELEASE = "second/patients.csv"


def run():
    pratique("write the report that justifies both releases", "report", RELEASE, DNA_RELEASE, "--ru-map", "map/ru-map.json",
             "--recipient", "a university", "--purpose", "a study of readmissions", "--approved-by", "the data steward",
             "--out", RELEASE_REPORT)
    pratique("start a ledger", "ledger", "init", LEDGER)
    first = pratique("record the research table", "ledger", "add", LEDGER, RELEASE, "--population", "consortium", "--report",
                     RELEASE_REPORT)
    # Nothing joins a table to samples by where they were seen, so the two are not attacked together.
    pratique("record the DNA samples", "ledger", "add", LEDGER, DNA_RELEASE, "--population", "consortium",
             "--allow-unattacked")
    (DEMO / "second").mkdir()
    pratique("make a second release of the same patients, by another method", "tables", "protect", f"{WORLD}/patients.csv",
             "--id", NOT_RELEASED, "--qi", QUASI_IDENTIFIERS, "--sensitive", "diagnosis", *HIERARCHIES, "--method", "cluster-up",
             "--k", str(K), "--l", str(L), "--seed", "1", "--out", SECOND_RELEASE)
    second = pratique("ask the ledger to record that too: it refuses", "ledger", "add", LEDGER, SECOND_RELEASE, "--population",
                      "consortium", "--releases", "release", "--max-breach", "0.05", "--allow-unattacked", expect=1)
    verified = pratique("verify the ledger", "ledger", "verify", LEDGER, "--save-head", "head.json")
    alone, together = (one["sequence"]["attributes"][0]["disclosed"] for one in (first, second))
    facts = [("diagnoses disclosed by the release alone", percent(alone)),
             ("diagnoses disclosed by both releases together", percent(together)),
             ("entries in the ledger", str(verified["size"] - 1))]
    return Stop(
        title="Report and ledger", short="", rows=[], facts=facts,
        story=f"""The report ({RELEASE_REPORT}) justifies both releases. The ledger ({LEDGER}) recorded them, and refused a second
release of the same patients: neither alone discloses anybody's diagnosis, but both together do.""")
