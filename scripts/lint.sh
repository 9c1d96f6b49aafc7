#!/usr/bin/env bash
# Run every check and name those that failed.
set -uo pipefail
bin=.venv/bin failed=()

check() { # TITLE COMMAND...
  local title=$1 start=$SECONDS output
  shift
  if output=$("$@" 2>&1); then
    echo "✓ $title ($((SECONDS - start)) s)"
  else
    printf '✗ %s\n%s\n' "$title" "$output"
    failed+=("$title")
  fi
}

types_are_fresh() {
  $bin/python manage.py export_openapi_schema --output build/openapi.json &&
    npm exec -- openapi-typescript build/openapi.json --output build/schema.d.ts &&
    diff islands/api/schema.d.ts build/schema.d.ts || { echo "stale: run make types"; false; }
}

check "Python style" $bin/ruff check .
check "Python format" $bin/ruff format --check .
check "Python types" $bin/mypy site catalog commerce
check "Who may import whom" $bin/lint-imports --no-logo
check "Migrations complete" $bin/python manage.py makemigrations --check --dry-run
check "Rules of the house" $bin/pytest -q -p no:cacheprovider site/config/tests/test_house.py
check "Error texts fresh" $bin/python manage.py export_errors --check
check "API types fresh" types_are_fresh
check "Islands style and signals" npm run --silent lint
check "Islands types" npm run --silent typecheck

[ ${#failed[@]} = 0 ] || { echo "Failed: ${failed[*]}"; exit 1; }
