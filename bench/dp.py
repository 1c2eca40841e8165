"""Promises of the dp noun: speed as whole processes against DuckDB alone, quality against flat noise and HB, which are
computed in the same run from their definitions."""
import csv
import json
import pathlib
import random
import shutil
import statistics
import subprocess
import tempfile

from promise import DATA, PROGRAM, ROOT, RUNS, THREADS, by_turns, census, duckdb, report, run

NOISE = str(ROOT / "build" / "bench" / "noise_yardstick")
SYNTHESIS = str(ROOT / "build" / "bench" / "synthesis_yardstick")
# The domains of the study of DPCube: age, education, occupation, income.
SIZES = {"age": 79, "education": 14, "occupation": 23, "income": 100}


def printed(*command):
    return json.loads(subprocess.run(command, capture_output=True, check=True).stdout)


def draws():
    for epsilon in ("0.01", "0.1", "1"):
        seconds = statistics.median(printed(NOISE, "draws", epsilon)["seconds"] for _ in range(5))
        report(f"dp.laplace-{epsilon}.5M-draws", seconds, 1.0, 1.0, "s")


def lines():
    """Prefix queries over 1,024 cells at epsilon 0.1: auto against the better of flat noise and HB."""
    for people in (1_000, 100_000, 10_000_000):
        for shape in ("sparse", "clustered", "smooth", "spiky"):
            errors = printed(NOISE, "lines", str(people), shape)
            limit = 0.5 if people == 1_000 and shape in ("sparse", "clustered") else 1.1
            report(f"dp.auto-{shape}-{people}.error", errors["auto"], min(errors["flat"], errors["hb"]), limit, "")


def planes():
    """Random rectangles of 128 x 128 cells at epsilon 0.1: auto against flat noise; what other methods for two columns do."""
    for people in (1_000, 100_000, 10_000_000):
        for shape in ("sparse", "clustered", "smooth", "spiky"):
            errors = printed(NOISE, "planes", str(people), shape)
            limit = 1.5 if people == 10_000_000 else 1.0
            report(f"dp.plane-auto-{shape}-{people}.error", errors["auto"], errors["cells"], limit, "")
            print(f"dp.plane-{shape}-{people}: " + ", ".join(f"{name} {error:.0f}" for name, error in errors.items()))


def scales():
    """The error of the fused kd-tree, as a share of the people, falls from each number of them to ten times as many."""
    for shape in ("sparse", "clustered", "smooth", "spiky"):
        shares = printed(NOISE, "scales", shape)["kdtree"]
        print(f"dp.kdtree-scale-{shape}: " + ", ".join(f"{share:.2g}" for share in shares))
        worst = max(later / earlier for earlier, later in zip(shares, shares[1:]))
        report(f"dp.kdtree-scale-{shape}.error-of-tenfold", worst, 1.0, 1.0, "")


def budget(folder, data):
    ledger = f"{folder}/budget"
    run([PROGRAM, "dp", "open", ledger, "--data", data, "--epsilon", "1000", "--registry", f"{folder}/registry.json",
         "--additional"])
    return ledger


def query():
    """What noise, charge and checks add to the same SQL on the same file."""
    data = census(100_000)
    with tempfile.TemporaryDirectory() as folder:
        ledger = budget(folder, data)
        ours = [PROGRAM, "dp", "query", ledger, "SELECT sex, COUNT(*) FROM data GROUP BY sex", "--epsilon", "0.1",
                "--domain", "sex=Male|Female", "--threads", str(THREADS), "--json"]
        theirs = duckdb(f"SELECT sex, COUNT(*) FROM read_csv('{data}', all_varchar = true) GROUP BY sex")
        turns = by_turns(ours, theirs)
        report("dp.query.overhead", max(0.0, turns.ours.seconds - turns.theirs.seconds), 0.020, 1.0, "s")


def study_table(rows):
    path = DATA / f"dpcube-{rows}.csv"
    if not path.exists():
        DATA.mkdir(parents=True, exist_ok=True)
        draw = random.Random(3)
        with open(path, "w") as out:
            out.write(",".join(SIZES) + "\n")
            for _ in range(rows):
                age = min(78, int(draw.betavariate(2, 3) * 79))
                education = min(13, int(draw.triangular(0, 14, 8)))
                occupation = min(22, int(draw.expovariate(0.2)))
                income = min(99, int(draw.lognormvariate(2.5 + education / 10, 0.6)))
                out.write(f"{age},{education},{occupation},{income}\n")
    return str(path)


def kdtree():
    data = study_table(1_000_000)
    with tempfile.TemporaryDirectory() as folder:
        ledger = budget(folder, data)
        for apart in ("out", "private"):
            pathlib.Path(folder, apart).mkdir()
        domains = [flag for column, size in SIZES.items() for flag in ("--domain", f"{column}=0..{size - 1}")]
        ours = [PROGRAM, "dp", "histogram", ledger, "--columns", ",".join(SIZES), *domains, "--method", "kdtree",
                "--epsilon", "0.1", "--out", f"{folder}/out/h.csv", "--private", f"{folder}/private", "--force", "--threads", str(THREADS)]
        theirs = duckdb(f"SELECT {', '.join(SIZES)}, COUNT(*) FROM read_csv('{data}', all_varchar = true) "
                        f"GROUP BY {', '.join(SIZES)}")
        turns = by_turns(ours, theirs)
        report("dp.kdtree-2.5M-cells.time", turns.ours.seconds, turns.theirs.seconds, 4.0, "s")


def synthetic_against_papers(name, source, domains):
    """Mean total variation distance over all pairs of columns at epsilon 1, beside MST and PrivBayes, which are computed in
    the same run from their papers. Returns it, and the seconds of the whole command."""
    epsilon, delta = "1", "1e-9"
    with tempfile.TemporaryDirectory() as folder:
        for apart in ("out", "private"):
            pathlib.Path(folder, apart).mkdir()
        data = f"{folder}/data.csv"
        shutil.copy(source, data)
        ledger = f"{folder}/budget"
        run([PROGRAM, "dp", "open", ledger, "--data", data, "--epsilon", "1000", "--delta", "1e-6", "--registry",
             f"{folder}/registry.json"])
        distances, seconds = [], []
        for _ in range(RUNS):
            cost = run([PROGRAM, "dp", "synthesize", ledger, "--epsilon", epsilon, "--delta", delta,
                        *(word for domain in domains for word in ("--domain", domain)), "--out", f"{folder}/out/s.csv",
                        "--private", f"{folder}/private", "--force", "--threads", str(THREADS)])
            seconds.append(cost.seconds)
            judged = printed(PROGRAM, "dp", "evaluate", f"{folder}/out/s.csv", "--original", data, "--json")
            distances.append(judged["two_way"]["mean_distance"])
        theirs = printed(SYNTHESIS, data, epsilon, delta, str(RUNS), *domains)
    mean = statistics.mean(distances)
    for method in ("mst", "privbayes"):
        report(f"dp.{name}-synthetic.{method}", mean, theirs[method], 1.0, "")
    return mean, statistics.median(seconds)


def synthetic():
    """UCI Adult, on which the settings of dp synthesize were chosen, and a consortium, on which nothing was."""
    adult = ROOT.parent / "shared" / "data" / "adult"
    if adult.exists():
        domains = ["age=17..90"]
        for column in ("sex", "race", "marital-status", "education", "native-country", "workclass", "occupation",
                       "salary-class"):
            values = [line.split(";")[0].strip() for line in open(adult / f"adult_hierarchy_{column}.csv")]
            domains.append(f"{column}={'|'.join(values)}")
        mean, seconds = synthetic_against_papers("adult", adult / "adult.csv", domains)
        report("dp.adult-synthetic.distance", mean, 0.05, 1.0, "")
        report("dp.adult-synthetic.time", seconds, 30.0, 1.0, "s")
    else:
        print("dp.adult-synthetic: skipped, UCI Adult is not here")
    for patients in (5_000, 30_000):
        with tempfile.TemporaryDirectory() as folder:
            world = f"{folder}/world"
            run([PROGRAM, "generate", "consortium", "--hospitals", "20", "--patients", str(patients), "--seed", "2", "--out",
                 world])
            with open(f"{world}/patients.csv", newline="") as table:
                rows = list(csv.DictReader(table))
            domains = ["age=0..110", "hospital_visits=1..60", "length_of_stay=0..150:5", "cost=0..200000:5000"]
            for column in ("sex", "zip", "race", "marital_status", "education", "hospital"):
                domains.append(f"{column}={'|'.join(sorted({row[column] for row in rows}))}")
            synthetic_against_papers(f"consortium-{patients}", f"{world}/patients.csv", domains)


if __name__ == "__main__":
    draws()
    lines()
    planes()
    scales()
    query()
    kdtree()
    synthetic()
