from typing import Any

from django.apps import AppConfig, apps
from django.db.models.signals import post_migrate


def make_queue_tables(**_: Any) -> None:
    """Create the tables of the queues, where the queues are in a SQL database."""
    from huey.storage import BaseSqlStorage

    from core.queues import books

    # All queues share them.
    if isinstance(books.huey.storage, BaseSqlStorage):
        books.huey.storage.initialize_schema()


class ConfigConfig(AppConfig):
    name = "config"

    def ready(self) -> None:
        from config import checks  # noqa: F401

        # Sent for each app that has models: one of them is enough.
        post_migrate.connect(make_queue_tables, sender=apps.get_app_config("accounts"))
