#!/usr/bin/env bash
# Installs what is missing: Debian packages (as root or with sudo), Node.js with npm, DuckDB's library, CRFsuite's sources.
# Asks nothing, and does nothing when all is there.
set -euo pipefail
cd "$(dirname "$0")/.."

fail() {
  printf 'pratique: %s\n' "$1" >&2
  exit 3
}

missing=()
while read -r package; do
  [[ -z $package || $package == \#* ]] && continue
  dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
done < tools/packages.txt
command -v npm > /dev/null || missing+=(nodejs npm)

if ((${#missing[@]})); then
  printf 'installing %d Debian packages: %s\n' "${#missing[@]}" "${missing[*]}"
  as_root=()
  if [[ $(id -u) -ne 0 ]]; then
    command -v sudo > /dev/null ||
      fail "these packages are missing and there is neither root nor sudo; ask your administrator to run: apt-get install ${missing[*]}"
    as_root=(sudo)
  fi
  log=$(mktemp)
  trap 'rm -f "$log"' EXIT
  if ! { "${as_root[@]}" apt-get update -qq &&
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}"; } \
    > "$log" 2>&1; then
    tail -n 15 "$log" >&2
    fail "apt-get could not install them (its last output is above); fix that and run make again"
  fi
fi

tools/fetch-duckdb.sh
tools/fetch-crfsuite.sh
