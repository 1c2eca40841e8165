#!/usr/bin/env python3
"""What a person sees on a terminal: lines that fit, words in place of keys, colour only where it is wanted, nothing that
commands the terminal, and silence when the reader has gone. Run by ctest as: terminal_test.py PROGRAM"""
import fcntl
import json
import os
import pty
import re
import signal
import struct
import subprocess
import termios
import time
import unittest

from program_in_folder import PROGRAM
from releases_in_folder import COLUMNS, PEOPLE, ReleasesInFolder

STYLE = re.compile(r"\x1b\[[0-9;]*m")


class TerminalTest(ReleasesInFolder):
    def start_on_terminal(self, *arguments, columns=80, **environment):
        """The program with a terminal at its other end, and that end."""
        ours, theirs = pty.openpty()
        self.addCleanup(os.close, ours)
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        settings = {**self.environment, "TERM": "xterm", **environment}
        if "NO_COLOR" not in environment:
            settings.pop("NO_COLOR", None)
        running = subprocess.Popen([PROGRAM, *arguments], stdin=subprocess.DEVNULL, stdout=theirs, stderr=theirs,
                                   cwd=self.path, env=settings)
        os.close(theirs)
        return running, ours

    def on_terminal(self, *arguments, **options):
        running, ours = self.start_on_terminal(*arguments, **options)
        shown = b""
        while True:
            try:
                block = os.read(ours, 1 << 16)
            except OSError:  # the other end was closed
                break
            if not block:
                break
            shown += block
        running.wait(timeout=60)
        return shown.decode().replace("\r\n", "\n")

    def assert_fits(self, shown, columns):
        for line in STYLE.sub("", shown).splitlines():
            self.assertLessEqual(len(line), columns, line)

    # --- width

    def test_tables_fit_and_break_between_words(self):
        self.release()
        self.file("wide.csv", "the_first_column_with_a_name,another_column_with_a_name,a third,d,e,f\n" +
                  "".join(f"some words {i},other words {i},x{i % 3},1,2,3\n" for i in range(30)))
        for columns in (80, 60, 40):
            for arguments in (["tables", "profile", "people.csv"], ["tables", "profile", "wide.csv"],
                              ["tables", "rows", "wide.csv"], ["verify", "out.csv"], ["tables", "explain", "out.csv",
                              "--class", "1"], ["help", "tables", "protect"], ["tables", "--help"],
                              ["tables", "assess", "people.csv", "--qi", "age,sex", "--sensitive", "illness"]):
                with self.subTest(columns=columns, command=arguments):
                    shown = self.on_terminal(*arguments, columns=columns)
                    self.assert_fits(shown, columns)
        words = set(self.run_program("tables", "profile", "people.csv").stdout.decode().split())
        on_terminal = STYLE.sub("", self.on_terminal("tables", "profile", "people.csv", columns=80)).split()
        self.assertEqual({word for word in on_terminal if word.rstrip(":") not in words | {"why"}}, set())

    def test_errors_fit(self):
        shown = self.on_terminal("tables", "assess", "people.csv", columns=50)
        self.assertIn("hint:", shown)
        self.assert_fits(shown, 50)

    def test_a_pipe_gets_whole_lines(self):
        self.file("people.csv", PEOPLE)
        shown = self.run_program("tables", "profile", "people.csv").stdout.decode()
        self.assertRegex(shown, r"(?m)^  name +type +distinct +missing +suggested role +why")
        self.assertNotIn("\x1b", shown)

    def test_addresses_and_digests_stay_whole(self):
        head = self.result("ledger", "init", "releases.ledger")["head"]
        shown = self.on_terminal("ledger", "init", "others.ledger", columns=60)
        signature = re.search(r"signature\s+([0-9a-f]+)\n", STYLE.sub("", shown))
        self.assertEqual(len(signature[1]), len(head["signature"]))

    # --- progress

    def progress_lines(self, columns):
        running, ours = self.start_on_terminal("generate", "census", "--rows", "200000000", "--threads", "1",
                                               "--out", "c.csv", columns=columns)
        shown = b""
        until = time.monotonic() + 20
        while time.monotonic() < until and shown.count(b"left") < 3:
            shown += os.read(ours, 1 << 16)
        running.send_signal(signal.SIGINT)
        running.wait(timeout=30)
        self.assertNotIn(b"\n", shown)
        return [line for line in shown.decode().split("\r\x1b[K") if line]

    def test_progress_fits_and_its_figures_are_plausible(self):
        for columns in (80, 24):
            with self.subTest(columns=columns):
                lines = self.progress_lines(columns)
                self.assertGreaterEqual(len(lines), 3)
                for line in lines:
                    self.assertLess(len(line), columns, line)
                    self.assertNotIn("100 %", line)
                if columns == 80:
                    # A rate over its first moments would be of any size.
                    rates = [float(rate) * {"": 1, "k": 1e3, "M": 1e6}[unit]
                             for rate, unit in re.findall(r"([0-9.]+) ?([kM]?)/s", "".join(lines))]
                    self.assertTrue(rates)
                    self.assertLess(max(rates), 10 * min(rates))

    # --- colour

    def test_colour_is_only_for_terminals_that_want_it(self):
        self.file("people.csv", PEOPLE)
        command = ["tables", "profile", "people.csv"]
        self.assertRegex(self.on_terminal(*command), STYLE)
        for environment in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
            self.assertNotIn("\x1b", self.on_terminal(*command, **environment))
        self.assertRegex(self.on_terminal("verify", "none.csv"), STYLE)
        self.assertNotIn("\x1b", self.on_terminal("verify", "none.csv", NO_COLOR="1"))
        json.loads(self.on_terminal(*command, "--json"))

    # --- what the data says

    HOSTILE = "a\x1b]0;owned\x07\x1b[31m\u202e\u009b2J\x7f\tb"

    def assert_harmless(self, shown):
        self.assertNotRegex(shown, r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")

    def test_nothing_in_the_data_commands_the_terminal(self):
        name = self.HOSTILE
        self.file("hostile.csv", f'"{name}",sex\n' + "".join(f'"{name}{i % 3}",F\n' for i in range(9)))
        self.file(name + ".csv", "a,b\n1\n")
        self.file(name + ".yaml", f'"{name}": 1\n')
        self.file("bad.json", "{}")
        for arguments in (["tables", "profile", "hostile.csv"], ["tables", "rows", "hostile.csv"],
                          ["tables", "distributions", "hostile.csv"],
                          ["tables", "hierarchy", "hostile.csv", "--column", name],
                          ["tables", "assess", "hostile.csv", "--qi", name], ["tables", "assess", "hostile.csv", "--qi",
                          name + "c"], ["tables", "profile", name + ".csv"], ["tables", "profile", name],
                          ["verify", name], ["tables", name], [name], ["tables", "profile", "hostile.csv", "--" + name],
                          ["tables", "assess", "hostile.csv", "--config", name + ".yaml"],
                          ["tables", "profile", "hostile.csv", "--encoding", name]):
            for more in ([], ["--json"]):
                with self.subTest(arguments=arguments, more=more):
                    done = self.run_program(*arguments, *more)
                    self.assert_harmless(done.stdout.decode() + done.stderr.decode())
                    if more:
                        json.loads(done.stdout)
        rows = self.result("tables", "rows", "hostile.csv")
        self.assertEqual((rows["columns"][0], rows["rows"][0][0]), (name, name + "0"))

    def test_columns_have_their_own_names(self):
        self.file("people.csv", PEOPLE.replace("age", "age_in_years").replace("zip", "zip code"))
        columns = [word.replace("age", "age_in_years").replace("zip", "zip code") for word in COLUMNS]
        shown = self.run_program("tables", "protect", "people.csv", *columns, "--method", "mondrian", "--k", "5",
                                 "--out", "out.csv").stdout.decode()
        self.assertRegex(shown, r"(?m)^    age_in_years +\d")
        explained = self.run_program("tables", "explain", "out.csv", "--class", "1").stdout.decode()
        self.assertRegex(explained, r"(?m)^  age_in_years +age_in_years shows")

    def test_the_profile_lists_every_column(self):
        names = [f"column{i}" for i in range(60)]
        self.file("wide.csv", ",".join(names) + "\n" + ",".join("a" for _ in names) + "\n" + ",".join("b" for _ in names) + "\n")
        shown = self.run_program("tables", "profile", "wide.csv").stdout.decode()
        listed = shown[shown.index("\ncolumns\n"):shown.index("\nquasi identifiers\n")]
        for name in names:
            self.assertRegex(listed, rf"(?m)^  {name} ")
        self.assertNotIn("more (--json has all)", listed)

    def test_figures_have_words_and_shares_are_percentages(self):
        self.release()
        shown = self.run_program("tables", "protect", "people.csv", *COLUMNS, "--method", "mondrian", "--k", "5",
                                 "--out", "out.csv").stdout.decode()
        self.assertRegex(shown, r"(?m)^  loss \(LM\) +[0-9.]+ +how much of their detail cells lost")
        self.assertRegex(shown, r"(?m)^  largest risk of a record +20 %$")
        for key in ("c avg", " lm ", "_share"):
            self.assertNotIn(key, shown)
        self.file("codes.csv", "patient,code\n" + "".join(f"P{i},{i // 3}\nP{i},x\n" for i in range(30)))
        assessed = self.run_program("codes", "assess", "codes.csv", "--patient", "patient", "--code", "code").stdout.decode()
        self.assertRegex(assessed, r"(?m)^singled out by all their codes +0 %")

    def test_nearly_all_and_nearly_none_are_not_all_and_none(self):
        # Two classes of 10000 rows: the mean risk is 2/10000.
        self.file("many.csv", "a,b\n" + "1,x\n" * 9999 + "2,y\n")
        shown = self.run_program("tables", "assess", "many.csv", "--qi", "a").stdout.decode()
        self.assertRegex(shown, r"(?m)^  mean risk, .* < 0.1 %$")
        self.file("keys.csv", "a,b\n" + "".join(f"{i // 2 if i < 2 else i},x\n" for i in range(6000)))
        self.assertRegex(self.run_program("tables", "profile", "keys.csv").stdout.decode(), r"(?m)^  a .*> 99.9 %$")

    # --- help, and readers that go away

    def test_help_on_a_command(self):
        self.assertEqual(self.run_program("help", "tables").stdout, self.run_program("tables", "--help").stdout)
        self.assertEqual(self.run_program("help", "tables", "protect").stdout,
                         self.run_program("tables", "protect", "--help").stdout)
        self.assertIn("Did you mean tables?", self.error("help", "tabels"))

    def test_a_reader_that_has_read_enough_hears_nothing(self):
        self.release()
        text = (self.path / "out.csv").read_text()
        self.file("changed.csv", text + text.splitlines()[-1] + "\n")
        os.rename(self.path / "out.csv.manifest.json", self.path / "changed.csv.manifest.json")
        for arguments, code in ((["help", "--markdown"], 0), (["help"], 0), (["tables", "--help"], 0),
                                (["tables", "profile", "people.csv"], 0), (["tables", "profile", "people.csv", "--json"], 0),
                                (["verify", "changed.csv"], 1)):
            with self.subTest(arguments):
                reading, writing = os.pipe()
                os.close(reading)
                done = subprocess.run([PROGRAM, *arguments], cwd=self.path, env=self.environment, stdout=writing,
                                      stderr=subprocess.PIPE, timeout=60)
                os.close(writing)
                self.assertEqual((done.stderr, done.returncode), (b"", code))

    def test_what_cannot_be_written_is_told(self):
        with open("/dev/full", "wb") as full:
            done = subprocess.run([PROGRAM, "tables", "profile", self.file("people.csv", PEOPLE)], stdout=full,
                                  stderr=subprocess.PIPE, env=self.environment)
        self.assertEqual(done.returncode, 3)
        self.assertIn(b"standard output", done.stderr)


if __name__ == "__main__":
    unittest.main()
