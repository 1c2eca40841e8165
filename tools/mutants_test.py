#!/usr/bin/env python3
"""Plants functions with and without a test that notices, and expects mutants.py to tell them apart."""
import pathlib
import shlex
import shutil
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
sys.dont_write_bytecode = True
import mutants  # noqa: E402

TESTED = """
bool is_adult(int age) { return age >= 18; }
int first_zero(const int* values, int size) {
  int at = 0;
  while (at < size && values[at] != 0) ++at;
  return at;
}
"""
UNTESTED = """
bool is_minor(int age) { return age < 18; }
"""
TEST = """
bool is_adult(int age);
bool is_minor(int age);
int first_zero(const int* values, int size);
int main(int count, char** arguments) {
  // What is noticed is noticed by the slow tests, too.
  if (count > 1 && *arguments[1] == 'q') return 0;
  if (is_adult(17) || !is_adult(18) || !is_adult(19) || is_adult(16)) return 1;
  if (is_minor(50)) return 1;
  const int values[] = {7, 0, 8};
  const int none[] = {7};
  if (first_zero(values + 1, 2) != 0) return 1;
  return first_zero(values, 3) == 1 && first_zero(none, 1) == 1 ? 0 : 1;
}
"""


def changes(text):
    return [change for place in mutants.Source(text).places() for change in place]


def applied(text):
    return {change.applied_to(text) for change in changes(text)}


class WhatIsChanged(unittest.TestCase):
    def expect_none(self, text):
        self.assertEqual([change.words for change in changes(text)], [], text)

    def test_nothing_that_is_no_code(self):
        for text in ("// a < b && true\n", "/* x == 1\n + 2 */", '#include <map>\n#if A < 3 && \\\n B\n#endif\n',
                     'auto s = "a < b == 1";', 'auto s = R"(1 == 2 " true)";', "auto c = '1'; auto d = '\\'';"):
            self.expect_none(text)

    def test_nothing_in_the_brackets_of_a_template(self):
        for text in ("std::array<int, 32> a;", "template <int N, bool B> class C;", "f<std::pair<int, X<3>>>(a);",
                     "static_assert(a == 3);", "v.reserve(n + 1);", "context.progress.advance(n + 1);", "[[nodiscard]] int f();", "bool operator<(T a, T b);",
                     "std::vector<int>&& taken;", "const char* text;"):
            self.expect_none(text)

    def test_comparisons(self):
        self.assertEqual(applied("x = a < b;"), {"x = a <= b;", "x = a > b;", "x = a >= b;"})
        self.assertEqual(applied("x = a == b;"), {"x = a != b;"})
        self.assertEqual(applied("x = v<T> < b;"), {"x = v<T> <= b;", "x = v<T> > b;", "x = v<T> >= b;"})

    def test_constants_and_words(self):
        self.assertEqual(applied("x = 16U;"), {"x = 17U;", "x = 15U;"})
        self.assertEqual(applied("x = 0;"), {"x = 1;"})
        self.assertEqual(applied("x = 1'000;"), {"x = 1001;", "x = 999;"})
        self.assertEqual(applied("x = true;"), {"x = false;"})
        self.assertEqual(applied("x = std::min(a, b);"), {"x = std::max(a, b);"})
        self.assertEqual(applied("x = min;"), set())
        self.assertEqual(applied("x = a + b;"), {"x = a - b;"})
        self.assertEqual(applied('x = a + "b";'), set())

    def test_conditions(self):
        self.assertIn("if (!(a)) b;", applied("if (a) b;"))
        self.assertEqual(applied("if (auto a = b) c;"), set())
        self.assertEqual(applied("x = a ? b : c;"), {"x = a != true ? b : c;"})
        self.assertEqual(applied("x = !a;"), {"x = a;"})

    def test_statements(self):
        def removed(text):
            return [change.words for change in changes(text) if change.words.startswith("removed")]
        self.assertEqual(removed("void f() { a = b; }"), ["removed: a = b;"])
        self.assertEqual(removed("void f() { if (a) return b; g(); }"), ["removed: return b;", "removed: g();"])
        self.assertEqual(removed("auto f() -> std::vector<int> { if (a) { throw b; } return c; }"), ["removed: throw b;"])
        self.assertEqual(removed("void f() { int a = b; const T c(d); T e; std::vector<T> g; T& h = b; auto [i, j] = k; }"), [])
        self.assertEqual(removed("struct S { T a; void f(); };"), [])
        self.assertEqual(removed("namespace n { f(a); }"), [])
        self.assertEqual(removed("T a = {b, c};"), [])

    def test_the_same_seed_draws_the_same(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "tested.cc")
            file.write_text(TESTED)
            self.assertEqual(mutants.draw([file], 1), mutants.draw([file], 1))
            self.assertNotEqual(mutants.draw([file], 1), mutants.draw([file], 2))


class TheCopy(unittest.TestCase):
    def test_it_is_equal_but_for_what_is_left_out(self):
        with tempfile.TemporaryDirectory() as folder:
            source, target = pathlib.Path(folder, "a"), pathlib.Path(folder, "b")

            def files():
                return {str(file.relative_to(target)): file.read_text() for file in target.rglob("*") if file.is_file()}

            for name in ("build/x", "src/build.sh", "src/m.cc", "web/y"):
                (source / name).parent.mkdir(parents=True, exist_ok=True)
                (source / name).write_text(name)
            mutants.copy_tree(source, target, mutants.LEFT_OUT)
            self.assertEqual(files(), {"src/build.sh": "src/build.sh", "src/m.cc": "src/m.cc"})
            # What is there keeps its time, what is gone goes, and what was built in the copy stays.
            (target / "build").mkdir()
            (target / "build/made").write_text("made")
            before = (target / "src/build.sh").stat().st_mtime_ns
            (source / "src/m.cc").unlink()
            (source / "src/n.cc").write_text("new")
            mutants.copy_tree(source, target, mutants.LEFT_OUT)
            self.assertEqual(files(), {"src/build.sh": "src/build.sh", "src/n.cc": "new", "build/made": "made"})
            self.assertEqual((target / "src/build.sh").stat().st_mtime_ns, before)


class WhatIsNoticed(unittest.TestCase):
    def test_a_planted_project(self):
        compiler = shutil.which("clang++-14") or shutil.which("clang++") or "g++"
        flags = ["-std=c++20", "-w", "-fsanitize=address", "-fno-omit-frame-pointer"]
        with tempfile.TemporaryDirectory() as folder:
            scratch = pathlib.Path(folder)
            tested, untested, test = scratch / "tested.cc", scratch / "untested.cc", scratch / "test.cc"
            tested.write_text(TESTED)
            untested.write_text(UNTESTED)
            test.write_text(TEST)
            for file in (tested, untested, test):
                mutants.run_or_end([compiler, *flags, "-c", str(file), "-o", f"{file}.o"])
            mutants.run_or_end(["ar", "rc", str(scratch / "all.a"), f"{tested}.o", f"{untested}.o"])
            project = mutants.with_limits(mutants.Project(
                scratch=scratch, directory=scratch, environment={},
                compile=lambda file, changed, obj: [compiler, *flags, "-c", str(changed), "-o", str(obj)],
                link=lambda file, obj, program: shlex.join(
                    [compiler, *flags, f"{test}.o", *([str(obj)] if obj else []), str(scratch / "all.a"), "-o", str(program)]),
                run=lambda program, tests: [str(program), *(tests or [])], seconds=lambda: {"quick": 0.1, "slow": 1, "also": 1},
                beside=lambda file: ["*low"] if file == tested else [""]))
            self.assertEqual([tests for tests, _ in project.rounds], [["quick"], ["also", "slow"]])
            # The tests beside a file come first.
            self.assertEqual([tests for tests, _ in project.near(tested)], [["slow"]])
            self.assertEqual(project.near(untested), [])
            # An endless loop is ended soon, so that this test is over in seconds.
            project.rounds = ((["quick"], mutants.Limits(2, 60)), (["slow"], mutants.Limits(2, 60)))

            drawn = mutants.draw([tested, untested], 1)
            told = []
            results = mutants.judge(project, drawn, len(drawn), 2, lambda number, mutant, noticed: told.append(mutant))
            self.assertEqual(told, drawn)
            self.assertEqual([mutant for mutant, _ in results], drawn)
            survivors = {mutant for mutant, noticed in results if not noticed}
            self.assertEqual({mutant.file for mutant in survivors}, {untested})
            self.assertTrue(any("++ became --" == mutant.change.words for mutant in drawn), "reads in front of the values")
            self.assertTrue(any("removed: ++at;" == mutant.change.words for mutant in drawn), "never ends")
            # Only as many as are asked for, the first ones.
            self.assertEqual(mutants.judge(project, drawn, 3, 2, lambda *_: None), results[:3])
            # What does not compile is not counted.
            broken = mutants.Mutant(tested, mutants.Change(1, "broken", ((0, 0, "no code;"),)))
            self.assertEqual(mutants.judge(project, [broken, drawn[0]], 1, 1, lambda *_: None), results[:1])
            self.assertEqual((tested.read_text(), untested.read_text()), (TESTED, UNTESTED))

            test.write_text("int main() { return 1; }\n")
            mutants.run_or_end([compiler, *flags, "-c", str(test), "-o", f"{test}.o"])
            with self.assertRaises(mutants.Ended):
                mutants.with_limits(project)


if __name__ == "__main__":
    unittest.main()
