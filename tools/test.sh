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

step 'build (build/)' tools/build.sh build
if compgen -G 'fuzz/*_fuzzer.cc' > /dev/null; then
  step 'fuzzer build (build-fuzz/)' tools/build.sh build-fuzz
fi
printf '== all tests, format, lint, layers and fuzzers (%d s so far)\n' $((SECONDS - total))
exec ctest --test-dir build -j "$jobs" --output-on-failure --no-tests=error --no-label-summary
