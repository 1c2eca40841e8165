#!/usr/bin/env bash
# tools/fuzz.sh NAME [SECONDS]: tries the seeds in fuzz/corpus/NAME and what earlier runs found, then
# new inputs for that many seconds (60), others each time, or with SEED=N in the environment the same. An input that
# fails is kept under build-checked/artifacts/NAME.
set -euo pipefail
cd "$(dirname "$0")/.."
name=${1:?the name of a fuzzer: fuzz/NAME_fuzzer.cc}
seconds=${2:-60}
fuzzer=build-checked/fuzz/${name}_fuzzer
[[ -x $fuzzer ]] || {
  echo "pratique: $fuzzer is not built; run: tools/build.sh build-checked ${name}_fuzzer" >&2
  exit 3
}
found=build-checked/corpus/$name
artifacts=build-checked/artifacts/$name
mkdir -p "$found" "$artifacts"
corpora=("$found")
[[ -d fuzz/corpus/$name ]] && corpora+=("fuzz/corpus/$name")
dictionary=()
[[ -f fuzz/$name.dict ]] && dictionary=("-dict=fuzz/$name.dict")

export ASAN_OPTIONS=detect_stack_use_after_return=1
export LSAN_OPTIONS=suppressions=tools/lsan.supp:print_suppressions=0
export UBSAN_OPTIONS=print_stacktrace=1
"$fuzzer" -seed="${SEED:-0}" -verbosity="${VERBOSITY:-0}" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -artifact_prefix="$artifacts/" \
  "${dictionary[@]}" "${corpora[@]}" || {
  echo "pratique: the fuzzer $name found a failure. Its input is in $artifacts; to see it again:" >&2
  echo "  $fuzzer $artifacts/FILE" >&2
  echo "When it is mended, keep the input: copy it to fuzz/corpus/$name under a telling name." >&2
  exit 1
}
