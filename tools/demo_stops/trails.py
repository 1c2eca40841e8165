"""Discharge lists have names, DNA has none: where each was seen links the two."""
from demo import DNA_RELEASE, K, WORLD, Stop, pratique

ORDER = 30


def run():
    people = ["--identified", f"{WORLD}/hospitals/*/discharges.csv", "--identified-element", "name,date_of_birth"]
    samples = ["--deidentified", f"{WORLD}/hospitals/*/dna.csv", "--deidentified-element", "sample"]
    released = ["--deidentified", DNA_RELEASE, "--deidentified-element", "sample"]
    before = pratique("link DNA samples to discharge lists by where they were seen", "trails", "attack", *people, *samples,
                      "--k", str(K))
    protected = pratique(f"choose what each hospital discloses: {K} possible people for every sample", "trails", "protect",
                         *people, *samples, "--k", str(K), "--seed", "1", "--out", DNA_RELEASE)
    verified = pratique("verify the released samples against the discharge lists", "verify", DNA_RELEASE)
    after = pratique("link the released samples the same way", "trails", "attack", *people, *released, "--k", str(K))
    rows = [("DNA samples", f"{protected['samples_in']:,}", f"{protected['samples_out']:,}"),
            ("copies at hospitals", f"{protected['records_in']:,}", f"{protected['records_out']:,}"),
            ("hospitals that disclose samples", str(protected["locations_in"]), str(protected["locations_out"])),
            ("samples whose person is certain", f"{before['reidentified']:,}", f"{after['reidentified']:,}"),
            (f"samples with fewer than {K} possible people", f"{before['k_reidentified']:,}", f"{after['k_reidentified']:,}"),
            ("verified from the file", "", "yes" if verified["holds"] else "NO")]
    return Stop(
        title="DNA samples and discharge lists", short="the DNA samples", rows=rows,
        story=f"""The hospitals also share DNA without names. Anyone who has their discharge lists sees where every person was
treated and where every sample was taken: trails that link the two. The release says which hospital discloses which sample,
so that each could belong to at least {K} people; nothing is changed and nothing is invented.""")
