"""Diagnosis codes: a few of them single a patient out, until codes that are rare together are generalised."""
from demo import DEMO, K, WORLD, Stop, percent, pratique

ORDER = 20
CODES_RELEASE = "release/codes.csv"
KNOWN = 2


def run():
    codes = f"{WORLD}/codes.csv"
    pratique("see how far diagnosis codes single patients out", "codes", "assess", codes, "--k", str(K), "--seed", "1")
    protected = pratique(f"generalise codes until any {KNOWN} of them fit {K} patients", "codes", "protect", codes,
                         "--hierarchy", "icd9", "--model", "km", "--method", "local", "--k", str(K), "--m", str(KNOWN),
                         "--seed", "1", "--out", CODES_RELEASE)
    verified = pratique("verify the released codes", "verify", CODES_RELEASE)
    before, after = (protected[side]["m_codes_known"] for side in ("before", "after"))
    voter_list = ["--names", f"{WORLD}/register.csv", "--on", "date_of_birth,sex,zip",
                  "--codes", "primary_diagnosis,other_diagnoses"]
    for path in sorted(DEMO.glob(f"{WORLD}/hospitals/*/discharges.csv")):
        voter_list += ["--discharge", str(path.relative_to(DEMO))]
    two_steps = [pratique(f"name patients of discharge summaries by a voter list, and look for them in {what}",
                          "codes", "attack", file, *voter_list)
                 for what, file in (("the codes", codes), ("the release", CODES_RELEASE))]
    rows = [(f"patients singled out by {KNOWN} codes", f"{before['reidentified']:,}", f"{after['reidentified']:,}"),
            (f"patients with fewer than {K} look-alikes", f"{before['matched_under_k']:,}", f"{after['matched_under_k']:,}"),
            ("found through a voter list and summaries", *(f"{step['reidentified']:,}" for step in two_steps)),
            ("patients in the file", f"{protected['patients_in']:,}", f"{protected['patients_out']:,}"),
            ("information lost (NCP)", "", percent(protected["metrics"]["ncp"])),
            ("verified from the file", "", "yes" if verified["holds"] else "NO")]
    return Stop(
        title="Diagnosis codes", short="the diagnosis codes", rows=rows,
        story=f"""Each patient has a set of diagnosis codes. Who knows {KNOWN} of them, from a neighbour or a sick note, often
knows whose record it is. In the release, codes are generalised along ICD-9 where they are rare together, so that any {KNOWN}
fit at least {K} patients.""")
