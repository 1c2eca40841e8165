"""A synthetic table of hospital visits with 50 columns, whose numbers of values and skew are those of the Diabetes 130-US
hospitals table (UCI): a number for each visit and patient, 22 columns of demographics and counts, 23 drugs that few take.
As there, a patient comes 1.4 times on average and stays who it is, ages are ranges ("[70-80)"), and "?" is not known."""
import random

PERSON = ["race", "gender", "age"]
UNKNOWN = ["race", "weight", "payer", "specialty"]

COUNTS = {"race": 6, "gender": 3, "age": 10, "weight": 10, "admission_type": 8, "discharge_to": 26, "admission_source": 17,
          "days": 14, "payer": 18, "specialty": 73, "lab_procedures": 118, "procedures": 7, "medications": 75,
          "outpatient_visits": 39, "emergency_visits": 33, "inpatient_visits": 21, "diag_1": 717, "diag_2": 749, "diag_3": 790,
          "diagnoses": 16, "glucose": 4, "a1c": 4}
EVEN = {"age", "days", "lab_procedures", "medications"}
TAKEN = [0.2, 0.015, 0.007, 0.05, 1e-3, 1e-5, 0.12, 0.1, 2e-4, 0.07, 0.06, 0.003, 4e-4, 3e-5, 4e-4, 0, 0, 0.5, 0.007, 1e-4, 1e-5,
         2e-5, 1e-5]


def write_visits(path, rows, seed=1):
    draw = random.Random(seed)
    people = max(1, round(rows * 71_518 / 101_766))
    of = [*range(people), *(draw.randrange(people) for _ in range(rows - people))]
    draw.shuffle(of)
    columns = {"encounter_id": draw.sample(range(10**8, 10**9), rows), "patient_nbr": [10**7 + patient for patient in of]}
    for name, count in COUNTS.items():
        values = [f"[{10 * i}-{10 * i + 10})" for i in range(count)] if name == "age" else list(range(1, count + 1))
        if name in UNKNOWN:
            values[0] = "?"
        weights = [1] * count if name in EVEN else [1 / (i + 1) for i in range(count)]
        drawn = draw.choices(values, weights, k=people if name in PERSON else rows)
        columns[name] = [drawn[patient] for patient in of] if name in PERSON else drawn
    for i, share in enumerate(TAKEN):
        columns[f"drug_{i}"] = draw.choices(["No", "Steady", "Up", "Down"], [1 - share, 0.7 * share, 0.15 * share, 0.15 * share],
                                            k=rows)
    columns["change"] = draw.choices(["Ch", "No"], k=rows)
    columns["medicated"] = draw.choices(["Yes", "No"], [3, 1], k=rows)
    columns["readmitted"] = draw.choices(["no", "later", "soon"], [5, 3, 1], k=rows)
    with open(path, "w") as out:
        out.write(",".join(columns) + "\n")
        for row in zip(*columns.values()):
            out.write(",".join(map(str, row)) + "\n")
    return list(columns)
