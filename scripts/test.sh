#!/usr/bin/env bash
# Run the tests and close with a line for each part (docs/testing.md).
#   test.sh         every test; TEST_ALL=1 makes a part that cannot run a failure
#   test.sh quick   the islands' tests, and Python tests on SQLite that are neither slow, races nor in a browser
#   test.sh full    every test in every combination of language and viewport
set -uo pipefail
mode=${1:-} closing=() failed=0 folder=$(mktemp -d) && trap 'rm -rf "$folder"' EXIT
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

[ "$mode" != full ] || export ALL_COMBINATIONS=1
on_sqlite="env -u DATABASE_URL .venv/bin/pytest -q"
# Three processes on two processors, because tests also wait; in the order of collection, because tests that commit
# and empty the tables must come last.

part "TypeScript" npm test --silent

if [ "$mode" = quick ]; then
  part "Python on SQLite, quick tests" $on_sqlite -n auto --dist worksteal --quick
  finish
fi

if url=$(.venv/bin/python scripts/find_postgres.py 2>"$log"); then
  part "Python on PostgreSQL" env DATABASE_URL="$url" .venv/bin/pytest -q -n 3 -m "not browser"
  part "Python on SQLite, what depends on the database" $on_sqlite -n 3 -m "not browser" --second-database
else
  reason=$(tr '\n' ' ' <"$log")
  part "Python on SQLite" $on_sqlite -n 3 -m "not browser"
  cannot "Python on PostgreSQL" "No server to use: ${reason}Set DATABASE_URL_TEST to name one."
fi

if CHROMIUM=$(scripts/find_chromium.sh 2>"$log"); then
  export CHROMIUM
  # The first start fills a shop, which the browser tests copy.
  export DEMONSTRATION=$folder/demonstration
  # Tests that start and stop shops have the machine to themselves.
  part "Start and stop" $on_sqlite -m browser site/tests/browser/test_run.py
  part "In the browser" $on_sqlite -m browser -n 3 --dist worksteal site/tests/browser \
    --ignore=site/tests/browser/test_run.py
else
  cannot "In the browser" "$(tail -1 "$log")"
fi

finish
