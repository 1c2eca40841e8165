#!/usr/bin/env bash
# tools/web-test.sh [PLAYWRIGHT OPTIONS]: type checks and the tests of web/ with Debian's Chromium and build/pratique,
# which carries the web app. PICTURES=1 keeps pictures of every screen in web/test-results/screenshots.
set -euo pipefail
cd "$(dirname "$0")/../web"
export PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD=1
# Only when the lock changed: npm ci needs the registry.
if [[ ! -e node_modules/.package-lock.json || package-lock.json -nt node_modules/.package-lock.json ]]; then
  npm ci --no-audit --no-fund --loglevel=error || {
    echo "pratique: npm could not fetch the packages of the web app; is there a network?" >&2
    exit 3
  }
  touch node_modules/.package-lock.json
fi
npm run --silent check
exec npm run --silent test -- "$@"
