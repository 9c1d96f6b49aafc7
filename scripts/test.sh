#!/usr/bin/env bash
# Run the tests and close with a line for each part (docs/testing.md).
#   test.sh         every test; TEST_ALL=1 makes a part that cannot run a failure
#   test.sh quick   the islands' tests, and Python tests on SQLite that are neither slow, races nor in a browser
#   test.sh full    every test in every combination of language and viewport
set -uo pipefail
# Every process of every part needs the bytecode that pytest makes of tests and of its plugins.
unset PYTHONDONTWRITEBYTECODE
mode=${1:-} folder=$(mktemp -d) && trap 'rm -rf "$folder"' EXIT
closing=$folder/closing

part() { # TITLE COMMAND...
  local title=$1 start=$SECONDS mark=✓ log
  log=$(mktemp -p "$folder")
  shift
  printf '\n── %s\n' "$title"
  "$@" 2>&1 | tee "$log" || mark=✗
  echo "$mark $title, $((SECONDS - start)) s: $(last_count "$log")" >>"$closing"
}

last_count() { # LOG
  sed $'s/\e\\[[0-9;]*m//g' "$1" | grep -E '[0-9]+ (passed|failed|error)' | tail -1 | tr -d = | xargs
}

cannot() { # TITLE REASON
  echo "$([ "${TEST_ALL:-}" = 1 ] && echo ✗ || echo –) $1: not run. $2" >>"$closing"
}

finish() {
  printf '\n'
  cat "$closing"
  ! grep -q '^✗' "$closing"
  exit
}

[ "$mode" != full ] || export ALL_COMBINATIONS=1
on_sqlite="env -u DATABASE_URL .venv/bin/pytest -q"

if [ "$mode" = quick ]; then
  part "TypeScript" npm test --silent
  part "Python on SQLite, quick tests" $on_sqlite -n auto --dist worksteal --quick
  finish
fi

if CHROMIUM=$(scripts/find_chromium.sh 2>"$folder/reason"); then
  export CHROMIUM
  # The first start fills a shop, which the browser tests copy. It uses one processor, the parts below the other.
  export DEMONSTRATION=$folder/demonstration
  part "Start and stop" $on_sqlite -m browser site/tests/browser/test_run.py >"$folder/start" &
fi

part "TypeScript" npm test --silent

# Three processes on two processors, because tests also wait; in the order of collection, because tests that commit
# and empty the tables must come last.
if url=$(.venv/bin/python scripts/find_postgres.py 2>"$folder/no-server"); then
  part "Python on PostgreSQL" env DATABASE_URL="$url" .venv/bin/pytest -q -n 3 -m "not browser"
  part "Python on SQLite, what depends on the database" $on_sqlite -n 3 -m "not browser" --second-database
else
  part "Python on SQLite" $on_sqlite -n 3 -m "not browser"
  cannot "Python on PostgreSQL" \
    "No server to use: $(tr '\n' ' ' <"$folder/no-server")Set DATABASE_URL_TEST to name one."
fi

if [ -n "$CHROMIUM" ]; then
  wait
  cat "$folder/start"
  part "In the browser" $on_sqlite -m browser -n 3 --dist worksteal site/tests/browser \
    --ignore=site/tests/browser/test_run.py
else
  cannot "In the browser" "$(tail -1 "$folder/reason")"
fi

finish
