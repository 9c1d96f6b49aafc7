from typing import Any

from django.apps import AppConfig, apps
from django.db.models.signals import post_migrate


def make_queue_tables(**_: Any) -> None:
    """Make the queue's tables, where it is stored in PostgreSQL."""
    from huey.contrib.djhuey import HUEY
    from huey.storage import PostgresStorage

    if isinstance(HUEY.storage, PostgresStorage):
        HUEY.storage.initialize_schema()


class ConfigConfig(AppConfig):
    name = "config"

    def ready(self) -> None:
        from config import checks  # noqa: F401

        # Sent for each app that has models: one of them is enough.
        post_migrate.connect(make_queue_tables, sender=apps.get_app_config("accounts"))
