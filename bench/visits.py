"""A synthetic table of hospital visits with 50 columns, whose numbers of values and skew are those of the Diabetes 130-US
hospitals table (UCI): a number for each visit and patient, 22 columns of demographics and counts, 23 drugs that few take."""
import random

COUNTS = {"race": 6, "gender": 3, "age": 10, "weight": 10, "admission_type": 8, "discharge_to": 26, "admission_source": 17,
          "days": 14, "payer": 18, "specialty": 73, "lab_procedures": 118, "procedures": 7, "medications": 75,
          "outpatient_visits": 39, "emergency_visits": 33, "inpatient_visits": 21, "diag_1": 717, "diag_2": 749, "diag_3": 790,
          "diagnoses": 16, "glucose": 4, "a1c": 4}
EVEN = {"age", "days", "lab_procedures", "medications"}
TAKEN = [0.2, 0.015, 0.007, 0.05, 1e-3, 1e-5, 0.12, 0.1, 2e-4, 0.07, 0.06, 0.003, 4e-4, 3e-5, 4e-4, 0, 0, 0.5, 0.007, 1e-4, 1e-5,
         2e-5, 1e-5]


def write_visits(path, rows, seed=1):
    draw = random.Random(seed)
    columns = {"encounter_id": draw.sample(range(10**8, 10**9), rows),
               "patient_nbr": [draw.randrange(10**7, 10**7 + rows + rows // 5) for _ in range(rows)]}
    for name, count in COUNTS.items():
        weights = [1] * count if name in EVEN else [1 / (i + 1) for i in range(count)]
        columns[name] = draw.choices(range(1, count + 1), weights, k=rows)
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
