#!/usr/bin/env python3
"""tools/mutants.py FOLDER [--count N] [--seed N] [--jobs N] [--only FILE]: do the tests notice?

Changes one operator, constant or statement at a time in a source file of src/pratique/FOLDER, compiles that
file with sanitizers, links it with the rest and runs the folder's own unit tests. A change that no test
notices is a survivor, and is listed. CONTRIBUTING.md says what to do about one.

No source is ever touched: all of it happens in build-mutants/, on a copy of the tree. A change that does not
compile is not counted; another one is drawn. The same seed draws the same changes, whatever --jobs is.
"""
import argparse
import concurrent.futures
import dataclasses
import fcntl
import fnmatch
import hashlib
import itertools
import json
import os
import pathlib
import random
import re
import resource
import shlex
import shutil
import signal
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent

# ---------------------------------------------------------------------------------------------------------
# What can be changed in a source file.

TOKEN = re.compile(r"""
    (?P<space>\s+)
  | (?P<comment>//[^\n]*|/\*.*?\*/)
  | (?P<string>(?:u8|[uUL])?R"(?P<tag>[^()\\\s]{0,16})\(.*?\)(?P=tag)"
      | (?:u8|[uUL])?"(?:\\.|[^"\\\n])*" | '(?:\\.|[^'\\\n])+')
  | (?P<directive>\#(?:\\\n|[^\n])*)
  | (?P<number>\.?\d(?:[eEpP][+-]|'?[\w.])*)
  | (?P<word>[A-Za-z_]\w*)
  | (?P<operator><=>|<<=|>>=|->\*|\.\.\.|<=|>=|==|!=|&&|\|\||\+\+|--|[-+*/%&|^]=|<<|>>|->|::|.)
""", re.X | re.S)

# Written with a space on both sides (clang-format sees to it), these have two operands.
BINARY = {
    "<": ("<=", ">", ">="), "<=": ("<", ">=", ">"), ">": (">=", "<", "<="), ">=": (">", "<=", "<"),
    "==": ("!=",), "!=": ("==",), "&&": ("||",), "||": ("&&",),
    "+": ("-",), "-": ("+",), "*": ("/",), "/": ("*",), "%": ("*",),
    "+=": ("-=", "="), "-=": ("+=", "="), "*=": ("/=",), "/=": ("*=",), "^=": ("|=",), "|=": ("&=",), "&=": ("|=",),
    "<<": (">>",), ">>": ("<<",), "&": ("|",), "|": ("&",), "^": ("|",),
}
WORDS = {
    "true": ("false",), "false": ("true",), "min": ("max",), "max": ("min",), "break": ("continue",),
    "continue": ("break",), "any_of": ("all_of", "none_of"), "all_of": ("any_of",), "none_of": ("any_of",),
    "lower_bound": ("upper_bound",), "upper_bound": ("lower_bound",), "front": ("back",), "back": ("front",),
    "floor": ("ceil",), "ceil": ("floor",), "less": ("greater",), "greater": ("less",),
}
# A name that is also a variable's is changed only where it is called.
CALLED = {"min", "max", "any_of", "all_of", "none_of", "lower_bound", "upper_bound", "front", "back", "floor", "ceil"}
# Where a change says nothing: the compiler's own, and hints about memory.
LEFT_ALONE = {"static_assert", "reserve", "alignas", "sizeof", "decltype", "noexcept"}
NOT_A_STATEMENT = {"if", "for", "while", "do", "switch", "case", "default", "using", "typedef", "const", "constexpr", "static",
                   "auto", "struct", "class", "enum", "namespace", "template", "public", "private", "protected", "else",
                   "try", "catch", "friend", "explicit", "extern", "inline", "virtual", "thread_local"}
LONGEST_STATEMENT = 80


@dataclasses.dataclass(frozen=True)
class Token:
    kind: str
    text: str
    begin: int
    end: int


@dataclasses.dataclass(frozen=True)
class Change:
    line: int
    words: str
    edits: tuple  # (begin, end, text) each, in order

    def applied_to(self, source):
        parts, at = [], 0
        for begin, end, text in self.edits:
            parts += [source[at:begin], text]
            at = end
        return "".join(parts) + source[at:]


class Source:
    """The code of one file, and the places in it that can be changed."""

    def __init__(self, text):
        self.text = text
        everything = (Token(match.lastgroup if match.lastgroup != "tag" else "string", match.group(), *match.span())
                      for match in TOKEN.finditer(text))
        self.tokens = [token for token in everything if token.kind not in ("space", "comment", "directive")]
        self.partner = self._partners()
        self.frozen = self._frozen()

    def places(self):
        """For every place the changes that can be made there, in the order of the file."""
        for at, token in enumerate(self.tokens):
            if at in self.frozen:
                continue
            if token.kind == "operator":
                yield from self._operator(at, token)
            elif token.kind == "word":
                yield from self._word(at, token)
            elif token.kind == "number":
                yield from self._number(token)
            yield from self._statement(at)

    def _text(self, at):
        return self.tokens[at].text if 0 <= at < len(self.tokens) else ""

    def _change(self, words, *edits):
        return Change(self.text.count("\n", 0, edits[0][0]) + 1, words, edits)

    def _replaced(self, token, replacements):
        return tuple(self._change(f"{token.text} became {text}", (token.begin, token.end, text)) for text in replacements)

    def _spaced(self, token):
        return self.text[token.begin - 1:token.begin].isspace() and self.text[token.end:token.end + 1].isspace()

    def _partners(self):
        """The place of every bracket's other half."""
        partner, open_at = {}, []
        for at, token in enumerate(self.tokens):
            if token.kind != "operator":
                continue
            if token.text in ("(", "[", "{"):
                open_at.append(at)
            elif token.text in (")", "]", "}") and open_at:
                begin = open_at.pop()
                partner[begin], partner[at] = at, begin
        return partner

    def _frozen(self):
        """Places inside template arguments, attributes, and calls that are left alone."""
        frozen = set()
        for at, token in enumerate(self.tokens):
            if token.text in LEFT_ALONE and self._text(at + 1) == "(":
                frozen.update(range(at, self.partner.get(at + 1, at) + 1))
            elif token.text == "[" and self._text(at + 1) == "[":
                frozen.update(range(at, self.partner.get(at, at) + 1))
            elif token.text in ("progress", "progress_") and self._text(at + 1) == "." and self._text(at + 3) == "(":
                # What is shown of the work changes nothing that comes of it.
                first = at - 2 if self._text(at - 1) == "." else at
                frozen.update(range(first, self.partner.get(at + 3, at) + 1))
            elif token.text == "operator":
                frozen.update((at, at + 1))
            elif token.text == "<" and at not in frozen and self._opens_template(at):
                frozen.update(range(at, self._template_end(at) + 1))
        return frozen

    def _opens_template(self, at):
        before = self.tokens[at - 1] if at else None
        return before is not None and before.kind == "word" and (before.text == "template" or not self._spaced(self.tokens[at]))

    def _template_end(self, at):
        depth = 0
        for end in range(at, len(self.tokens)):
            text = self.tokens[end].text
            depth += {"<": 1, ">": -1, ">>": -2}.get(text, 0)
            if depth <= 0:
                return end
            if text in (";", "{"):
                break
        return at

    def _operator(self, at, token):
        if token.text in BINARY and self._spaced(token):
            beside = (self.tokens[at - 1].kind, self.tokens[at + 1].kind)
            if token.text != "+" or "string" not in beside:  # two pieces of text
                yield self._replaced(token, BINARY[token.text])
        elif token.text in ("++", "--"):
            yield self._replaced(token, ("--" if token.text == "++" else "++",))
        elif token.text == "!":
            yield (self._change("! removed", (token.begin, token.end, "")),)
        elif token.text == "?":
            yield (self._change("condition before ? negated", (token.begin, token.begin, "!= true ")),)

    def _word(self, at, token):
        if token.text in WORDS and (token.text not in CALLED or self._text(at + 1) == "("):
            yield self._replaced(token, WORDS[token.text])
        if token.text in ("if", "while") and self._text(at + 1) == "(":
            begin, end = at + 1, self.partner.get(at + 1)
            if end is not None and not {";", "="} & {inner.text for inner in self.tokens[begin:end]}:
                yield (self._change(f"condition of {token.text} negated", (self.tokens[begin].end, self.tokens[begin].end, "!("),
                                    (self.tokens[end].begin, self.tokens[end].begin, ")")),)

    def _number(self, token):
        number = re.fullmatch(r"(0[xX][\da-fA-F']+|\d[\d']*)([uUlLzZ]*)", token.text)
        if number:
            value, suffix = int(number[1].replace("'", ""), 0 if number[1][:2] in ("0x", "0X") else 10), number[2]
            yield self._replaced(token, [f"{other}{suffix}" for other in (value + 1, value - 1) if other >= 0])
        elif re.fullmatch(r"\d+\.\d+", token.text):
            yield self._replaced(token, (repr(float(token.text) + 1),))

    def _statement(self, at):
        """Removes a statement that is no declaration: an assignment, a call, an early return, a throw."""
        token, before = self.tokens[at], self._text(at - 1)
        if token.text in NOT_A_STATEMENT or token.text in ("{", "}", ";", "~") or token.kind == "string":
            return
        alone = before == "else" or (before == ")" and self._is_control(at - 1))
        if not alone and before not in ("{", "}", ";"):
            return
        block = self._block_of(at)
        if block is None or not self._is_code(block):
            return
        if token.text == "return" and not alone and not self._is_control(block - 1):
            return
        end = at
        while end < len(self.tokens) and self.tokens[end].text not in (";", "{", "}") and end - at < LONGEST_STATEMENT:
            end = self.partner[end] + 1 if self.tokens[end].text in ("(", "[") and end in self.partner else end + 1
        if self._text(end) != ";" or self._declares(at, end):
            return
        words = " ".join(self.text[token.begin:self.tokens[end].end].split())
        yield (self._change(f"removed: {words}", (token.begin, self.tokens[end].begin, "")),)

    def _block_of(self, at):
        """The place of the brace that opens the block around a place."""
        at -= 1
        while at >= 0:
            text = self.tokens[at].text
            if text == "{":
                return at
            if text in ("(", "["):
                return None
            at = self.partner.get(at, at) - 1 if text in (")", "]", "}") else at - 1
        return None

    def _is_control(self, at):
        """Whether this is the end of what precedes the body of an if, for, while, switch, catch or else."""
        if self._text(at) in ("else", "do", "try"):
            return True
        return self._text(at) == ")" and self._text(self.partner.get(at, 0) - 1) in ("if", "for", "while", "switch", "catch")

    def _is_code(self, brace):
        """Whether this brace opens a block of statements, and not a class, a namespace or a list of values."""
        before = self._text(brace - 1)
        if before in (")", "else", "do", "try", "const", "noexcept", "override", "mutable", "]"):
            return True
        if before in ("{", "}", ";", ":"):
            outer = self._block_of(brace)
            return outer is not None and self._is_code(outer)
        # A trailing return type: back to its arrow.
        for at in range(brace - 1, max(brace - 25, 0), -1):
            if self._text(at) == "->":
                return True
            if self._text(at) in (";", "{", "}", "=", "(", "return"):
                return False
        return False

    def _declares(self, begin, end):
        if self.tokens[begin].text in ("return", "throw", "delete", "break", "continue", "goto", "co_return", "co_yield"):
            return False
        at = begin
        while at < end:
            token, after = self.tokens[at], self.tokens[at + 1]
            type_ends = token.kind == "word" or (
                token.text in (">", ">>", "&", "*", "&&") and not self.text[token.begin - 1:token.begin].isspace())
            if type_ends and after.kind == "word":
                return True
            if token.kind == "operator" and token.text in ("=", "+=", "-=", "."):
                return False
            at = self.partner[at] + 1 if token.text in ("(", "[") and at in self.partner else at + 1
        return False


@dataclasses.dataclass(frozen=True)
class Mutant:
    file: pathlib.Path
    change: Change


def draw(files, seed):
    """Every place of these files once, in the order in which this seed tries them."""
    chance = random.Random(seed)
    places = [(file, changes) for file in files for changes in Source(file.read_text()).places() if changes]
    chance.shuffle(places)
    return [Mutant(file, chance.choice(changes)) for file, changes in places]


# ---------------------------------------------------------------------------------------------------------
# Whether the tests notice.

QUICK_SHARE = 0.25  # of the time of all tests: what is run first

class Ended(Exception):
    """Something that stops the whole run, told to the user."""


@dataclasses.dataclass(frozen=True)
class Limits:
    cpu_seconds: int
    wall_seconds: int


@dataclasses.dataclass
class Project:
    """How a file is compiled and the tests are linked and run, everything in `scratch`."""
    scratch: pathlib.Path
    compile: object  # of (file, source to compile instead, object file): a list of words
    link: object  # of (file, object file that replaces its own, program): a line for the shell
    run: object  # of (program, names of tests or None for all): a list of words
    directory: pathlib.Path  # where the tests run
    environment: dict
    # Tests in the order in which they are run, each round with its limits: quick ones notice most.
    rounds: tuple = ((None, Limits(3600, 3600)),)
    beside: object = lambda file: []  # what GoogleTest calls the tests that stand beside a source file
    near: object = lambda file: []  # of a source file: rounds that come before all others
    seconds: object = dict  # of (): by test, after all of them ran


def ended_by_limit(words, limits, **options):
    """The exit status and output of a program; both are cut short, with everything it started, by the limits."""
    # By programs of their own, which end it also when this one is killed.
    guarded = ["sh", "-c", 'ulimit -c 0; ulimit -t "$1"; shift; exec timeout --signal=KILL "$@"', "sh",
               str(limits.cpu_seconds), f"{limits.wall_seconds}s", *map(str, words)]
    with subprocess.Popen(guarded, start_new_session=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, **options) as process:
        try:
            output, _ = process.communicate()
            return process.returncode, output
        finally:
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass


def test_once(project, worker, file=None, obj=None):
    """Links the tests, with `obj` in the place of what `file` gave, and runs them until one fails: status and output."""
    program = worker / "tests"
    linked = subprocess.run(project.link(file, obj, program), shell=True, check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if linked.returncode != 0:
        return None, linked.stdout
    temporary = worker / "tmp"
    environment = os.environ | project.environment | {"TMPDIR": str(temporary)}
    for tests, limits in [*(project.near(file) if file else []), *project.rounds]:
        shutil.rmtree(temporary, ignore_errors=True)
        temporary.mkdir()
        status, output = ended_by_limit(project.run(program, tests), limits, cwd=project.directory, env=environment)
        if status != 0:
            break
    return status, output


def is_noticed(project, worker, mutant):
    """True, False, or None when the change does not compile."""
    worker.mkdir(parents=True, exist_ok=True)
    changed, obj = worker / mutant.file.name, worker / "changed.o"
    changed.write_text(mutant.change.applied_to(mutant.file.read_text()))
    # Not to be kept by a compiler cache: nobody compiles this again.
    compiled = subprocess.run(project.compile(mutant.file, changed, obj), cwd=project.scratch, check=False, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL, env=os.environ | {"CCACHE_DISABLE": "1"})
    changed.unlink()
    if compiled.returncode != 0:
        return None
    status, _ = test_once(project, worker, mutant.file, obj)
    return None if status is None else status != 0


def with_limits(project):
    """The project with limits that a run of the unchanged tests keeps by far."""
    worker = project.scratch / "unchanged"
    worker.mkdir(parents=True, exist_ok=True)
    used, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    status, output = test_once(project, worker)
    if status != 0:
        raise Ended(output.decode(errors="replace")[-3000:] + "\nthe tests do not pass as they are; mend that first")
    now = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = now.ru_utime + now.ru_stime - used.ru_utime - used.ru_stime
    wall = time.monotonic() - began

    def limits(share):
        # The processor's time, so that a busy machine notices nothing by itself; the clock's for what waits forever.
        return Limits(int(4 * cpu * share) + 8, int(20 * wall * share) + 120)

    seconds = project.seconds()
    whole = sum(seconds.values())
    rounds, quick, share = [], [], 0.0
    for test in sorted(seconds, key=seconds.get):
        if quick and share + seconds[test] / whole > QUICK_SHARE:
            break
        quick.append(test)
        share += seconds[test] / whole
    slow = sorted(set(seconds) - set(quick))
    if slow:
        rounds = [(quick, limits(share)), (slow, limits(1 - share))]

    def near(file):
        names = sorted(test for test in seconds if any(fnmatch.fnmatchcase(test, name) for name in project.beside(file)))
        return [(names, limits(sum(seconds[test] for test in names) / whole))] if names else []

    return dataclasses.replace(project, rounds=tuple(rounds or [(None, limits(1))]), near=near)


def judge(project, mutants, count, jobs, report):
    """(mutant, noticed) of the first `count` mutants that compile, in their order."""
    verdicts, waiting = {}, iter(enumerate(mutants))
    workers = [project.scratch / f"worker{number}" for number in range(jobs)]
    free = list(workers)

    def one(mutant):
        worker = free.pop()
        try:
            return is_noticed(project, worker, mutant)
        finally:
            free.append(worker)

    def settled():
        """The verdicts up to the first one that is still missing."""
        known = itertools.takewhile(lambda at: at in verdicts, range(len(mutants)))
        return [(mutants[at], verdicts[at]) for at in known if verdicts[at] is not None]

    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        running = {pool.submit(one, mutant): at for at, mutant in itertools.islice(waiting, jobs)}
        told = 0
        while running:
            done, _ = concurrent.futures.wait(running, return_when=concurrent.futures.FIRST_COMPLETED)
            for future in done:
                verdicts[running.pop(future)] = future.result()
            results = settled()[:count]
            for mutant, noticed in results[told:]:
                told += 1
                report(told, mutant, noticed)
            if len(results) < count:
                for at, mutant in itertools.islice(waiting, len(done)):
                    running[pool.submit(one, mutant)] = at
    return settled()[:count]


# ---------------------------------------------------------------------------------------------------------
# This project's tree.

LEFT_OUT = re.compile(r"\.git|\.deps|build.*|demo|web|__pycache__|compile_commands\.json")
# Random tests try the same cases each time, and nobody reads the smallest failing one.
RAPIDCHECK = "seed=1 noshrink=1"


def copy_tree(source, target, left_out=re.compile("__pycache__")):
    """Makes `target` equal `source`; a file that is equal already keeps its time, so that it is not built again."""
    target.mkdir(parents=True, exist_ok=True)
    names = {entry.name for entry in source.iterdir() if not left_out.fullmatch(entry.name)}
    for entry in target.iterdir():
        if entry.name in names or left_out.fullmatch(entry.name):
            continue
        shutil.rmtree(entry) if entry.is_dir() and not entry.is_symlink() else entry.unlink()
    for name in sorted(names):
        old, new = source / name, target / name
        if old.is_dir():
            copy_tree(old, new)
        elif not new.exists() or new.read_bytes() != old.read_bytes():
            shutil.copyfile(old, new)
            shutil.copymode(old, new)


def run_or_end(words, **options):
    done = subprocess.run(words, check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    if done.returncode != 0:
        raise Ended(done.stdout[-3000:] + f"\n{words[0]} failed")
    return done.stdout


def tests_of(folder, pattern="*"):
    """What GoogleTest calls the tests in files of this folder, such as km_claims_test.cc, as a filter."""
    names = []
    for file in sorted(folder.rglob(f"{pattern}_test.cc")):
        for kind, suite, name in re.findall(r"^(\w*TEST\w*|RC_GTEST_\w+)\(\s*(\w+),\s*(\w+)", file.read_text(), re.M):
            names += {"TEST_P": [f"*/{suite}.{name}/*"], "TYPED_TEST": [f"{suite}/*.{name}"]}.get(kind, [f"{suite}.{name}"])
    return ":".join(names)


# The folder's own files; everything else is built as always, and comes out of the compiler's cache.
CHECKED = ["-O0", "-w", "-fsanitize=address,undefined", "-fno-sanitize-recover=all",
           "-fno-sanitize=null,alignment,vptr,object-size,pointer-overflow,nonnull-attribute,returns-nonnull-attribute",
           "-fno-omit-frame-pointer", "-D_GLIBCXX_ASSERTIONS"]


def clang():
    return shutil.which("clang++-14") or shutil.which("clang++") or "clang++"


def checked_command(command):
    """A compile command of the plain build for clang with sanitizers: not optimised and without precompiled header,
    so that the way of one change from the source to the tests is as short as can be."""
    words, kept = iter(command), []
    for word in words:
        if word in ("-include", "-Xclang", "-o", "-c"):
            next(words)
        elif re.match(r"-[DIUf]|-isystem|-std=", word):
            kept.append(word)
            if word == "-isystem":
                kept.append(next(words))
    return [clang(), *kept, *CHECKED]


def precompiled(header, command, sources):
    """The system's headers that these sources include, read once for all changes."""
    files = {file for source in sources for file in source.parent.iterdir()
             if file.suffix in (".h", ".cc") and not file.name.endswith("_test.cc")}
    names = {name for file in files for name in re.findall(r"^#include (<.*>)", file.read_text(), re.M)}
    header.write_text("".join(f"#include {name}\n" for name in sorted(names - {"<gtest/gtest.h>"})))
    run_or_end([*command, "-x", "c++-header", str(header), "-o", f"{header}.pch"])
    return pathlib.Path(f"{header}.pch")


def checked_objects(folder, command, prefix, sources, jobs):
    """The object of every source, by clang with sanitizers; one that is there from an earlier run is kept."""
    tree_digest = hashlib.sha256("\0".join(command).encode())
    for header in sorted((prefix.parent / "tree/src").rglob("*.h")):
        tree_digest.update(header.read_bytes())

    def one(source):
        digest = tree_digest.copy()
        digest.update(source.read_bytes())
        obj = folder / f"{source.stem}-{digest.hexdigest()[:16]}.o"
        if not obj.exists():
            partly = obj.with_suffix(".partly")
            run_or_end([*command, "-include-pch", str(prefix), "-c", str(source), "-o", str(partly)])
            partly.rename(obj)
        return source, obj

    folder.mkdir(exist_ok=True)
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        objects = dict(pool.map(one, sources))
    for obj in set(folder.iterdir()) - set(objects.values()):
        obj.unlink()
    return objects


def this_project(folder, jobs):
    """A copy of the tree, built, and how one of its files is replaced."""
    scratch, concept = ROOT / "build-mutants", folder.parts[0]
    # The build folder lies to the sources as it always does, so that a compiler cache knows them again.
    tree, build = scratch / "tree", scratch / "tree/build"
    copy_tree(ROOT, tree, LEFT_OUT)
    if not (tree / ".deps").exists():
        (tree / ".deps").symlink_to((ROOT / ".deps").resolve())
    print(f"building the tests of {concept} in {scratch.name}/", flush=True)
    run_or_end(["cmake", "-S", str(tree), "-B", str(build), "-G", "Ninja"])
    target = f"{concept}_tests"
    run_or_end(["ninja", "-C", str(build), "-j", str(jobs), target])
    link_line = run_or_end(["ninja", "-C", str(build), "-t", "commands", target]).strip().splitlines()[-1]
    link_parts = re.fullmatch(rf"(: && )?\S+ (.*) -o {target} (.*?)( && :)?", link_line)
    commands = [entry["command"] for entry in json.loads((build / "compile_commands.json").read_text())
                if f"CMakeFiles/pratique_{concept}.dir/" in entry["command"]]
    if not link_parts or not commands:
        raise Ended(f"how {target} is built is not understood: {link_line}")

    command = checked_command(shlex.split(commands[0]))
    sources = sources_of(tree / "src/pratique" / folder)
    prefix = precompiled(scratch / "prefix.h", command, sources)
    objects = checked_objects(scratch / "objects", command, prefix, sources, jobs)
    linker = ["-fsanitize=address,undefined", "-Wl,-z,muldefs", *(["-fuse-ld=lld"] if shutil.which("ld.lld") else [])]

    def compile_words(_file, changed, obj):
        return [*command, "-include-pch", str(prefix), "-c", str(changed), "-o", str(obj)]

    def link(file, obj, program):
        # In front of the libraries: of two definitions the first is taken.
        checked = [str(obj if source == file else kept) for source, kept in objects.items()]
        return (f"cd {shlex.quote(str(build))} && {clang()} {shlex.join(linker)} {link_parts[2]} "
                f"-o {shlex.quote(str(program))} {shlex.join(checked)} {link_parts[3]}")

    wanted = "*" if len(folder.parts) == 1 else tests_of(tree / "src/pratique" / folder) or "*"
    times = scratch / "times.json"

    def beside(file):
        return tests_of(tree / "src/pratique" / folder, f"{file.stem}*").split(":")

    def run(program, tests):
        words = [str(program), "--gtest_fail_fast", "--gtest_brief=1", f"--gtest_filter={':'.join(tests) if tests else wanted}"]
        return words if tests else [*words, f"--gtest_output=json:{times}"]

    def seconds():
        suites = json.loads(times.read_text())["testsuites"]
        return {f"{test['classname']}.{test['name']}": float(test["time"].rstrip("s"))
                for suite in suites for test in suite["testsuite"] if test["status"] == "RUN"}

    return Project(
        scratch=scratch, compile=compile_words, link=link, directory=tree, run=run, seconds=seconds, beside=beside,
        environment={
            "ASAN_OPTIONS": "detect_stack_use_after_return=1:strict_string_checks=1:hard_rss_limit_mb=3000:max_allocation_size_mb=2000",
            "LSAN_OPTIONS": f"suppressions={tree}/tools/lsan.supp:print_suppressions=0",
            "RC_PARAMS": RAPIDCHECK})


def sources_of(folder, pattern="*"):
    return [file for file in sorted(folder.rglob(pattern)) if file.suffix == ".cc" and not file.name.endswith("_test.cc")]


def main():
    parser = argparse.ArgumentParser(description="Changes one operator at a time and lists what the unit tests do not notice.")
    parser.add_argument("folder", help="below src/pratique, such as verify or tables/flow")
    parser.add_argument("--count", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--only", default="*", help="only source files of this name (a pattern)")
    options = parser.parse_args()
    folder = pathlib.PurePosixPath(options.folder.strip("/"))
    if not (ROOT / "src/pratique" / folder).is_dir():
        raise Ended(f"there is no folder src/pratique/{folder}")

    scratch = ROOT / "build-mutants"
    scratch.mkdir(exist_ok=True)
    with open(scratch / "lock", "w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise Ended("another run uses build-mutants/ now; wait for it to end") from None
        project = with_limits(this_project(folder, options.jobs))
        tree = project.directory
        files = sources_of(tree / "src/pratique" / folder, options.only)
        mutants = draw(files, options.seed)
        print(f"{len(mutants)} places in {len(files)} files; a run may take {sum(limits.cpu_seconds for _, limits in project.rounds)} s of processor time", flush=True)

        def told(mutant):
            line = mutant.file.read_text().splitlines()[mutant.change.line - 1].strip()
            return f"{mutant.file.relative_to(tree)}:{mutant.change.line}: {mutant.change.words}\n        {line}"

        def report(number, mutant, noticed):
            print(f"{number:4} {'noticed' if noticed else 'SURVIVED'} {told(mutant)}", flush=True)

        results = judge(project, mutants, options.count, options.jobs, report)
        if mutants and not results:
            raise Ended("no change compiled: that cannot be right")
        survivors = [mutant for mutant, noticed in results if not noticed]
        print(f"\n{folder}, seed {options.seed}: {len(results) - len(survivors)} of {len(results)} noticed")
        for mutant in sorted(survivors, key=lambda mutant: (mutant.file, mutant.change.line)):
            print(f"survivor {told(mutant)}")


if __name__ == "__main__":
    try:
        main()
    except Ended as problem:
        sys.exit(f"pratique: {problem}")
    except KeyboardInterrupt:
        sys.exit(130)
