"""Promises of the genomes noun. Whole processes are compared: wall time and peak memory."""
import random
import shutil
import subprocess
import sys

from promise import DATA, PROGRAM, ROOT, by_turns, report, run


def sequences(people=1_000, length=16_500):
    """Mitochondrial genomes: a tree of 60 haplogroups, a few mutations of everybody's own; made once."""
    path = DATA / f"mtdna-{people}.fasta"
    if not path.exists():
        DATA.mkdir(parents=True, exist_ok=True)
        draw = random.Random(5)
        groups = [[draw.choice("ACGT") for _ in range(length)]]
        places = draw.sample(range(length), 800)
        for _ in range(60):
            group = list(draw.choice(groups))
            for place in draw.sample(places, 12):
                group[place] = draw.choice("ACGT")
            groups.append(group)
        with path.open("w") as out:
            for person in range(people):
                letters = list(draw.choice(groups))
                for place in draw.sample(places, 6):
                    letters[place] = draw.choice("ACGT")
                out.write(f">p{person}\n{''.join(letters)}\n")
    return str(path)


def genotypes(people, sites):
    """A BCF file of unrelated people, and tables of the frequencies of its first hundred and of its last thousand; made once."""
    path = DATA / f"people-{people}-{sites}.bcf"
    table, others = DATA / f"people-{people}-{sites}.csv", DATA / f"others-{people}-{sites}.csv"
    if not (path.exists() and table.exists() and others.exists()):
        DATA.mkdir(parents=True, exist_ok=True)
        print(f"making genotypes of {people} people at {sites} sites", file=sys.stderr)
        draw = random.Random(6)
        writer = subprocess.Popen(["bcftools", "view", "-Ob", "-o", str(path), "-"], stdin=subprocess.PIPE, text=True)
        writer.stdin.write('##fileformat=VCFv4.2\n##contig=<ID=1>\n##FORMAT=<ID=GT,Number=1,Type=String,Description="g">\n'
                           "#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\tFORMAT\t" +
                           "\t".join(f"s{i}" for i in range(people)) + "\n")
        calls = ("0|0", "0|1", "1|1")
        with table.open("w") as frequencies, others.open("w") as reference:
            for out in (frequencies, reference):
                out.write("chrom,pos,ref,alt,frequency\n")
            for site in range(sites):
                f = draw.uniform(0.05, 0.95)
                weights = ((1 - f) ** 2, 2 * f * (1 - f), f * f)
                dosages = draw.choices((0, 1, 2), weights, k=people)
                writer.stdin.write(f"1\t{site + 1}\t.\tA\tG\t.\t.\t.\tGT\t" + "\t".join(calls[d] for d in dosages) + "\n")
                frequencies.write(f"1,{site + 1},A,G,{sum(dosages[:100]) / 200}\n")
                reference.write(f"1,{site + 1},A,G,{sum(dosages[-1000:]) / 2000}\n")
        writer.stdin.close()
        writer.wait()
    return str(path), str(table), str(others)


released = str(DATA / "genomes-release.fasta")
fasta = sequences()
cost = run([PROGRAM, "genomes", "protect", fasta, "--method", "dnala", "--k", "2", "--out", released, "--seed", "1", "--force",
            "--json"])
report("genomes.dnala.time", cost.seconds, 10.0, 1.0, "s")

bcftools = shutil.which("bcftools")
if bcftools is None:
    print("genomes.membership.time skipped: bcftools is not installed")
else:
    people, pool, reference = genotypes(2_504, 100_000)
    small, small_pool, small_reference = genotypes(2_504, 20_000)

    # The targets are read in one pass; pool and reference are tables, so that this is the only file of genotypes.
    def attack(targets, of_pool, of_reference):
        return [PROGRAM, "genomes", "attack", "membership", "--pool", of_pool, "--reference", of_reference, "--targets", targets,
                "--seed", "1", "--json"]

    # The least that bcftools can do with the file: records are inflated, taken apart and passed on, genotypes are not looked at.
    whole = attack(people, pool, reference)
    turns = by_turns(whole, [bcftools, "view", "-Ou", "-o", "/dev/null", people], runs=3)
    report("genomes.membership.time", turns.ours.seconds, turns.theirs.seconds, 2.0, "s")
    printed = by_turns(whole, [bcftools, "query", "-f", "[%GT]", people], runs=3)
    report("genomes.membership.genotypes", printed.ours.seconds, printed.theirs.seconds, 1.0, "s")
    fewer = run(attack(small, small_pool, small_reference))
    report("genomes.membership.memory", turns.ours.megabytes, fewer.megabytes, 2.0, "MB")
