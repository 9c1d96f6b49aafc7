"""Print the address of a PostgreSQL on which tests can make their own database; without one, the reason.

DATABASE_URL_TEST is asked first and alone, if it is set; else this machine's own server.
"""

import os
import sys
from hashlib import sha256
from pathlib import Path

import psycopg

# Two checkouts may run their tests at the same time.
NAME = f"eastbowl_{sha256(bytes(Path(__file__).resolve())).hexdigest()[:8]}"
HERE = ("postgres:///", "postgres://127.0.0.1/", "postgres://postgres@127.0.0.1/")


def trouble_with(address: str) -> str:
    """Return why the tests cannot use a server; nothing if they can."""
    try:
        with psycopg.connect(address, dbname="postgres", connect_timeout=3) as connection:
            row = connection.execute(
                "SELECT rolcreatedb OR rolsuper FROM pg_roles WHERE rolname = current_user"
            ).fetchone()
    except psycopg.Error as error:
        return str(error).strip().splitlines()[-1]
    return "" if row and row[0] else "its user may not create databases"


def main() -> int:
    """Print the first usable address; returns 1 if there is none."""
    given = os.environ.get("DATABASE_URL_TEST")
    for address in [given] if given else HERE:
        reason = trouble_with(address)
        if not reason:
            print(address if given else address + NAME)
            return 0
        print(f"{address}: {reason}", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
