#!/usr/bin/env python3
"""The scripts behind docs/studies run to their end. Run by ctest as: studies_test.py PROGRAM"""
import pathlib
import subprocess
import sys
import unittest

from program_in_folder import PROGRAM, ProgramInFolder

STUDIES = pathlib.Path(__file__).resolve().parents[2] / "docs" / "studies"


class StudiesTest(ProgramInFolder):
    def study(self, name, *folders):
        """What the script prints, by line."""
        done = subprocess.run([sys.executable, STUDIES / f"{name}.py", PROGRAM, *folders, self.path, "small"],
                              capture_output=True, timeout=250, env=self.environment)
        self.assertEqual(done.returncode, 0, done.stderr.decode())
        return done.stdout.decode().splitlines()

    def test_trails(self):
        lines = self.study("trails")
        tables = [line for line in lines if line.startswith("|---")]
        # grid, allocation, differences, rates, secure, sparse, losses, scaling, copies
        self.assertEqual(len(tables), 2 + 3 + 1 + 1 + 1 + 2 + 2 + 1 + 1)
        # Where hardly anybody shares a location, the better method discloses no less than the other.
        cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("| 30 | 10 |")]
        self.assertEqual([row[6:8] for row in cells], [["0", "0"]] * 2)
        self.assertTrue(all(int(row[4]) > 0 and int(row[10]) >= int(row[9]) for row in cells), cells)

    def test_codes(self):
        lines = self.study("codes")
        cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("|")]
        shares = {row[0]: float(row[4].removesuffix(" %")) for row in cells if row[4].endswith(" %") and len(row) == 7}
        # Fewer codes and wider ones single out no more people.
        self.assertLessEqual(shares["three digits"], shares["as they are"])
        self.assertGreater(len(shares), 3)
        self.assertEqual(sum(line.startswith("|---") for line in lines), 2)

    def test_fred(self):
        lines = self.study("fred")
        cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("|")]
        useful = {int(row[0]): row[-1] for row in cells if row[0].isdigit()}
        self.assertEqual(list(useful), list(range(2, 21)))
        # By hand: 29 people in classes of 14 are two, of 15 one: C_DM is 421 and 841, and 1 / 0.0018 is 555.
        self.assertEqual({k for k, draws in useful.items() if draws == "2 of 2"}, set(range(2, 15)))
        self.assertEqual({k for k, draws in useful.items() if draws == "0 of 2"}, set(range(15, 21)))

    def adult(self, rows, levels, cells_of):
        """A small table with the columns of UCI Adult, and a hierarchy for each; ages are in `levels` of years."""
        adult = self.path / "adult"
        adult.mkdir()
        columns = {"age": [str(age) for age in range(20, 60)], "workclass": ["a", "b"], "education": ["c", "d"],
                   "marital-status": ["e", "f"], "race": ["g", "h"], "sex": ["F", "M"], "native-country": ["i", "j"]}
        with open(adult / "adult.csv", "w", encoding="utf-8") as out:
            print(*columns, "occupation", "salary-class", sep=";", file=out)
            for row in range(rows):
                print(*cells_of(row, columns), sep=";", file=out)
        for name, values in columns.items():
            (adult / f"adult_hierarchy_{name}.csv").write_text(
                "".join(f"{value};{int(value) // levels * levels if name == 'age' else '-'};*\n" for value in values),
                encoding="utf-8")
        return adult

    def test_composition(self):
        jobs = ["baker", "cook", "smith", "nurse", "clerk", "tailor"]
        adult = self.adult(1200, 10, lambda row, columns: [
            *(values[row * 7 // 3 ** place % len(values)] for place, values in enumerate(columns.values())),
            jobs[(row * row + row // 3) % 6], "high" if row % 5 else "low"])
        (adult / "adult_hierarchy_occupation.csv").write_text(
            "".join(f"{job};{'food' if job in jobs[:2] else 'other'};*\n" for job in jobs), encoding="utf-8")
        cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in self.study("composition", adult)
                 if line.startswith("|")]
        # figures 3.1 to 3.4, 3.5 and 3.6, 3.7, 3.8, cells, resist, overlap, partial, randomised, diagnoses
        self.assertEqual(sum(set("".join(row)) == {"-"} for row in cells), 10)
        drawn = next(row for row in cells if row[0] == "`--rho 0.1:0.5`")
        # By hand: gamma is 0.5 * 0.9 / (0.1 * 0.5), and of what passed through it nothing is certain.
        self.assertEqual((drawn[1], drawn[5]), ("9.0", "0.0 %"))

    def test_inference(self):
        """On people whose salary follows from their age, a diverse release of wide ages teaches it all the same."""
        def cells_of(row, columns):
            old = row % 40 >= 20
            return [*(values[row % 40 if name == "age" else row // 40 % 2] for name, values in columns.items()), "x",
                    "high" if old != (row % 40 % 5 == 0) else "low"]

        lines = self.study("inference", self.adult(800, 20, cells_of))
        cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("| ")]
        guessed = {row[0]: float(row[2].removesuffix(" %")) for row in cells[1:]}
        usual = {row[0]: float(row[3].removesuffix(" %")) for row in cells[1:]}
        # By hand: of every five ages four follow the rule, on both sides of forty.
        self.assertEqual(set(usual.values()), {50.0})
        self.assertGreaterEqual(guessed["mondrian k=5 l=2"], 75)
        self.assertEqual(len(guessed), 4)


if __name__ == "__main__":
    unittest.main()
