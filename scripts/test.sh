#!/usr/bin/env bash
# Run every test and close with a line for each part; TEST_ALL=1 takes a part that cannot run for a failure.
set -uo pipefail
closing=() failed=0 log=$(mktemp) && trap 'rm -f "$log"' EXIT

part() { # TITLE COMMAND...
  local title=$1 start=$SECONDS code=0
  shift
  printf '\n── %s\n' "$title"
  "$@" 2>&1 | tee "$log" || code=$?
  [ $code = 0 ] || failed=1
  closing+=("$([ $code = 0 ] && echo ✓ || echo ✗) $title, $((SECONDS - start)) s: $(grep -E '[0-9]+ (passed|failed|error)' "$log" | tail -1 | tr -d = | xargs)")
}

cannot() { # TITLE REASON
  closing+=("– $1: not run. $2")
  [ "${TEST_ALL:-}" != 1 ] || failed=1
}

pytest="env -u DATABASE_URL .venv/bin/pytest --create-db -q"

part "TypeScript" npm test --silent
part "Python on SQLite" $pytest -n 2 -m "not browser"

if url=$(.venv/bin/python scripts/find_postgres.py 2>"$log"); then
  part "Python on PostgreSQL" env DATABASE_URL="$url" .venv/bin/pytest --create-db -q -n 2 -m "not browser"
else
  cannot "Python on PostgreSQL" "No server to use: $(tr '\n' ' ' <"$log")Set DATABASE_URL_TEST to name one."
fi

if CHROMIUM=$(scripts/find_chromium.sh 2>"$log"); then
  export CHROMIUM
  part "In the browser" $pytest -m browser
else
  cannot "In the browser" "$(tail -1 "$log")"
fi

printf '\n'
printf '%s\n' "${closing[@]}"
exit $failed
