"""What the scripts of the studies share: their first argument is the program, and each run of it prints JSON."""
import json
import subprocess
import sys

PROGRAM = sys.argv[1]
SMALL = "small" in sys.argv[3:]


def run(*arguments, exits=(0,)):
    """What the program found; the study ends where it fails."""
    done = subprocess.run([PROGRAM, *map(str, arguments), "--json"], capture_output=True, check=False)
    if done.returncode not in exits or not done.stdout:
        sys.exit(done.stderr.decode() or f"{arguments}: exit {done.returncode}")
    return json.loads(done.stdout)


def table(header, rows):
    """As Markdown."""
    print("| " + " | ".join(header) + " |\n|" + "---|" * len(header))
    for row in rows:
        print("| " + " | ".join(str(cell) for cell in row) + " |")
    print()
