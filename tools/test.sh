#!/usr/bin/env bash
# tools/test.sh: everything that make test does, in order; the last thing printed is ctest's own count.
set -euo pipefail
cd "$(dirname "$0")/.."
jobs=${JOBS:-$(nproc)}
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

# quiet_ctest FOLDER: prints what failed, and the count.
quiet_ctest() {
  ctest --test-dir "$1" -j "$jobs" --output-on-failure --no-tests=error --progress > "$1/ctest.log" 2>&1 || {
    grep -vE '^(Internal ctest|Test project)' "$1/ctest.log" >&2
    return 1
  }
  grep -E 'tests passed' "$1/ctest.log"
}

step 'build (build/)' tools/build.sh build
step 'sanitizer build (build-asan/)' tools/build.sh build-asan
if compgen -G 'fuzz/*_fuzzer.cc' > /dev/null; then
  step 'fuzzer build (build-fuzz/)' tools/build.sh build-fuzz
fi
step 'unit tests under AddressSanitizer and UndefinedBehaviorSanitizer' quiet_ctest build-asan
printf '== all tests, format, lint, layers and fuzzers (%d s so far)\n' $((SECONDS - total))
exec ctest --test-dir build -j "$jobs" --output-on-failure --no-tests=error --no-label-summary
