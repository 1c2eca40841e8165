#!/usr/bin/env bash
# tools/test.sh [--checked]: everything that make test does, in order; with --checked the unit tests again and
# the fuzzers, built by clang with AddressSanitizer and UndefinedBehaviorSanitizer, and lint of everything. The last
# thing printed is ctest's own count.
set -euo pipefail
cd "$(dirname "$0")/.."
jobs=${JOBS:-$(nproc)}
# The same cases each time, so that a change is what makes a test fail; RC_PARAMS=seed=N tries others.
export RC_PARAMS=${RC_PARAMS:-seed=20261101}
total=$SECONDS

# step TITLE COMMAND...
step() {
  local began=$SECONDS
  printf '== %s\n' "$1"
  "${@:2}" || {
    printf 'pratique: "%s" did not pass; CONTRIBUTING.md says how to run a part of it alone\n' "$1" >&2
    exit 1
  }
  printf '== %s: %d s\n' "$1" $((SECONDS - began))
}

if [[ ${1:-} == --checked ]]; then
  folder=build-checked
  step 'checked build (build-checked/)' tools/build.sh build-checked
  tools/build.sh build configure  # lint asks it how the program is compiled
else
  folder=build
  step 'build (build/)' tools/build.sh build
  # The browser's tests mostly wait: one more beside them keeps every core busy.
  jobs=$((jobs + 1))
fi
printf '== tests in %s/ (%d s so far)\n' "$folder" $((SECONDS - total))
exec ctest --test-dir "$folder" -j "$jobs" --output-on-failure --no-tests=error --no-label-summary
