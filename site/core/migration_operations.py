"""Operations of migrations that make indexes while the shop goes on writing (CONTRIBUTING.md#migrations).

Migrations import nothing else of the shop.
"""

from typing import Any

from django.contrib.postgres import operations as postgres
from django.db import transaction
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.operations import AddConstraint, AddIndex
from django.db.migrations.state import ProjectState
from django.db.models import Model, UniqueConstraint

_POSTGRESQL = "postgresql"


class AddIndexConcurrently(postgres.AddIndexConcurrently):
    """Django's operation of this name, which also runs on SQLite, and again after it failed."""

    def database_forwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: ProjectState,
        to_state: ProjectState,
    ) -> None:
        """Make the index."""
        if schema_editor.connection.vendor == _POSTGRESQL:
            self._ensure_not_in_transaction(schema_editor)
            _drop_index(schema_editor, self.index.name)
            super().database_forwards(app_label, schema_editor, from_state, to_state)
        else:
            AddIndex.database_forwards(self, app_label, schema_editor, from_state, to_state)

    def database_backwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: ProjectState,
        to_state: ProjectState,
    ) -> None:
        """Remove the index."""
        if schema_editor.connection.vendor == _POSTGRESQL:
            super().database_backwards(app_label, schema_editor, from_state, to_state)
        else:
            AddIndex.database_backwards(self, app_label, schema_editor, from_state, to_state)


class AddUniqueConstraintConcurrently(postgres.NotInTransactionMixin, AddConstraint):
    """Adds a `UniqueConstraint`, whose index PostgreSQL makes concurrently; runs again after it failed."""

    atomic = False
    model_name: str
    constraint: UniqueConstraint

    def database_forwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: ProjectState,
        to_state: ProjectState,
    ) -> None:
        """Make the index, and on PostgreSQL the constraint out of it."""
        model = to_state.apps.get_model(app_label, self.model_name)
        if schema_editor.connection.vendor != _POSTGRESQL:
            # SQLite makes the table again.
            with transaction.atomic(schema_editor.connection.alias):
                super().database_forwards(app_label, schema_editor, from_state, to_state)
        elif self.allow_migrate_model(schema_editor.connection.alias, model):
            self._ensure_not_in_transaction(schema_editor)
            self._make_concurrently(schema_editor, model)

    def _make_concurrently(self, schema_editor: Any, model: type[Model]) -> None:
        _drop_index(schema_editor, self.constraint.name)
        statement: Any = self.constraint.create_sql(model, schema_editor)
        is_constraint = statement.template == schema_editor.sql_create_unique
        statement.template = schema_editor.sql_create_unique_index.replace("INDEX", "INDEX CONCURRENTLY", 1)
        schema_editor.execute(statement)
        # Django makes a unique index alone of a constraint with a condition.
        if is_constraint:
            statement.template = (
                "ALTER TABLE %(table)s ADD CONSTRAINT %(name)s UNIQUE USING INDEX %(name)s%(deferrable)s"
            )
            schema_editor.execute(statement)


def _drop_index(schema_editor: BaseDatabaseSchemaEditor, name: str) -> None:
    """Drop what is left of an index that could not be finished: PostgreSQL keeps it, unused."""
    quoted = schema_editor.quote_name(name)
    schema_editor.execute(f"DROP INDEX CONCURRENTLY IF EXISTS {quoted}")
