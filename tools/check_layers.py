#!/usr/bin/env python3
"""tools/check_layers.py [ROOT]: the rules of the house that a compiler does not know.

1. A folder of src/pratique includes only folders that stand before it in LAYERS.
2. What stands in an internal/ anywhere below FOLDER is included only from FOLDER.
3. No header drags in DuckDB, yaml-cpp or the whole of nlohmann/json.
4. Nothing below apps/ prints or ends the process; that is the edge's business. Tests may.
5. Nobody owns memory by hand: no new, delete, malloc.
6. What stands in a folder testing/ is included by tests and by testing/ alone.
7. A test's names stand in a namespace of its own, called like its file: tests are compiled together, and all
   of them have an example() or rows().
8. What deals with releases of every kind names none: ledger/, release/ and server/ include no kind's folder, but for
   the one list of kinds, release/kinds.cc, and nothing there is compared with the noun of a kind. Tests may.
9. Git tracks nothing that .gitignore names: keys, private manifests, what the README's tour writes.
Comments and string literals do not count.
"""
import pathlib
import re
import subprocess
import sys

# Folders in one line do not know each other; each may use all lines before it.
LAYERS = [
    ["core"],
    ["crypto"],
    ["ledger"],
    ["net"],
    ["data", "words"],
    ["engine"],
    ["columns"],
    ["verify", "manifest"],  # verify before the methods, and with its own reader of manifests: it uses neither
    ["kind"],
    ["synthetic"],
    ["tables", "codes", "trails"],
    # genomes run the attack on trails among their own; the view of persons in notes is protected like a table
    ["notes", "genomes"],
    ["fusion"],
    ["dp"],
    ["consortium"],
    ["sharing"],
    ["warehouse"],
    ["release"],
    ["server"],
]
KIND = "tables|codes|trails|notes|genomes|fusion|dp|consortium|sharing|warehouse"
NAMES_A_KIND = re.compile(rf'"pratique/(?P<included>{KIND})/|(?:[=!]=|\bkind_of\()\s*"(?P<noun>{KIND})"')
NAMES_NO_KIND = {"ledger", "release", "server"}
LIST_OF_KINDS = "src/pratique/release/kinds.cc"
LEVEL = {name: level for level, names in enumerate(LAYERS) for name in names}

HEAVY = re.compile(r"^(duckdb\.h(pp)?|yaml-cpp/.*|nlohmann/json\.hpp)$")
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(?:<([^>]+)>|"([^"]+)")', re.M)
PRINTS = re.compile(
    r"\bstd::(?:cout|cerr|clog)\b|\bfmt::print\b|\bstd::print(?:ln)?\b|\bstd(?:out|err)\b"
    r"|(?<![\w.>])(?:std::|::)?(?:f|v|vf)?printf\s*\(|(?<![\w.>])(?:std::|::)?f?puts\s*\("
    r"|(?<![\w.>])(?:std::|::)?(?:_|quick_|_E)?[eE]xit\s*\(")
OWNS = re.compile(r"\bnew\s+[\w:(]|\bdelete\s*(?:\[\s*\]\s*)?[\w:(*]|(?<![\w.>])(?:std::)?(?:m|c|re)alloc\s*\(")
# What a reader of code skips, in the order a scanner meets it.
SKIPPED = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"([^()\\\s]{0,16})\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|(?<![\w])\'(?:\\.|[^\'\\\n])+\'', re.S)


def blank(match):
    """The same number of lines, so that line numbers hold."""
    return "\n" * match.group().count("\n") or " "


def tracked_though_ignored(root):
    """What git was made to keep although .gitignore names it; nothing where there is no repository."""
    if not (root / ".git").exists():
        return []
    listing = subprocess.run(["git", "-C", str(root), "ls-files", "-z", "--cached", "--ignored", "--exclude-standard"],
                             capture_output=True, text=True, check=True)
    return [name for name in listing.stdout.split("\0") if name]


def violations(root):
    """Yields "file:line: what is wrong and how to mend it"."""
    for name in tracked_though_ignored(root):
        yield f"{name}:1: .gitignore names it, and it is committed; git rm --cached it"
    files = sorted(p for folder in ("src", "apps", "bench", "fuzz", "docs/examples") for p in (root / folder).rglob("*.*")
                   if p.suffix in (".h", ".cc"))
    if not files:
        yield f"{root}: no source file found"
    for path in files:
        name = path.relative_to(root).as_posix()
        text = path.read_text(encoding="utf-8", errors="replace")
        parts = path.relative_to(root).parts
        folder = parts[2] if parts[:2] == ("src", "pratique") and len(parts) > 3 else None
        if folder and folder not in LEVEL:
            yield f"{name}:1: the folder {folder} has no place in LAYERS of tools/check_layers.py; give it one"
            continue

        # Includes are read with comments blanked but their quoted names kept.
        spoken = re.sub(r"//[^\n]*|/\*.*?\*/", blank, text, flags=re.S)
        for match in INCLUDE.finditer(spoken):
            target = match.group(1) or match.group(2)
            place = f"{name}:{spoken.count(chr(10), 0, match.start()) + 1}"
            if path.suffix == ".h" and HEAVY.match(target):
                yield f"{place}: a header includes {target}; declare what is needed and include it in the .cc"
            inner = re.match(r"pratique/(\w+)/(.*)", target)
            if match.group(2) and not inner and folder:
                yield f'{place}: "{target}" is not spelled from src/; write "pratique/FOLDER/{target}"'
            if not inner:
                continue
            other, rest = inner.groups()
            if "internal" in rest.split("/")[:-1] and other != folder:
                yield f"{place}: {target} is internal to {other}; use one of its public headers"
            is_test = path.name.endswith("_test.cc") or "testing" in parts
            if "testing" in rest.split("/")[:-1] and not is_test:
                yield f"{place}: {target} is for tests alone"
            if folder and other != folder and LEVEL.get(other, len(LAYERS)) >= LEVEL[folder]:
                yield f"{place}: {folder} may not use {other}, which does not stand before it"

        if folder in NAMES_NO_KIND and name != LIST_OF_KINDS and not path.name.endswith("_test.cc"):
            for match in NAMES_A_KIND.finditer(spoken):
                line = spoken.count("\n", 0, match.start(match.lastgroup)) + 1
                yield f"{name}:{line}: {folder} deals with every kind and names {match[match.lastgroup]}; let Kind say it (kind/kind.h)"

        if folder and path.name.endswith("_test.cc") and not re.search(rf"^namespace [\w:]+::{path.stem} {{", text, re.M):
            yield f"{name}:1: the namespace of a test ends with its file's name: namespace pratique::...::{path.stem}"
        if folder and not path.name.endswith("_test.cc"):
            code = SKIPPED.sub(blank, text)
            for pattern, advice in ((PRINTS, "nothing below apps/ prints or exits; throw an Error or return a value"),
                                    (OWNS, "use std::make_unique, a container or a value")):
                for match in pattern.finditer(code):
                    line = code.count("\n", 0, match.start()) + 1
                    yield f"{name}:{line}: {match.group().strip()}: {advice}"


if __name__ == "__main__":
    root = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parent.parent
    found = list(violations(root))
    print("\n".join(found) if found else "every file keeps to the layers")
    sys.exit(1 if found else 0)
