#!/usr/bin/env bash
# Run every test and close with a line for each part; TEST_ALL=1 takes a part that cannot run for a failure.
# With "quick" only the islands' tests and those in Python on SQLite that are neither slow, races nor in a browser.
set -uo pipefail
closing=() failed=0 folder=$(mktemp -d) && trap 'rm -rf "$folder"' EXIT
log=$folder/log

last_count() {
  sed $'s/\e\\[[0-9;]*m//g' "$log" | grep -E '[0-9]+ (passed|failed|error)' | tail -1 | tr -d = | xargs
}

part() { # TITLE COMMAND...
  local title=$1 start=$SECONDS code=0
  shift
  printf '\n── %s\n' "$title"
  "$@" 2>&1 | tee "$log" || code=$?
  [ $code = 0 ] || failed=1
  closing+=("$([ $code = 0 ] && echo ✓ || echo ✗) $title, $((SECONDS - start)) s: $(last_count)")
}

cannot() { # TITLE REASON
  closing+=("– $1: not run. $2")
  [ "${TEST_ALL:-}" != 1 ] || failed=1
}

finish() {
  printf '\n'
  printf '%s\n' "${closing[@]}"
  exit $failed
}

pytest="env -u DATABASE_URL .venv/bin/pytest -q"

part "TypeScript" npm test --silent

if [ "${1:-}" = quick ]; then
  part "Python on SQLite, the quick ones" $pytest -n auto --dist worksteal --quick
  finish
fi

# The database of PostgreSQL is migrated while the processes of the first part wait for their own.
if url=$(.venv/bin/python scripts/find_postgres.py 2>"$log"); then
  no_server=""
  env DATABASE_URL="$url" .venv/bin/pytest -q site/tests/test_databases.py --database-only >"$folder/migrated" 2>&1 &
else
  no_server="No server to use: $(tr '\n' ' ' <"$log")Set DATABASE_URL_TEST to name one."
fi

# In the order of collection, so that tests that commit, and empty the tables, come after all others of a process.
# Three processes on two processors, since tests also wait.
part "Python on SQLite" $pytest -n 3 -m "not browser"

if [ -z "$no_server" ]; then
  wait
  part "Python on PostgreSQL" env DATABASE_URL="$url" .venv/bin/pytest -q -n 3 -m "not browser" \
    --database-only
else
  cannot "Python on PostgreSQL" "$no_server"
fi

if CHROMIUM=$(scripts/find_chromium.sh 2>"$log"); then
  export CHROMIUM
  # The first start of all fills a shop, with which the walks in the browser begin.
  export DEMONSTRATION=$folder/demonstration
  # What starts and stops shops of its own has the machine to itself.
  part "Start and stop" $pytest -m browser site/tests/browser/test_run.py
  part "In the browser" $pytest -m browser -n 3 --dist worksteal site/tests/browser \
    --ignore=site/tests/browser/test_run.py
else
  cannot "In the browser" "$(tail -1 "$log")"
fi

finish
