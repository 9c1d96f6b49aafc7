"""What the control of a race can show: SQLite has one writer at a time, from the start of its transaction."""

import pytest
from django.db import connection

SHOWS_RACES = connection.vendor == "postgresql"
only_where_races_show = pytest.mark.skipif(not SHOWS_RACES, reason="SQLite has one writer at a time")
