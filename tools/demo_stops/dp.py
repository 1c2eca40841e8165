"""Differential privacy: answers with noise from a budget, and a synthetic table that is like the patients."""
import shutil

from demo import DEMO, WORLD, Stop, percent, pratique

ORDER = 37
FOLDER = "dp"
LEDGER = f"{FOLDER}/budget.ledger"
PATIENTS = f"{FOLDER}/patients.csv"
SYNTHETIC = "release/synthetic.csv"
DOMAINS = ["age=0..99:10", "sex=F|M", "race=White|Black|Hispanic|Asian|Native|Other",
           "marital_status=Married|Never married|Divorced|Widowed",
           "education=No diploma|Diploma|Some college|Bachelor|Graduate"]
QUESTION = "SELECT COUNT(*) FROM data WHERE sex = 'F' AND age BETWEEN 60 AND 69"


def run():
    # The registry of budgets stands beside the data, so the data has a folder of its own.
    (DEMO / FOLDER).mkdir()
    shutil.copy(DEMO / WORLD / "patients.csv", DEMO / PATIENTS)
    pratique("bind a privacy budget to the patients", "dp", "open", LEDGER, "--data", PATIENTS, "--epsilon", "1.5", "--delta",
             "1e-6", "--person", "patient")
    answer = pratique("ask how many women are in their sixties", "dp", "query", LEDGER, "--epsilon", "0.5", QUESTION)
    pratique("release a synthetic table", "dp", "synthesize", LEDGER, "--epsilon", "1",
             *[word for domain in DOMAINS for word in ("--domain", domain)], "--out", SYNTHETIC)
    verified = pratique("verify the synthetic table", "verify", SYNTHETIC)
    measured = pratique("hold it against the patients, for the steward alone", "dp", "evaluate", SYNTHETIC, "--original", PATIENTS,
                        "--label", "marital_status")
    pratique("ask once more: the budget is spent", "dp", "query", LEDGER, "--epsilon", "0.1", QUESTION, expect=1)
    low, high = answer["intervals"][0][0]
    classifier = measured["classifier"]
    rows = [("rows", f"{measured['original_rows']:,}", f"{measured['rows']:,}"),
            ("marital status, guessed by a classifier", percent(classifier["trained_on_original"]),
             percent(classifier["trained_on_synthetic"])),
            ("error of two columns together, mean", "", percent(measured["two_way"]["mean_distance"])),
            ("verified from the file", "", "yes" if verified["holds"] else "NO")]
    return Stop(
        title="Differential privacy", short="a synthetic table", rows=rows, columns=("original", "synthetic"),
        facts=[("women in their sixties, with noise", f"{answer['rows'][0][0]:,.0f}"),
               ("the count without noise, by 95 %", f"{low:,.0f}..{high:,.0f}")],
        story="""Nobody can tell from these answers whether any one patient is in the data, whatever else is known. Every answer
is charged to a budget before it is computed. A synthetic table keeps what columns say of each other and has nobody's row;
after it the budget is spent, and the next question is refused.""")
