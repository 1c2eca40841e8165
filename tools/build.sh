#!/usr/bin/env bash
# tools/build.sh FOLDER [CMAKE OPTION...]: configures once, then builds what changed.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=$1
shift
if [[ ! -e $folder/build.ninja ]]; then
  echo "configuring $folder"
  log=$(mktemp)
  trap 'rm -f "$log"' EXIT
  if ! cmake -S . -B "$folder" -G Ninja "$@" > "$log" 2>&1; then
    tail -n 20 "$log" >&2
    echo "pratique: CMake could not configure $folder (see above); try: make clean, then again" >&2
    exit 3
  fi
fi
echo "building $folder"
cmake --build "$folder" -- --quiet || {
  echo "pratique: the build in $folder failed; the first error above is the one to look at" >&2
  exit 3
}
