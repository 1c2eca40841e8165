#!/usr/bin/env python3
"""tools/check_tidy.py [--only CONCEPT] [FOLDER...]: clang-tidy on every source file that these build folders compile
(default: build), or on those of one folder of src/pratique and its tests.

Files that are compiled in batches are read in the same batches: most of the time goes to the headers that they share.

What passed is not checked again until one of its files, a header of ours that they include (at any depth),
.clang-tidy or the compile command changes. The digests of what passed are kept in
$XDG_CACHE_HOME/pratique/tidy (~/.cache/pratique/tidy), so that a fresh clone need not check it again either.
With --self-test it lints files with planted faults and expects them to be found.
"""
import argparse
import concurrent.futures
import dataclasses
import hashlib
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
TIDY = "clang-tidy"
PASSED = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache", "pratique", "tidy")
KEPT_DAYS = 60
OURS = ("src", "apps", "bench", "fuzz", "docs")
OF_TESTS = ("bugprone-use-after-move", "bugprone-dangling-handle", "bugprone-unused-raii", "bugprone-argument-comment",
            "misc-redundant-expression", "modernize-use-override")
INCLUDE = re.compile(rb'^\s*#\s*include\s*"([^"]+)"', re.M)


@dataclasses.dataclass
class Unit:
    """What clang-tidy reads at once."""
    name: str
    options: list
    sources: list

    def text(self):
        return "".join(f'#include "{source}"  // NOLINT(bugprone-suspicious-include)\n' for source in self.sources)

    def concept(self):
        """The folder of a batch: what stands before the name of its first file (cmake/Batches.cmake)."""
        return self.name.partition("-")[0]

    def is_tests(self):
        return self.concept().endswith("_tests")

    def fewer_checks(self):
        """Of a test's own code, only what makes a test say something else than it seems to."""
        return [f"--checks=-*,{','.join(OF_TESTS)}"] if self.is_tests() else []

    def digest(self, linter):
        digest = hashlib.sha256(linter + "\0".join(self.options + self.fewer_checks()).replace(str(ROOT), "").encode())
        seen = set()
        for source in self.sources:
            for path in included(source, seen):
                digest.update(path.read_bytes())
        return digest.hexdigest()

    def lint(self, folder):
        """Whether it passed, and what clang-tidy says."""
        file = self.sources[0]
        if len(self.sources) > 1:
            file = folder / f"{self.name}.cc"
            file.write_text(self.text())
        config = f"--config-file={ROOT / '.clang-tidy'}"
        run = subprocess.run([TIDY, "--quiet", config, *self.fewer_checks(), str(file), "--", *self.options], cwd=ROOT, text=True,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        return run.returncode == 0, run.stdout


def included(path, seen):
    """The files of this project that `path` includes, itself first, each once."""
    if path in seen or not path.is_file():
        return
    seen.add(path)
    yield path
    for name in INCLUDE.findall(path.read_bytes()):
        for base in (path.parent, ROOT / "src", ROOT):
            candidate = (base / name.decode()).resolve()
            if candidate.is_file():
                yield from included(candidate, seen)
                break


def arguments(entry):
    """What clang needs of the compile command: no compiler, no output, no precompiled header of gcc, and
    nothing that only g++ knows."""
    words = entry["arguments"] if "arguments" in entry else shlex.split(entry["command"])
    while not re.search(r"(\+\+|cc|clang)(-\d+)?$", words[0]) or words[0].endswith("ccache"):
        words = words[1:]  # what starts the compiler: a cache and its settings
    kept, skip = [], False
    for word in words[1:]:
        if skip:
            skip = False
        elif word in ("-o", "-include", "-include-pch", "-MF", "-MT", "-Xclang"):
            skip = True
        elif word not in ("-c", "-MD", "-Winvalid-pch", "-Wno-subobject-linkage", entry["file"]) and not word.startswith(
                ("-fsanitize", "-fno-sanitize")):
            kept.append(word)
    return kept


def units(folders):
    """Everything of ours that is compiled, each file once, by the first folder that does."""
    batched, done = {}, set()
    for folder in folders:
        database = folder / "compile_commands.json"
        for entry in json.loads(database.read_text()) if database.exists() else []:
            file = pathlib.Path(entry["directory"], entry["file"]).resolve()
            if file.parent == folder / "batches":
                name = file.stem
                sources = [(ROOT / "src" / source.decode()).resolve() for source in INCLUDE.findall(file.read_bytes())]
            elif file.is_relative_to(ROOT) and file.relative_to(ROOT).parts[0] in OURS:
                name, sources = str(file.relative_to(ROOT)), [file]
            else:
                continue
            sources = [source for source in sources if source not in done]
            done.update(sources)
            if sources:
                batched.setdefault((folder, name), Unit(name, arguments(entry), [])).sources.extend(sources)
    return list(batched.values())


def check(folders, wanted):
    work = [unit for unit in units(folders) if wanted(unit)]
    if not work:
        sys.exit("pratique: nothing to lint; build first: tools/build.sh build")
    told = subprocess.run([TIDY, "--version"], capture_output=True, check=True).stdout
    version = re.search(rb"version [0-9.]+", told).group()  # what else it tells is about the machine
    linter = version + (ROOT / ".clang-tidy").read_bytes()
    PASSED.mkdir(parents=True, exist_ok=True)
    stale = {}
    for unit in work:
        stamp = PASSED / unit.digest(linter)
        if stamp.exists():
            stamp.touch()
        else:
            stale[stamp] = unit
    failed = []
    with tempfile.TemporaryDirectory() as scratch, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        # The largest first, so that no core waits for it in the end.
        largest_first = sorted(stale, key=lambda stamp: -len(stale[stamp].sources))
        running = {pool.submit(stale[stamp].lint, pathlib.Path(scratch)): stamp for stamp in largest_first}
        for future in concurrent.futures.as_completed(running):
            passed, output = future.result()
            if passed:
                running[future].touch()
            else:
                failed.append(stale[running[future]].name)
                print(output)
    for stamp in PASSED.iterdir():
        if stamp.stat().st_mtime < time.time() - KEPT_DAYS * 86400:
            stamp.unlink(missing_ok=True)
    files = sum(len(unit.sources) for unit in work)
    checked = sum(len(unit.sources) for unit in stale.values())
    print(f"{files} files, {checked} checked now, {len(failed)} parts failed {' '.join(sorted(failed))}")
    return 1 if failed else 0


def self_test():
    """A fault is found in a file alone, and in every file of a batch."""
    fault = """#include <string>
#include <utility>
std::string::size_type NAME(std::string a) { std::string b = std::move(a); return a.size() + b.size(); }
"""
    with tempfile.TemporaryDirectory() as folder:
        scratch = pathlib.Path(folder)
        (scratch / "src").mkdir()
        sources = [scratch / "src" / f"{name}.cc" for name in ("first", "second", "third")]
        for source in sources:
            source.write_text(fault.replace("NAME", source.stem))
        entry = {"file": "x.cc", "command":
                 f"env A=b /usr/bin/ccache /usr/bin/c++ -std=c++20 -Winvalid-pch -include {folder}/no.hxx -MD -o x.o -c x.cc"}
        for planted in (sources[:1], sources):
            passed, output = Unit("planted", arguments(entry), planted).lint(scratch)
            for source in planted:
                if passed or not re.search(rf"{source}:3:.*bugprone-use-after-move", output):
                    sys.exit(f"pratique: clang-tidy did not find the use after move planted in {source.name}:\n{output}")
    print("found the planted faults")
    return 0


if __name__ == "__main__":
    if sys.argv[1:] == ["--self-test"]:
        sys.exit(self_test())
    parser = argparse.ArgumentParser()
    parser.add_argument("--only", metavar="CONCEPT")
    parser.add_argument("folders", nargs="*", default=["build"])
    asked = parser.parse_args()
    wanted = (asked.only, f"{asked.only}_tests")
    sys.exit(check([pathlib.Path(name).resolve() for name in asked.folders],
                   lambda unit: not asked.only or unit.concept() in wanted))
