"""An insurer's list keeps names and loses income; the web knows more about these people."""
from demo import WORLD, Stop, percent, pratique

ORDER = 50
LIST_RELEASE = "release/list.csv"


def dollars(mean_square):
    return f"{mean_square ** 0.5:,.0f}"


def run():
    insurer, facts = f"{WORLD}/insurer.csv", f"{WORLD}/web_facts.csv"
    named = ["--key", "name", "--target", "income", "--rules", "rules.fcl"]
    pratique("draft an adversary's rules: how income relates to the list's columns and to employment", "fusion", "rules",
             "--from", insurer, "--auxiliary", facts, "--key", "name", "--target", "income", "--inputs",
             "valuation,expenditure_index,visit_index,employment", "--tune", "--out", "rules.fcl")
    before = pratique("estimate the incomes missing from an insurer's list, with facts from the web", "fusion", "web",
                      "--release", insurer, "--auxiliary", facts, *named)
    pratique("find the level of anonymity that resists (FRED)", "fusion", "fred", insurer, "--auxiliary", facts, *named,
             "--qi", "visit_index,expenditure_index,valuation", "--id", "member", "--rows-are-people", "--tp", "1e9", "--tu",
             "1e-6", "--seed", "1", "--charts", "fred", "--out", LIST_RELEASE)
    verified = pratique("verify the released list", "verify", LIST_RELEASE)
    after = pratique("estimate the incomes from the released list the same way", "fusion", "web", "--release",
                     LIST_RELEASE, "--auxiliary", facts, *named, "--truth", insurer)
    rows = [("members found on the web", f"{before['matched']:,}", f"{after['matched']:,}"),
            ("typical error without the web, dollars", dollars(before["dissimilarity_before"]),
             dollars(after["dissimilarity_before"])),
            ("typical error with the web, dollars", dollars(before["dissimilarity_after"]),
             dollars(after["dissimilarity_after"])),
            ("typical error of guessing the mean, dollars", dollars(before["variance_of_target"]), dollars(after["variance_of_target"])),
            ("incomes estimated within 10 %", percent(before["within_10_percent"]), percent(after["within_10_percent"])),
            ("verified from the file", "", "yes" if verified["holds"] else "NO")]
    return Stop(
        title="An insurer's list and the web", short="the insurer's list", rows=rows,
        story="""An insurer passes on its list of members inside the company: names stay, incomes are removed. Anyone who has the
list can look the members up on the web; employment, combined with what the list says, comes close to their incomes. FRED generalises the list, level by level, until the strongest estimate is far enough off.""",
        pictures=[("What the strongest estimate is off by, at each level.", "fred/dissimilarity.svg")])
