"""Lets SQLite know how large its tables are, so that it reads them by the right index.

PostgreSQL does that automatically.
"""

from django.db import connection

# Rows of each index that are looked at: enough to distinguish few from many, and done in a moment.
ANALYSIS_LIMIT = 1000


def note_table_sizes() -> None:
    """Count the rows of the tables, roughly."""
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute(f"PRAGMA analysis_limit = {ANALYSIS_LIMIT}")
            cursor.execute("ANALYZE")
