#!/usr/bin/env bash
# Run every check, as many side by side as there are processors, and name those that failed. Rules of the
# project and of documents are tests.
set -uo pipefail
bin=.venv/bin failed=$(mktemp) && trap 'rm -f "$failed"' EXIT
processors=$(getconf _NPROCESSORS_ONLN)

check() { # TITLE COMMAND...
  while [ "$(jobs -rp | wc -l)" -ge "$processors" ]; do sleep 0.1; done
  run "$@" &
}

run() {
  local title=$1 start=$SECONDS output
  shift
  if output=$("$@" 2>&1); then
    echo "✓ $title ($((SECONDS - start)) s)"
  else
    printf '✗ %s\n%s\n' "$title" "$output"
    echo "$title" >>"$failed"
  fi
}

types_are_fresh() {
  $bin/python manage.py export_openapi_schema --api config.api.api --output build/openapi.json &&
    npm exec -- openapi-typescript build/openapi.json --output build/schema.d.ts &&
    diff islands/api/schema.d.ts build/schema.d.ts || { echo "stale: run make types"; false; }
}

# The longest first.
check "Python types" $bin/mypy site catalog commerce tools
check "Islands types" npm run --silent typecheck
check "API types fresh" types_are_fresh
check "Islands, stylesheets and scripts" npm run --silent lint
check "Migrations complete" $bin/python manage.py makemigrations --check --dry-run
check "Error texts fresh" $bin/python manage.py export_errors --check
check "Layers and import cycles" $bin/lint-imports --no-logo
check "Templates format" $bin/djangofmt --check --quiet templates
check "Templates style" $bin/djangofmt check --quiet templates
check "Sizes of the islands" npm run --silent sizes
check "Python style" $bin/ruff check .
check "Plain English" $bin/python scripts/check_english.py
check "Python format" $bin/ruff format --check .
wait

[ ! -s "$failed" ] || { echo "Failed: $(paste -sd ';' "$failed")"; exit 1; }
