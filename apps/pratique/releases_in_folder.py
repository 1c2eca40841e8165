"""Releases of every kind, for the tests of what is said about them."""
import json

from program_in_folder import ProgramInFolder

# 40 people; one has an illness that nobody else has, one a postcode, one an age far from all others.
ILLNESSES = ["flu", "gout", "asthma", "cough"]
ROWS = [(f"Person{i:02}", 20 + i, "F" if i % 2 else "M", f"13{i % 4:03}", ILLNESSES[i // 2 % 4]) for i in range(40)]
ROWS[7] = ("Person07", 27, "F", "13003", "kuru-rarissima")
ROWS[11] = ("Person11", 103, "F", "99777", "flu")
PEOPLE = "name,age,sex,zip,illness\n" + "".join(",".join(map(str, row)) + "\n" for row in ROWS)
COLUMNS = ["--id", "name", "--qi", "age,sex,zip", "--sensitive", "illness", "--hierarchy", "age=interval:10,20,40",
           "--hierarchy", "zip=prefix"]


class ReleasesInFolder(ProgramInFolder):
    def private_manifest(self, release):
        """What the manifest of a release does not tell."""
        name = json.loads((self.path / f"{release}.manifest.json").read_text())["private"]
        return json.loads((self.path / ".pratique/private" / f"{name}.json").read_text())

    def as_format_2(self, release):
        """The manifest as it was before there were private ones."""
        manifest = json.loads((self.path / f"{release}.manifest.json").read_text())
        kept = self.private_manifest(release)
        del manifest["private"]
        return {**manifest, "format": 2, **{key: kept[key] for key in ("inputs", "results", "figures")}}

    def release(self, name="out.csv", *more, text=PEOPLE):
        self.file("people.csv", text)
        self.result("tables", "protect", "people.csv", *COLUMNS, "--method", "mondrian", "--k", "5", "--seed", "1",
                    "--out", name, *more)
        return name

    def release_of_each_kind(self):
        self.release()
        codes = "".join(f"P{i:02},{code}\n" for i in range(40) for code in
                        ("250.00", ["401.1", "401.9", "414.01"][i % 3], *(["042"] if i == 3 else [])))
        self.file("codes.csv", "patient,code\n" + codes)
        self.result("codes", "protect", "codes.csv", "--hierarchy", "icd9", "--k", "5", "--m", "2", "--seed", "1", "--out",
                    "codes-out.csv")
        self.result("codes", "protect", "codes.csv", "--method", "disassociation", "--k", "5", "--m", "2", "--out",
                    "apart.csv")
        self.file("named.csv", "location,element\n" + "".join(f"H{i % 2},N{i}\n" for i in range(20)))
        self.file("dna.csv", "location,element\n" + "".join(f"H{i % 2},S{i:03}\n" for i in range(20)))
        self.result("trails", "protect", "--identified", "named.csv", "--deidentified", "dna.csv", "--k", "2", "--seed", "1",
                    "--out", "dna-out.csv")
        self.file("list.csv", "name,wealth,visits,income\n" + "".join(
            f"Name{i:02} Sur{i:02},{i // 4},{i % 5},{1000 + 100 * i}\n" for i in range(40)))
        self.file("web.csv", "name,house\n" + "".join(f"Name{i:02} Sur{i:02},{10 * i}\n" for i in range(40)))
        self.run_program("fusion", "rules", "--from", "list.csv", "--auxiliary", "web.csv", "--key", "name", "--target",
                         "income", "--inputs", "wealth,house", "--out", "rules.fcl")
        self.result("fusion", "fred", "list.csv", "--auxiliary", "web.csv", "--key", "name", "--target", "income", "--rules",
                    "rules.fcl", "--qi", "wealth,visits", "--tp", "1", "--tu", "1e-9", "--seed", "1", "--out", "list-out.csv")
        return ["out.csv", "codes-out.csv", "apart.csv", "dna-out.csv", "list-out.csv"]

    def release_of_each_later_kind(self):
        """Of the kinds that came after format 3 of the manifest."""
        letters = "ACGTACGTTGCA"
        self.file("in.fasta", "".join(f">P{i}\n{letters}{'ACGT'[i % 4]}{'AC'[i // 4 % 2]}\n" for i in range(8)))
        self.result("genomes", "protect", "in.fasta", "--method", "dnala", "--k", "2", "--seed", "1", "--out", "out.fasta")
        self.file("notes.jsonl", "".join(json.dumps({"id": f"n{i}", "patient": f"p{i}", "text":
                                                     "Mary Johnson was seen on 03/14/2011. Call (617) 555-9142."}) + "\n" for i in range(3)))
        self.result("notes", "protect", "notes.jsonl", "--mode", "full", "--replace", "tags", "--key", "notes.key", "--out", "notes-out.jsonl")
        self.file("counted.csv", "id,age,sex\n" + "".join(f"{i},{20 + i % 50},{'FM'[i % 2]}\n" for i in range(400)))
        self.result("dp", "open", "budget", "--data", "counted.csv", "--epsilon", "9", "--delta", "1e-6", "--person", "id")
        self.result("dp", "histogram", "budget", "--columns", "sex", "--domain", "sex=F|M", "--epsilon", "1", "--out", "histogram.csv")
        self.result("dp", "synthesize", "budget", "--domain", "age=0..99:10", "--domain", "sex=F|M", "--epsilon", "1", "--out", "synthetic.csv")
        return ["out.fasta", "notes-out.jsonl", "histogram.csv", "synthetic.csv"]
