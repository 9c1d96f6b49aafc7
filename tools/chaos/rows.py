"""Prints a digest of the rows of each model's table: python -m tools.chaos.rows '["one to leave out"]'."""

import hashlib
import json
import sys

import django


def main() -> None:
    """Print {table: digest} for every model but the tables named in the first argument."""
    django.setup()
    from django.db import connection

    # Without the tables of the queues.
    tables = set(connection.introspection.django_table_names(only_existing=True))
    tables -= set(json.loads(sys.argv[1]))
    digests = {}
    with connection.cursor() as cursor:
        for table in sorted(tables):
            cursor.execute(f"SELECT * FROM {connection.ops.quote_name(table)}")  # noqa: S608  the shop's own
            rows = sorted(repr(row) for row in cursor.fetchall())
            digests[table] = hashlib.sha256("\n".join(rows).encode()).hexdigest()
    json.dump(digests, sys.stdout)


if __name__ == "__main__":
    main()
