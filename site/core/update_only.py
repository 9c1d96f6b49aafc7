"""Columns that services change only by UPDATE statements, such as counters, balances and states.

A form, an import or a revision reads a row and saves all of it later. It would overwrite the changes that
services made in the meantime.
"""

from collections.abc import Collection, Iterable
from typing import Any, ClassVar, TypeVar

from django.db import models

_M = TypeVar("_M", bound=models.Model)


class UpdateOnlyError(RuntimeError):
    """Raised if code saves a column by name that only UPDATE statements may change."""

    def __init__(self, model: type[models.Model], columns: Collection[str]) -> None:
        super().__init__(f"{model.__name__}: only UPDATE statements change {', '.join(sorted(columns))}")


class UpdateOnlyQuerySet(models.QuerySet[_M]):
    """Rows of an `UpdateOnlyModel`; the bulk methods refuse its columns, only `update` changes them."""

    def bulk_update(self, objs: Iterable[_M], fields: Iterable[str], *args: Any, **options: Any) -> int:
        """Write these columns; raises UpdateOnlyError if one of them changes only by UPDATEs."""
        names = list(fields)
        refuse_update_only(self.model, names)
        return super().bulk_update(objs, names, *args, **options)

    def bulk_create(self, objs: Iterable[_M], *args: Any, **options: Any) -> list[_M]:
        """Create rows; raises UpdateOnlyError if `update_fields` has one that changes only by UPDATEs."""
        refuse_update_only(self.model, options.get("update_fields") or ())
        return super().bulk_create(objs, *args, **options)


class UpdateOnlyModel(models.Model):
    """A model with columns that only UPDATE statements change; saving an existing row skips these columns.

    A new row is saved with its given values. Saving the columns by name raises UpdateOnlyError.
    """

    UPDATE_ONLY: ClassVar[frozenset[str]]

    objects = UpdateOnlyQuerySet.as_manager()

    class Meta:
        abstract = True

    def save(self, *args: Any, **options: Any) -> None:
        """Save the row, without these columns if it exists; raises UpdateOnlyError if they are named."""
        refuse_update_only(type(self), options.get("update_fields") or ())
        super().save(*args, **options)

    def _do_update(
        self,
        base_qs: models.QuerySet[Any],
        using: str | None,
        pk_val: Any,
        values: Collection[tuple["models.Field[Any, Any]", Any, Any]],
        update_fields: Iterable[str] | None,
        forced_update: bool,
    ) -> bool:
        # Every save of an existing row calls this method, by a form, a revision or a fixture.
        kept = [value for value in values if value[0].name not in self.UPDATE_ONLY]
        return super()._do_update(base_qs, using, pk_val, kept, update_fields, forced_update)


def refuse_update_only(model: type[models.Model], names: Iterable[str]) -> None:
    """Raise UpdateOnlyError if a name is a column that changes only by UPDATEs."""
    columns: frozenset[str] = model.UPDATE_ONLY  # type: ignore[attr-defined]
    by_name = {name: field.name for field in model._meta.fields for name in (field.name, field.attname)}
    named = {by_name.get(name, name) for name in names} & columns
    if named:
        raise UpdateOnlyError(model, named)
