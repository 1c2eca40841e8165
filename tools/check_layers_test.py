#!/usr/bin/env python3
"""Plants one violation of each rule in a small tree and expects check_layers to find just that."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
sys.dont_write_bytecode = True
from check_layers import violations  # noqa: E402


class CheckLayers(unittest.TestCase):
    def found(self, files):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in files.items():
                path = pathlib.Path(folder, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            return list(violations(pathlib.Path(folder)))

    def expect_one(self, name, text, *words):
        found = self.found({"src/pratique/core/a.h": "#pragma once\n", name: text})
        self.assertEqual(len(found), 1, found)
        self.assertTrue(found[0].startswith(name + ":"), found)
        for word in words:
            self.assertIn(word, found[0])

    def expect_none(self, name, text):
        self.assertEqual(self.found({name: text}), [])

    def test_what_stands_before_may_be_used(self):
        self.expect_none("src/pratique/tables/a.cc", '#include "pratique/verify/v.h"\n#include "pratique/core/a.h"\n')
        self.expect_none("src/pratique/engine/a.cc", '#include <duckdb.h>\n#include "pratique/engine/internal/x.h"\n')
        self.expect_none("src/pratique/core/json.h", "#include <nlohmann/json_fwd.hpp>\n")

    def test_a_folder_that_stands_after(self):
        self.expect_one("src/pratique/core/b.h", '#pragma once\n#include "pratique/data/table.h"\n', ":2:", "core", "data")
        self.expect_one("src/pratique/verify/v.cc", '#include "pratique/tables/method/mondrian.h"\n', "tables")

    def test_kinds_do_not_know_each_other(self):
        self.expect_one("src/pratique/codes/c.cc", '#include "pratique/tables/method/mondrian.h"\n', "tables")
        self.expect_one("src/pratique/tables/c.cc", '#include "pratique/codes/codes.h"\n', "codes")

    def test_what_deals_with_every_kind_names_none(self):
        self.expect_one("src/pratique/release/r.cc", '\n#include "pratique/codes/release/kind.h"\n', ":2:", "names codes")
        self.expect_one("src/pratique/server/s.cc", 'bool b = kind == "tables";\n', ":1:", "names tables")
        self.expect_none("src/pratique/release/kinds.cc", '#include "pratique/codes/release/kind.h"\n')
        self.expect_none("src/pratique/release/r_test.cc", 'namespace pratique::r_test {\nauto s = "tables";\n}\n')
        self.expect_none("src/pratique/release/r.cc", '// "tables"\nauto s = "notes of a report";\n')

    def test_unknown_folders(self):
        self.expect_one("src/pratique/misc/m.cc", "int m;\n", "misc", "LAYERS")
        self.expect_one("src/pratique/core/m.cc", '#include "pratique/misc/m.h"\n', "misc")

    def test_internal_headers(self):
        self.expect_one("src/pratique/tables/t.cc", '#include "pratique/engine/internal/x.h"\n', "internal")
        self.expect_one("apps/pratique/main.cc", '#include "pratique/engine/internal/x.h"\n', "internal")

    def test_tests_have_a_namespace_of_their_own(self):
        self.expect_none("src/pratique/core/a_test.cc", "namespace pratique::a_test {\n}\n")
        self.expect_one("src/pratique/core/a_test.cc", "namespace pratique {\n}\n", "pratique::...::a_test")
        self.expect_one("src/pratique/core/a_test.cc", "namespace pratique::b_test {\n}\n", "pratique::...::a_test")

    def test_what_git_must_not_keep(self):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for name, text in {"src/pratique/core/a.h": "#pragma once\n", ".gitignore": "*.key\n", "a.key": "k\n"}.items():
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                (root / name).write_text(text)
            git = ["git", "-C", folder]
            subprocess.run([*git, "init", "-q"], check=True)
            subprocess.run([*git, "add", "."], check=True)
            self.assertEqual(list(violations(root)), [])
            subprocess.run([*git, "add", "--force", "a.key"], check=True)
            found = list(violations(root))
            self.assertEqual(len(found), 1, found)
            self.assertIn("a.key", found[0])

    def test_rooms(self):
        inner = '#include "pratique/tables/method/internal/x.h"\n'
        self.expect_none("src/pratique/tables/attack/a.cc", inner)
        self.expect_one("src/pratique/fusion/f.cc", inner, "internal to tables")
        fixture = '#include "pratique/tables/testing/x.h"\n'
        self.expect_none("src/pratique/fusion/f_test.cc", fixture + "namespace pratique::fusion::f_test {}\n")
        self.expect_none("src/pratique/tables/testing/y.h", fixture)
        self.expect_one("src/pratique/tables/method/m.cc", fixture, "for tests alone")

    def test_includes_are_spelled_from_src(self):
        self.expect_one("src/pratique/core/b.cc", '#include "a.h"\n', "pratique/FOLDER/a.h")

    def test_heavy_headers(self):
        for header in ("duckdb.h", "yaml-cpp/yaml.h", "nlohmann/json.hpp"):
            self.expect_one("src/pratique/engine/e.h", f"#pragma once\n#include <{header}>\n", ":2:", header)

    def test_printing_and_exiting(self):
        for code in ("std::cout << 1;", "std::cerr << 1;", 'printf("x");', 'std::fprintf(f, "x");', 'fmt::print("x");',
                     "exit(1);", "std::exit(1);", "::_exit(2);", "std::quick_exit(0);", 'puts("x");', "std::fflush(stderr);"):
            self.expect_one("src/pratique/core/p.cc", f"void f() {{\n  {code}\n}}\n", ":2:")

    def test_owning_by_hand(self):
        for code in ("auto* p = new int(3);", "delete p;", "delete[] p;", "std::malloc(3);"):
            self.expect_one("src/pratique/core/o.cc", f"void f() {{\n  {code}\n}}\n", ":2:")

    def test_what_only_looks_like_it(self):
        for code in ("// std::cout << new int; exit(1)", "/* printf(\n*/", 'auto s = "printf(\\" std::cout new int";',
                     'auto s = R"(exit(1) "new" x)";', "std::snprintf(b, 3, f);", "object.exit(1);", "on_exit(x);",
                     "Lock(const Lock&) = delete;", "int new_value = 1'000'000; int printf_count;", "// exit(1)"):
            self.expect_none("src/pratique/core/p.cc", f"{code}\n")
        self.expect_none("src/pratique/core/p_test.cc", "namespace pratique::p_test { void f() { std::cout << 1; } }\n")
        self.expect_none("apps/pratique/main.cc", "int main() { std::cout << 1; }\n")
        self.expect_none("src/pratique/core/c.cc", '// #include "pratique/data/table.h"\n')

    def test_an_empty_tree_is_no_pass(self):
        self.assertEqual(len(self.found({"README.md": "x"})), 1)


if __name__ == "__main__":
    unittest.main()
