from django.apps import AppConfig
from django.db.models.signals import post_migrate, pre_migrate


class CoreConfig(AppConfig):
    name = "core"

    def ready(self) -> None:
        """Limit how long this process waits for the database, as a command does until it serves requests."""
        from core import checks, database_limits  # noqa: F401

        database_limits.limit_task()
        # A migration sends its signals for each app: once is enough.
        pre_migrate.connect(database_limits.limit_migration, sender=self)
        post_migrate.connect(database_limits.limit_task, sender=self)
