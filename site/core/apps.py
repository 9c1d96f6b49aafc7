from django.apps import AppConfig
from django.db.backends.signals import connection_created
from django.db.models.signals import post_migrate, pre_migrate


class CoreConfig(AppConfig):
    name = "core"

    def ready(self) -> None:
        """Set the database limits of this process to those of a task, until it serves requests."""
        from core import checks, database_limits, failed_statements  # noqa: F401

        database_limits.limit_task()
        connection_created.connect(failed_statements.close_failed_cursors)
        # A migration sends its signals once per app, so one sender is enough.
        pre_migrate.connect(database_limits.limit_migration, sender=self)
        post_migrate.connect(database_limits.limit_task, sender=self)
