#!/usr/bin/env bash
# tools/bench.sh [NAME [PART...]]: measures every promise of bench/, or those of bench/NAME.py; a line for each.
# bench/tables.py and bench/workbench.py take names of their parts.
set -euo pipefail
cd "$(dirname "$0")/.."
tools/build.sh build all duckdb_yardstick level_yardstick lattice_yardstick noise_yardstick synthesis_yardstick multiplication_yardstick
export PYTHONDONTWRITEBYTECODE=1
names=("${1:-}")
if [[ -z ${names[0]} ]]; then
  names=()
  for script in bench/*.py; do
    name=$(basename "$script" .py)
    [[ $name == promise ]] || names+=("$name")
  done
fi
[[ -x build/pratique ]] || {
  echo 'pratique: build/pratique is not there; run: make build' >&2
  exit 3
}
python3 bench/promise.py
failed=()
for name in "${names[@]}"; do
  [[ -f bench/$name.py ]] || {
    echo "pratique: there is no bench/$name.py" >&2
    exit 2
  }
  python3 "bench/$name.py" "${@:2}" || failed+=("$name")
done
((${#failed[@]} == 0)) || {
  echo "pratique: could not measure: ${failed[*]} (the reason is above)" >&2
  exit 1
}
