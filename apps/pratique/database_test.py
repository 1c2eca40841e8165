#!/usr/bin/env python3
"""database_test.py PROGRAM: tables of a DuckDB database as inputs of the program."""
import ctypes
import hashlib
import json
import pathlib
import random
import unittest

from program_in_folder import ProgramInFolder

LIBRARY = pathlib.Path(__file__).resolve().parent.parent.parent / ".deps/duckdb/lib/libduckdb.so"

ROLES = ("--qi", "age,zip", "--sensitive", "diagnosis", "--hierarchy", "age=interval:10",
         "--hierarchy", "zip=prefix", "--k", "5", "--seed", "3")


def make_database(path, statements):
    """With DuckDB itself, by its C interface."""
    duckdb = ctypes.CDLL(str(LIBRARY))
    database, connection = ctypes.c_void_p(), ctypes.c_void_p()
    assert duckdb.duckdb_open(str(path).encode(), ctypes.byref(database)) == 0
    assert duckdb.duckdb_connect(database, ctypes.byref(connection)) == 0
    for statement in statements:
        assert duckdb.duckdb_query(connection, statement.encode(), None) == 0, statement
    duckdb.duckdb_disconnect(ctypes.byref(connection))
    duckdb.duckdb_close(ctypes.byref(database))


class Database(ProgramInFolder):
    def setUp(self):
        super().setUp()
        chance = random.Random(1)
        lines = [f"{chance.randrange(20, 80)},0{chance.randrange(2100, 2200)},"
                 f"{chance.choice(['flu', 'asthma', 'gout', ''])}" for _ in range(200)]
        self.csv = self.file("patients.csv", "age,zip,diagnosis\n" + "\n".join(lines) + "\n")
        self.database = self.path / "hospital.duckdb"
        make_database(self.database, [
            f"CREATE TABLE patients AS FROM read_csv('{self.csv}', types = {{'zip': 'VARCHAR'}})",
            "CREATE TABLE visits (day DATE)", "CREATE VIEW everybody AS FROM patients"])

    def test_a_table_is_read_as_the_same_rows_of_a_file_are(self):
        for verb in (("profile",), ("distributions",), ("rows",), ("assess", "--qi", "age,zip")):
            of_file = self.result("tables", *verb[:1], "patients.csv", *verb[1:])
            of_table = self.result("tables", *verb[:1], "hospital.duckdb:patients", *verb[1:])
            self.assertEqual(of_table, of_file, verb)

    def test_a_table_is_protected(self):
        before = self.database.read_bytes()
        self.result("tables", "protect", "hospital.duckdb:patients", *ROLES, "--out", "table.csv")
        self.result("tables", "protect", "patients.csv", *ROLES, "--out", "file.csv")
        self.assertEqual((self.path / "table.csv").read_bytes(), (self.path / "file.csv").read_bytes())
        self.assertEqual(self.database.read_bytes(), before)
        [kept] = [json.loads(file.read_text()) for file in (self.path / ".pratique/private").glob("*.json")
                  if "hospital" in file.read_text()]
        [read] = kept["inputs"]
        self.assertEqual((read["path"], read["sha256"], read["bytes"]),
                         ("hospital.duckdb:patients", hashlib.sha256(before).hexdigest(), len(before)))
        self.assertTrue(self.result("verify", "table.csv")["holds"])
        # What reads the original again finds it by its recorded name.
        self.result("tables", "explain", "table.csv", "--class", "1")
        self.result("report", "table.csv", "--out", "report.html")

    def test_the_people_an_adversary_knows_may_be_in_a_database(self):
        of_file, of_table = (
            self.result("tables", "attack", "patients.csv", "--register", register, "--on", "age,zip",
                        "--sensitive", "diagnosis")
            for register in ("patients.csv", "hospital.duckdb:patients"))
        self.assertEqual(of_table, of_file)
        self.result("tables", "protect", "patients.csv", *ROLES, "--k-map", "5", "--population",
                    "hospital.duckdb:patients", "--out", "mapped.csv")
        self.assertTrue(self.result("verify", "mapped.csv")["holds"])
        # Another population than the one of the claim.
        make_database(self.database, ["INSERT INTO patients VALUES (20, '02100', 'flu')"])
        self.result("verify", "mapped.csv", exit_code=1)

    def test_messages_say_what_is_wrong(self):
        text = self.error("tables", "profile", "hospital.duckdb:patient")
        self.assertIn("this database has no table 'patient'", text)
        self.assertIn("Its tables: patients, visits.", text)
        self.assertIn("several tables", self.error("tables", "profile", "hospital.duckdb"))
        self.assertIn("is a view", self.error("tables", "profile", "hospital.duckdb:everybody"))
        self.file("text.duckdb", "a,b\n1,2\n")
        self.assertIn("not a DuckDB database", self.error("tables", "profile", "text.duckdb:t"))

    def test_the_database_is_never_written_over(self):
        before = self.database.read_bytes()
        text = self.error("tables", "protect", "hospital.duckdb:patients", *ROLES, "--out", "hospital.duckdb", "--force")
        self.assertIn("same file as an input", text)
        text = self.error("tables", "protect", "patients.csv", *ROLES, "--out", "hospital.duckdb", "--force")
        self.assertIn("read, not written", text)
        self.assertEqual(self.database.read_bytes(), before)


if __name__ == "__main__":
    unittest.main()
