#!/usr/bin/env bash
# Print what is missing unless Node.js 20 or newer and npm are there.
set -euo pipefail
node -e 'process.exit(parseInt(process.versions.node) < 20 ? 1 : 0)' 2>/dev/null && command -v npm >/dev/null || {
  echo "Node.js 20 or newer with npm is needed: https://nodejs.org, or your system's package nodejs"
  exit 1
}
