#!/usr/bin/env bash
# tools/build-web.sh: makes web/dist from web/, with exactly the packages that web/package-lock.json names.
set -euo pipefail
cd "$(dirname "$0")/../web"
# npm ci takes a while and needs the registry: only when the lock changed since.
if [[ ! -e node_modules/.package-lock.json || package-lock.json -nt node_modules/.package-lock.json ]]; then
  npm ci --no-audit --no-fund --loglevel=error || {
    echo "pratique: npm could not fetch the packages of the web app; is there a network?" >&2
    exit 3
  }
  touch node_modules/.package-lock.json
fi
npm run --silent build
