#!/usr/bin/env python3
"""What the program says to words it does not know. Run by ctest as: usage_test.py PROGRAM"""
import subprocess
import unittest

from program_in_folder import PROGRAM, ProgramInFolder


class UsageTest(ProgramInFolder):
    def test_a_mistyped_command_is_told_its_neighbour(self):
        self.assertIn("Did you mean tables? pratique --help", self.error("tabels"))
        said = self.error("tables", "asess", "x.csv")
        self.assertIn("pratique tables has no command 'asess'", said)
        self.assertIn("Did you mean assess? pratique tables --help", said)

    def test_a_mistyped_option_is_told_its_neighbour(self):
        said = self.error("tables", "protect", "x.csv", "--output=y.csv")
        self.assertIn("pratique tables protect has no option --output", said)
        self.assertIn("Did you mean --out? pratique tables protect --help", said)
        self.assertNotIn("y.csv", said)

    def test_nothing_is_guessed_where_nothing_is_alike(self):
        said = self.error("frobnicate")
        self.assertIn("pratique has no command 'frobnicate'", said)
        self.assertNotIn("Did you mean", said)

    def test_there_is_no_help_on_what_is_not_there(self):
        self.assertIn("pratique has no command 'frobnicate'", self.error("frobnicate", "--help"))
        self.assertEqual(self.run_program("tables", "--help").returncode, 0)

    def test_help_is_that_of_the_program(self):
        for words in ([], ["help"], ["--help"]):
            done = self.run_program(*words)
            self.assertEqual(done.returncode, 0)
            for noun in (b"tables", b"ledger", b"serve"):
                self.assertIn(noun, done.stdout)

    def test_a_noun_alone_is_told_its_verbs(self):
        said = self.error("ledger")
        for verb in ("init", "add", "list", "show", "verify", "export"):
            self.assertIn(verb, said)

    def test_brackets_are_characters_of_a_name(self):
        self.file("b.csv", "[name],name,age\nann,x,30\nbob,y,30\n")
        for words in (["--id", "[name]"], ["--id=[name]"]):
            self.result("tables", "protect", "b.csv", *words, "--qi", "age", "--insensitive", "name", "--allow", "name", "--k",
                        "2", "--out", "out.csv")
            self.assertEqual((self.path / "out.csv").read_text().splitlines()[0], "name,age")
        self.assertIn("[b.csv].manifest.json", self.error("report", "[b.csv]", "--out", "x.html"))
        self.assertIn("'y]'", self.error("tables", "profile", "x]", "y]"))

    def test_words_to_paste_stand_alone_and_can_be_pasted(self):
        header = '"first name","da\ny","it\'s"\n'
        self.file("odd.csv", header + "".join(f"n{i},{i % 2},{i % 3}\n" for i in range(12)))
        said = self.error("tables", "protect", "odd.csv", "--qi", "it's", "--k", "2", "--out", "out.csv")
        self.assertNotIn("\\u000a", said.split("hint:")[1])
        words = said.rstrip().splitlines()[-1].strip()
        done = subprocess.run(["bash", "-c", f'"$0" tables protect odd.csv --qi "it\'s" --k 2 --out out.csv {words}', PROGRAM],
                              cwd=self.path, env=self.environment, capture_output=True)
        self.assertEqual(done.returncode, 0, done.stderr.decode())

    def test_a_map_goes_into_a_folder(self):
        self.file("t.csv", "age\n" + "30\n31\n" * 4)
        for out in ("ex.html", "map.SVG"):
            self.assertIn("names a folder", self.error("tables", "explore", "t.csv", "--qi", "age", "--ks", "2", "--out", out))

    def test_a_missing_value_and_a_word_too_many(self):
        self.assertIn("--k needs a value", self.error("codes", "protect", "--k"))
        self.assertIn("too many arguments for pratique tables assess: 'y'", self.error("tables", "assess", "x", "y"))


if __name__ == "__main__":
    unittest.main()
