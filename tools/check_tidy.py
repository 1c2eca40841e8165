#!/usr/bin/env python3
"""tools/check_tidy.py FOLDER...: clang-tidy on every source file that these build folders compile.

A file that passed is not checked again until it, a header of ours that it includes (at any depth),
.clang-tidy or its compile command changes: FOLDER/tidy and tools/tidy.passed hold the digests of what
passed. With --record it checks the same and writes tools/tidy.passed anew, for everybody else.
With --self-test it lints a file with a planted fault and expects it to be found.
"""
import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
TIDY = "clang-tidy"
RECORD = ROOT / "tools" / "tidy.passed"
OURS = ("src", "apps", "bench", "fuzz")
INCLUDE = re.compile(rb'^\s*#\s*include\s*"([^"]+)"', re.M)


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
    """What clang needs of the compile command: no compiler, no output, no precompiled header of gcc."""
    words = entry["arguments"] if "arguments" in entry else shlex.split(entry["command"])
    kept, skip = [], False
    for position, word in enumerate(words[1:], 1):
        if skip:
            skip = False
        elif word in ("-o", "-include", "-include-pch", "-MF", "-MT", "-Xclang"):
            skip = True
        elif word not in ("-c", "-MD", "-Winvalid-pch", entry["file"]) and not word.startswith(("-fsanitize", "-fno-sanitize")):
            kept.append(word)
    return kept


def lint(source, options):
    run = subprocess.run([TIDY, "--quiet", str(source), "--", *options], cwd=ROOT, text=True,
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    return run.returncode == 0, run.stdout


def jobs(folders):
    """(source, options, digest, stamp) of every file of ours, by the first folder that compiles it."""
    settings = (ROOT / ".clang-tidy").read_bytes()
    told = subprocess.run([TIDY, "--version"], capture_output=True, check=True).stdout
    version = re.search(rb"version [0-9.]+", told).group()  # what else it tells is about the machine
    done = set()
    for folder in folders:
        database = folder / "compile_commands.json"
        if not database.exists():
            continue
        for entry in json.loads(database.read_text()):
            source = pathlib.Path(entry["directory"], entry["file"]).resolve()
            if source in done or not source.is_relative_to(ROOT) or not source.exists():
                continue
            name = source.relative_to(ROOT)
            # Tests are held to the compiler's warnings alone: lint would cost as much for them as for all
            # the rest, and finds next to nothing there.
            if name.parts[0] not in OURS or name.name.endswith("_test.cc"):
                continue
            done.add(source)
            options = arguments(entry)
            digest = hashlib.sha256(version + settings + "\0".join(options).replace(str(ROOT), "").encode())
            for path in included(source, set()):
                digest.update(path.read_bytes())
            yield source, options, digest.hexdigest(), folder / "tidy" / (str(name).replace("/", "_") + ".passed")


def check(folders, record=False):
    work = list(jobs(folders))
    if not work:
        sys.exit("pratique: nothing to lint; build first: tools/build.sh build")
    passed_before = set(RECORD.read_text().split()) if RECORD.exists() else set()
    stale = [job for job in work
             if job[2] not in passed_before and (not job[3].exists() or job[3].read_text() != job[2])]
    failed = []
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        running = {pool.submit(lint, job[0], job[1]): job for job in stale}
        for future in concurrent.futures.as_completed(running):
            source, _, digest, stamp = running[future]
            passed, output = future.result()
            if passed:
                stamp.parent.mkdir(exist_ok=True)
                stamp.write_text(digest)
            else:
                failed.append(source)
                print(output)
    print(f"{len(work)} files, {len(stale)} checked now, {len(failed)} failed")
    for source in sorted(failed):
        print(f"  {source.relative_to(ROOT)}")
    if record:
        kept = sorted((str(job[0].relative_to(ROOT)), job[2]) for job in work if job[0] not in failed)
        RECORD.write_text("".join(f"{digest} {name}\n" for name, digest in kept))
    return 1 if failed else 0


def self_test():
    fault = """#include <string>
#include <utility>
std::string::size_type f(std::string a) { std::string b = std::move(a); return a.size() + b.size(); }
"""
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder, "fault.cc")
        source.write_text(fault)
        entry = {"file": str(source), "command":
                 f"c++ -std=c++20 -Winvalid-pch -include {folder}/no.hxx -MD -o x.o -c {source}"}
        options = arguments(entry) + [f"--config-file={ROOT / '.clang-tidy'}"]
        run = subprocess.run([TIDY, "--quiet", options.pop(), str(source), "--", *options], text=True,
                             capture_output=True, check=False)
    if run.returncode == 0 or "bugprone-use-after-move" not in run.stdout:
        sys.exit("pratique: clang-tidy did not find the planted use after move:\n" + run.stdout + run.stderr)
    print("found the planted fault")
    return 0


if __name__ == "__main__":
    if sys.argv[1:] == ["--self-test"]:
        sys.exit(self_test())
    names = [name for name in sys.argv[1:] if name != "--record"] or ["build", "build-checked"]
    sys.exit(check([pathlib.Path(name).resolve() for name in names], "--record" in sys.argv))
