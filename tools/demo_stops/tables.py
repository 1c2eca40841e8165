"""The research table: profiled, attacked with the register, protected, verified, attacked again."""
from demo import HIERARCHIES, K, L, NOT_RELEASED, QUASI_IDENTIFIERS, RELEASE, WORLD, Stop, percent, pratique

ORDER = 10
LINKED_ON = "date_of_birth,sex,zip"


def attack(what, release, *more):
    return pratique(what, "tables", "attack", release, "--register", f"{WORLD}/register.csv", "--on", LINKED_ON,
                    "--sensitive", "diagnosis", "--truth", f"{WORLD}/truth/records.csv", "--truth-key", "entry", *more)


def run():
    patients = f"{WORLD}/patients.csv"
    profile = pratique("profile the research table", "tables", "profile", patients)
    before = pratique("assess it as it is", "tables", "assess", patients, "--qi", QUASI_IDENTIFIERS, "--sensitive",
                      "diagnosis")
    attacked = attack("attack it with the population register", patients)
    pratique("explore risk against utility", "tables", "explore", patients, "--id", NOT_RELEASED, "--qi", QUASI_IDENTIFIERS,
             "--sensitive", "diagnosis", *HIERARCHIES, "--l", str(L), "--ks", "3,5,10,25", "--methods",
             "optimal,mondrian,cluster-up", "--suppression", "0.02", "--out", "map")
    protected = pratique(f"protect it: {K} records and {L} diagnoses in every class", "tables", "protect", patients,
                         "--id", NOT_RELEASED, "--qi", QUASI_IDENTIFIERS, "--sensitive", "diagnosis", *HIERARCHIES,
                         "--method", "mondrian", "--k", str(K), "--l", str(L), "--seed", "1", "--out", RELEASE)
    verified = pratique("verify the released file against its manifest", "verify", RELEASE)
    after = pratique("assess the release", "tables", "assess", RELEASE, "--qi", QUASI_IDENTIFIERS, "--sensitive",
                     "diagnosis")
    attacked_again = attack("attack the release the same way", RELEASE, *HIERARCHIES)
    compared = [("smallest class (k)", str(before["k"]), str(after["k"])),
                ("unique records", f"{before['unique']:,}", f"{after['unique']:,}"),
                ("largest risk of any record", percent(before["risk"]["prosecutor_max"]), percent(after["risk"]["prosecutor_max"])),
                ("named people linked to one record", f"{attacked['linked_uniquely']:,}", f"{attacked_again['linked_uniquely']:,}"),
                ("diagnoses disclosed", f"{attacked['sensitive_disclosed']:,}", f"{attacked_again['sensitive_disclosed']:,}"),
                ("of these correct", f"{attacked['correct']:,}", f"{attacked_again['correct']:,}")]
    facts = [("columns that look like HIPAA identifiers", str(len({found['column'] for found in profile['safe_harbor']}))),
             ("records left out", f"{protected['suppressed']:,}"), ("information lost (LM)", percent(protected["metrics"]["lm"])),
             ("verified from the file", "yes" if verified["holds"] else "NO")]
    return Stop(
        title="A consortium's research table, before and after", short="the research table", rows=compared, facts=facts,
        story=f"""The adversary has the population register and links its people to the research table by date of birth, sex
and ZIP code. The release is the same table, recoded so that every class has at least {K} records and {L} diagnoses, and
verified from the released file.""",
        pictures=[("Every point is a release that was tried; a ring marks those that no other beats on both.", "map/ru-map.svg")])
