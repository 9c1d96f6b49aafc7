#!/usr/bin/env bash
# install_packages.sh LOCK [--editable]: install a lock's packages, checked by their hashes, and the project itself.
# uv takes a tenth of pip's time; pip does it where uv has no build for the system or finds no way to the packages.
set -euo pipefail
lock=$1 editable=${2:-}
pip=".venv/bin/pip --disable-pip-version-check install --quiet"
uv=".venv/bin/uv pip install --quiet --python .venv/bin/python"

install_with() { # COMMAND...
  "$@" --require-hashes -r "$lock" && { [ -z "$editable" ] || "$@" --no-build-isolation --no-deps "$editable" .; }
}

{ $pip --require-hashes --only-binary :all: -r requirements-uv.txt && install_with $uv; } || {
  echo "Not with uv; with pip, which takes a minute."
  install_with $pip
}
