#!/usr/bin/env bash
# Puts CRFsuite's sources under .deps/crfsuite. They come from an npm package, pinned by SHA-512.
set -euo pipefail
cd "$(dirname "$0")/.."

package='crfsuite@1.0.1'
sha512=4396909a1e3f3e268a219104a176b4be129ecb517b2ded813b60fa479c39c16e59c0f4a91b02b117bdaf78e4b7fd40b40146a20a3b74a9c99afc4adc4cce465d

target=.deps/crfsuite
stamp=$target/${sha512:0:16}
[[ -e $stamp ]] && exit 0

echo 'fetching CRFsuite 0.12 (0.1 MB)'
mkdir -p .deps
work=$(mktemp -d .deps/fetch.XXXXXX)
trap 'rm -rf "$work"' EXIT
tarball=$(cd "$work" && npm pack --silent "$package") || {
  echo "pratique: npm could not fetch $package; check that this machine reaches an npm registry, then run make again" >&2
  exit 3
}
echo "$sha512  $work/$tarball" | sha512sum --check --quiet || {
  echo "pratique: $package is not the file that was pinned; do not use it" >&2
  exit 3
}
tar -xzf "$work/$tarball" -C "$work"
touch "$work/package/$(basename "$stamp")"
rm -rf "$target"
mv "$work/package" "$target"
