"""Two hospitals release independently; some patients were at both."""
import csv

from demo import DEMO, K, L, WORLD, Stop, percent, pratique

ORDER = 40
HOSPITALS = ("H01", "H02")
HOSPITAL_COLUMNS = "age,sex,zip,race,marital_status,education"


def hospital_tables():
    """Writes the patients of two hospitals, those of both, and everybody once; gives the files' names."""
    def rows(name):
        with open(DEMO / WORLD / name, encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))

    patient_of = {row["person"]: row["patient"] for row in rows("truth/people.csv")}
    seen = {hospital: {patient_of[row["person"]] for row in rows("truth/visits.csv") if row["hospital"] == hospital}
            for hospital in HOSPITALS}
    wanted = {"one": seen[HOSPITALS[0]], "two": seen[HOSPITALS[1]], "both": seen[HOSPITALS[0]] & seen[HOSPITALS[1]],
              "all": seen[HOSPITALS[0]] | seen[HOSPITALS[1]]}
    columns = [*HOSPITAL_COLUMNS.split(","), "diagnosis"]
    (DEMO / "hospitals").mkdir()
    for name, patients in wanted.items():
        with open(DEMO / "hospitals" / f"{name}.csv", "w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, columns, extrasaction="ignore")
            writer.writeheader()
            writer.writerows(row for row in rows("patients.csv") if row["patient"] in patients)
    return {name: f"hospitals/{name}.csv" for name in wanted}


def run():
    tables = hospital_tables()
    hierarchies = ["--hierarchy", "zip=prefix", "--hierarchy", "age=interval:5,10,20"]

    def protect(what, name):
        return pratique(what, "tables", "protect", tables[name], "--qi", HOSPITAL_COLUMNS, "--sensitive", "diagnosis",
                        *hierarchies, "--method", "mondrian", "--k", str(K), "--l", str(L), "--seed", "1", "--out",
                        f"release/{name}.csv")

    def compose(what, *names):
        releases = [flag for name in names for flag in ("--release", f"release/{name}.csv")]
        return pratique(what, "fusion", "compose", *releases, "--targets", tables["both"], "--qi", HOSPITAL_COLUMNS,
                        "--sensitive", "diagnosis", "--truth-column", "diagnosis", *hierarchies)

    losses = [protect(f"a hospital releases its patients: {K} records and {L} diagnoses in every class", "one"),
              protect("another hospital does too, independently", "two")]
    apart = compose("intersect what both releases say about the patients who were at both", "one", "two")
    losses.append(protect("the two release one table together instead", "all"))
    together = compose("ask the joint release about the same patients", "all")

    def people(found):
        return f"{round(found['perfect_breach'] * found['targets']):,}"

    def mean(numbers):
        return f"{sum(numbers) / len(numbers):.1f}"

    rows = [("patients who were at both", f"{apart['targets']:,}", f"{together['targets']:,}"),
            ("possible diagnoses, by one release", mean(apart["effective_anonymity"]["prior"]),
             mean(together["effective_anonymity"]["prior"])),
            ("possible diagnoses, by all releases", mean([apart["effective_anonymity"]["posterior"]]),
             mean([together["effective_anonymity"]["posterior"]])),
            ("patients left with one diagnosis", people(apart), people(together)),
            ("most probable diagnosis is correct", percent(apart["bayes"]["correct"]),
             percent(together["bayes"]["correct"])),
            ("information lost (LM)", percent(sum(loss["metrics"]["lm"] for loss in losses[:2]) / 2),
             percent(losses[2]["metrics"]["lm"]))]
    return Stop(
        title="Two hospitals, separately", short="two hospitals' releases", rows=rows, columns=("apart", "as one"),
        story=f"""Two hospitals release their patients without knowing about each other, each with at least {K} records and {L}
diagnoses in every class. Anyone who was at both has a class in each, and only diagnoses that both classes contain can be
theirs. For comparison, the hospitals release one table together.""")
