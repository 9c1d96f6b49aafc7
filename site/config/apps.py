from typing import Any

from django.apps import AppConfig, apps
from django.db.models.signals import post_migrate


def make_queue_tables(**_: Any) -> None:
    """Create the tables of the queues, if a SQL database stores them."""
    from huey.storage import BaseSqlStorage

    from core.queues import books

    # All queues share one set of tables.
    if isinstance(books.huey.storage, BaseSqlStorage):
        books.huey.storage.initialize_schema()


class ConfigConfig(AppConfig):
    name = "config"

    def ready(self) -> None:
        from config import checks, connections  # noqa: F401

        # The signal is sent once for each app with models; one app is enough.
        post_migrate.connect(make_queue_tables, sender=apps.get_app_config("accounts"))
