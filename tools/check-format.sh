#!/usr/bin/env bash
# tools/check-format.sh [--fix]: is every C++ file formatted as .clang-format says?
set -euo pipefail
cd "$(dirname "$0")/.."
how=(--dry-run -Werror)
[[ ${1-} == --fix ]] && how=(-i)
folders=()
for folder in src apps bench fuzz docs/examples; do
  if [[ -d $folder ]]; then folders+=("$folder"); fi
done
find "${folders[@]}" \( -name '*.cc' -o -name '*.h' \) -print0 |
  xargs -0 -P "$(nproc)" -n 16 clang-format "${how[@]}" || {
  echo 'pratique: these files are not formatted; run: make format' >&2
  exit 1
}
