"""Three hospitals that may not show each other their lists decide together what each may disclose."""
import csv

from demo import DEMO, K, WORLD, Stop, pratique

ORDER = 35
SITES = 3


def run():
    names = []
    # Small ones, so that it is quick.
    folders = sorted((DEMO / WORLD / "hospitals").iterdir(), key=lambda folder: (folder / "dna.csv").stat().st_size)[4:4 + SITES]
    for number, folder in enumerate(folders, 1):
        names.append(f"H{number}")
        place = DEMO / "consortium-data" / names[-1]
        place.mkdir(parents=True)
        for source, columns, name in (("discharges.csv", ("name", "date_of_birth"), "identified.csv"),
                                      ("dna.csv", ("sample",), "deidentified.csv")):
            with open(folder / source, newline="") as table, open(place / name, "w", newline="") as out:
                rows = csv.writer(out)
                rows.writerow(["element"])
                rows.writerows([" ".join(row[column] for column in columns)] for row in csv.DictReader(table))
    pratique("make certificates and settings of a consortium of three hospitals", "consortium", "init", "--sites", ",".join(names),
             "--k", str(K), "--out", "consortium")
    decided = pratique("decide what each discloses, on lists that only their owners can read", "consortium", "run", "--config",
                       "consortium/consortium.yaml", "--data", "consortium-data")
    verified = pratique("verify the authority's signature over a hospital's list", "verify", "consortium-data/H1/disclosed.csv",
                        "--authority", "consortium/A.pem")
    submitted = sum(one.get("submitted", 0) for one in decided["participants"])
    facts = [("samples that three hospitals hold", f"{submitted:,}"), ("samples that they may disclose", f"{decided['disclosed']:,}"),
             ("checks that held", f"{sum(check['held'] for check in decided['checks'])} of {len(decided['checks'])}"),
             ("multiplications of points", f"{decided['operations']:,}"),
             ("signed by the authority", "yes" if verified["holds"] else "NO")]
    return Stop(
        title="Hospitals that may not see each other's lists", short="", rows=[], facts=facts,
        story=f"""The trails of the last stop need the lists of all hospitals, and no hospital may hand out its own. Here each encrypts
its lists with the keys of all, an authority that can read none of them decides which samples leave so that each could belong
to at least {K} people, and every step comes with a proof that it was done right.""")
