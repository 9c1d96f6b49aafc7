#!/usr/bin/env bash
# Run every test and close with a line for each part; TEST_ALL=1 takes a part that cannot run for a failure.
set -uo pipefail
closing=() failed=0 log=$(mktemp) && trap 'rm -f "$log"' EXIT

last_count() {
  sed $'s/\e\\[[0-9;]*m//g' "$log" | grep -E '[0-9]+ (passed|failed|error|rerun)' | tail -1 | tr -d = | xargs
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
  # What starts and stops shops of its own has the machine to itself. On a busy machine a walk may stumble over the
  # machine: it is walked once more, and the summary names it, for what stumbles twice or often is a fault.
  part "In the browser" $pytest -m browser -n 2 --dist loadfile --reruns 1 -r fER \
    --ignore=site/config/tests/browser/test_run.py
  part "Start and stop" $pytest -m browser site/config/tests/browser/test_run.py
else
  cannot "In the browser" "$(tail -1 "$log")"
fi

printf '\n'
printf '%s\n' "${closing[@]}"
exit $failed
