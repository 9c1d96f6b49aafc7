#!/usr/bin/env bash
# Print where the system's Chromium is (CHROMIUM names another); as root on Debian, install it if it is missing.
# Its headless shell comes first: the same engine without a window takes half of the processor time.
set -euo pipefail

find_one() { # NAME...
  for each in "$@"; do
    command -v "$each" && return
  done
  return 1
}

find_one ${CHROMIUM:+"$CHROMIUM"} chromium-headless-shell && exit
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
  apt-cache show chromium >/dev/null 2>&1 || apt-get update -qq >/dev/null || true
  for package in chromium-headless-shell chromium; do
    if ! command -v $package >/dev/null && apt-cache show $package >/dev/null 2>&1; then
      echo "→ Installing the system's $package …" >&2
      # A machine that has just started may be updating itself.
      apt-get -o DPkg::Lock::Timeout=120 install -y -qq --no-install-recommends $package >/dev/null || true
    fi
    find_one $package && exit
  done
fi
find_one chromium chromium-browser google-chrome && exit
echo "no Chromium: install your system's package chromium, or name one: CHROMIUM=/path/to/chrome" >&2
exit 1
