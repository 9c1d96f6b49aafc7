#!/usr/bin/env bash
# Print where the system's Chromium is (CHROMIUM names another); as root on Debian, install it if it is missing.
set -euo pipefail

find_it() {
  for each in "${CHROMIUM:-}" chromium chromium-browser google-chrome; do
    command -v "$each" && return
  done
  return 1
}

find_it && exit
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
  echo "→ Installing the system's Chromium …" >&2
  { apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium; } >/dev/null
  find_it && exit
fi
echo "no Chromium: install your system's package chromium, or name one: CHROMIUM=/path/to/chrome" >&2
exit 1
