#!/usr/bin/env bash
# Puts DuckDB's library and C header under .deps/duckdb. Both come from npm packages, pinned by SHA-512.
set -euo pipefail
cd "$(dirname "$0")/.."

library_package='@duckdb/node-bindings-linux-x64@1.4.4-r.3'
library_sha512=679f73a5421c662947066719a66c1f1708bafce0272a5550084f7f3468190854aa61e6fede28f91d0cb6ea1a75d06222bf71f151018877c1d5b3ddb1da3bdc91
header_package='duckdb@1.4.4'
header_sha512=844249e61c9517454b8f776638ba6c5ab411d1bddde1892ab72826ea25178c72430e74aa83f5122b171be6abcdace84560f824b5ac94e9d5c2b603ea7269a9a2

target=.deps/duckdb
stamp=$target/${library_sha512:0:16}-${header_sha512:0:16}
[[ -e $stamp ]] && exit 0

[[ $(uname -sm) == 'Linux x86_64' ]] || {
  echo "pratique: the pinned DuckDB library is for Linux on x86_64; this is $(uname -sm)" >&2
  exit 3
}

echo 'fetching DuckDB 1.4.4 (32 MB)'
mkdir -p .deps
work=$(mktemp -d .deps/fetch.XXXXXX)
trap 'rm -rf "$work"' EXIT

# fetch PACKAGE SHA512 MEMBER DESTINATION
fetch() {
  local tarball
  tarball=$(cd "$work" && npm pack --silent "$1") || {
    echo "pratique: npm could not fetch $1; check that this machine reaches an npm registry, then run make again" >&2
    exit 3
  }
  echo "$2  $work/$tarball" | sha512sum --check --quiet || {
    echo "pratique: $1 is not the file that was pinned; do not use it" >&2
    exit 3
  }
  mkdir -p "$(dirname "$work/out/$4")"
  tar -xzOf "$work/$tarball" "$3" > "$work/out/$4"
}
fetch "$library_package" "$library_sha512" package/libduckdb.so lib/libduckdb.so
fetch "$header_package" "$header_sha512" package/src/duckdb/src/include/duckdb.h include/duckdb.h

touch "$work/out/$(basename "$stamp")"
rm -rf "$target"
mv "$work/out" "$target"
