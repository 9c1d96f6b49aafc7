"""The memory of an import does not grow with its rows, except for their keys."""

import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings
from django.db import connection

import catalog.goods
from catalog.goods.demo.synthetic import write_products

DEMO = Path(catalog.goods.__file__).parent / "demo"
IMPORT = """
import resource, sys
import django
django.setup()
from django.core.management import call_command
call_command("import_goods", *sys.argv[1:])
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def peak(folder: Path, rows: int) -> int:
    """Import products in a process of its own, into a copy of the empty shop; returns its peak memory."""
    database = folder / f"{rows}.sqlite3"
    with sqlite3.connect(settings.DATABASES["default"]["NAME"]) as empty, sqlite3.connect(database) as copy:
        empty.backup(copy)
    write_products(folder / "goods.csv", rows)
    files = [DEMO / "categories.csv", DEMO / "brands.csv", folder / "goods.csv"]
    env = os.environ | {
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "DATABASE_URL": f"sqlite:///{database}",
        "DATA_DIR": str(folder),
    }
    done = subprocess.run(
        [sys.executable, "-c", IMPORT, *map(str, files)], env=env, capture_output=True, text=True, check=True
    )
    assert f"goods: {rows} new" in done.stdout
    return int(done.stdout.split()[-1])


@pytest.mark.django_db
@pytest.mark.slow
def test_ten_times_the_rows_take_hardly_more_memory(tmp_path: Path) -> None:
    if connection.vendor != "sqlite":
        pytest.skip("the copy of the empty shop is a file of SQLite")
    assert peak(tmp_path, 4_000) < 1.3 * peak(tmp_path, 400)
