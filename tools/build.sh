#!/usr/bin/env bash
# tools/build.sh FOLDER [-DOPTION=VALUE...] [TARGET...]: configures once, then builds what changed (all,
# or the targets; nothing for the target `configure`). The folder says which kind of build: build, or
# build-checked (clang with sanitizers: fuzzers and unit tests).
set -euo pipefail
cd "$(dirname "$0")/.."
folder=$1
shift
options=()
targets=()
if [[ $folder == build-checked ]]; then options+=(-DPRATIQUE_CHECKED=ON); fi
for argument in "$@"; do
  if [[ $argument == -* ]]; then options+=("$argument"); else targets+=("$argument"); fi
done

if [[ ! -e $folder/build.ninja ]]; then
  echo "configuring $folder"
  log=$(mktemp)
  trap 'rm -f "$log"' EXIT
  if ! cmake -S . -B "$folder" -G Ninja "${options[@]}" > "$log" 2>&1; then
    tail -n 20 "$log" >&2
    echo "pratique: CMake could not configure $folder (see above); try: make clean, then again" >&2
    exit 3
  fi
fi
if [[ ${targets[*]} == configure ]]; then exit 0; fi
echo "building $folder"
ninja -C "$folder" --quiet "${targets[@]}" || {
  echo "pratique: the build in $folder failed; the first error above is the one to look at" >&2
  exit 3
}
