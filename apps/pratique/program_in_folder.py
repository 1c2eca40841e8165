"""What tests of the program share: each test runs it in a folder of its own, as a user would."""
import csv
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

# The first argument of the test that imports this.
PROGRAM = str(pathlib.Path(sys.argv.pop(1)).resolve()) if len(sys.argv) > 1 else "build/pratique"


class ProgramInFolder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name) / "work"
        self.temporary = pathlib.Path(folder.name) / "tmp"
        self.path.mkdir()
        self.temporary.mkdir()
        self.environment = {**os.environ, "TMPDIR": str(self.temporary), "XDG_STATE_HOME": f"{folder.name}/state"}

    def file(self, name, text):
        path = self.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return str(path)

    def rows(self, name):
        """Of a CSV file with a header, a dictionary each."""
        with open(self.path / name, newline="") as table:
            return list(csv.DictReader(table))

    def assert_tells_no_number(self, manifest, number):
        """Anywhere but in what the released file itself shows, which with noise may be any number, this one too."""
        def without_shown(part):
            if isinstance(part, dict):
                return {key: without_shown(value) for key, value in part.items() if key not in ("rows", "bytes")}
            return [without_shown(value) for value in part] if isinstance(part, list) else part

        self.assertNotRegex(json.dumps(without_shown(manifest)), rf"\b{number}\b")

    def run_program(self, *arguments, **options):
        return subprocess.run([PROGRAM, *arguments], capture_output=True, timeout=120,
                              **{"env": self.environment, "cwd": self.path, **options})

    def result(self, *arguments, exit_code=0):
        done = self.run_program(*arguments, "--json")
        self.assertEqual(done.returncode, exit_code, done.stderr.decode())
        return json.loads(done.stdout)

    def error(self, *arguments, exit_code=2, **options):
        """The message; nothing but it may remain of the run."""
        before = sorted(self.path.rglob("*"))
        done = self.run_program(*arguments, **options)
        text = done.stderr.decode()
        self.assertEqual((done.returncode, done.stdout), (exit_code, b""), text)
        self.assertEqual(sorted(self.path.rglob("*")), before)
        self.assertEqual(os.listdir(self.temporary), [])
        self.assertTrue(text.startswith("pratique: "), text)
        return text
