"""Counts what a shop stores: python -m tools.chaos.row_counts

Prints {table: rows} with the tasks that wait in each queue.
"""

import json
import sys

import django


def main() -> None:
    """Print how many rows each table has, by its name in docs/data-growth.md, and how many tasks wait."""
    django.setup()
    from django.apps import apps

    from core.queues import QUEUES

    tables = {model._meta.label: model for model in apps.get_models(include_auto_created=True)}
    rows = {label: model._default_manager.count() for label, model in tables.items()}
    waiting = {f"queue {name}": queue.huey.pending_count() for name, queue in QUEUES.items()}
    json.dump(rows | waiting, sys.stdout)


if __name__ == "__main__":
    main()
