"""Updates SQLite's statistics about its tables, so that it chooses the right index.

PostgreSQL does this automatically.
"""

from django.db import connection

# Index rows to sample: enough to distinguish few from many, and quick.
ANALYSIS_LIMIT = 1000


def note_table_sizes() -> None:
    """Estimate the number of rows in all tables; only on SQLite."""
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute(f"PRAGMA analysis_limit = {ANALYSIS_LIMIT}")
            cursor.execute("ANALYZE")
