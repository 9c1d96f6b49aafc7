"""Migration operations that build indexes while the shop continues to write (CONTRIBUTING.md#migrations).

Migrations must not import other modules of the shop.
"""

from typing import Any

from django.contrib.postgres import operations as postgres
from django.db import transaction
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.operations import AddConstraint, AddIndex, AlterField
from django.db.migrations.state import ProjectState
from django.db.models import Index, Model, UniqueConstraint

_POSTGRESQL = "postgresql"


class AddIndexConcurrently(postgres.AddIndexConcurrently):
    """Django's operation with this name, which also runs on SQLite, and again after a failure."""

    def database_forwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: ProjectState,
        to_state: ProjectState,
    ) -> None:
        """Create the index."""
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
    """Adds a `UniqueConstraint` whose index PostgreSQL builds concurrently; can run again after a failure."""

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
        """Create the index and, on PostgreSQL, the constraint that uses it."""
        model = to_state.apps.get_model(app_label, self.model_name)
        if schema_editor.connection.vendor != _POSTGRESQL:
            # SQLite creates the table again.
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
        # For a constraint with a condition, Django creates only a unique index.
        if is_constraint:
            statement.template = (
                "ALTER TABLE %(table)s ADD CONSTRAINT %(name)s UNIQUE USING INDEX %(name)s%(deferrable)s"
            )
            schema_editor.execute(statement)


class RemoveColumnIndexConcurrently(postgres.NotInTransactionMixin, AlterField):
    """Removes the separate index of a column, usually a foreign key that is first in another index.

    `field`: the column with `db_index=False`. Can run again after a failure.
    """

    atomic = False

    def database_forwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: ProjectState,
        to_state: ProjectState,
    ) -> None:
        """Remove the index; the table stays unchanged."""
        model = from_state.apps.get_model(app_label, self.model_name)
        if self.allow_migrate_model(schema_editor.connection.alias, model):
            self._ensure_not_in_transaction(schema_editor)
            for name in self._names(schema_editor, model):
                _drop_index(schema_editor, name)

    def database_backwards(
        self,
        app_label: str,
        schema_editor: Any,
        from_state: ProjectState,
        to_state: ProjectState,
    ) -> None:
        """Create the index."""
        model = to_state.apps.get_model(app_label, self.model_name)
        if self.allow_migrate_model(schema_editor.connection.alias, model):
            self._ensure_not_in_transaction(schema_editor)
            field = model._meta.get_field(self.name)
            statement = str(schema_editor._create_index_sql(model, fields=[field]))
            if schema_editor.connection.vendor == _POSTGRESQL:
                statement = statement.replace("INDEX", "INDEX CONCURRENTLY", 1)
            schema_editor.execute(statement)

    def _names(self, schema_editor: Any, model: type[Model]) -> list[str]:
        named = {index.name for index in model._meta.indexes}
        field: Any = model._meta.get_field(self.name)
        names: list[str] = schema_editor._constraint_names(
            model, [field.column], index=True, unique=False, type_=Index.suffix, exclude=named
        )
        return names


def _drop_index(schema_editor: BaseDatabaseSchemaEditor, name: str) -> None:
    """Drop an index, or the unused rest of an index that PostgreSQL could not finish."""
    concurrently = "CONCURRENTLY " if schema_editor.connection.vendor == _POSTGRESQL else ""
    schema_editor.execute(f"DROP INDEX {concurrently}IF EXISTS {schema_editor.quote_name(name)}")
