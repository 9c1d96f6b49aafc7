"""Columns that services change by UPDATE statements alone, such as counters, balances and states.

A form, an import or a revision reads a row and saves the whole of it later; what services have counted
in the meantime would be written back as it was read.
"""

from collections.abc import Collection, Iterable
from typing import Any, ClassVar, TypeVar

from django.db import models

_M = TypeVar("_M", bound=models.Model)


class UpdateOnlyError(RuntimeError):
    """Raised where a column that changes by UPDATE statements alone is named to be saved."""

    def __init__(self, model: type[models.Model], columns: Collection[str]) -> None:
        super().__init__(f"{model.__name__}: only UPDATE statements change {', '.join(sorted(columns))}")


class UpdateOnlyQuerySet(models.QuerySet[_M]):
    """Rows of an `UpdateOnlyModel`; the bulk methods refuse its columns, `update` is how they change."""

    def bulk_update(self, objs: Iterable[_M], fields: Iterable[str], *args: Any, **options: Any) -> int:
        """Write the named columns; raises UpdateOnlyError for one that changes by UPDATEs alone."""
        names = list(fields)
        refuse_update_only(self.model, names)
        return super().bulk_update(objs, names, *args, **options)

    def bulk_create(self, objs: Iterable[_M], *args: Any, **options: Any) -> list[_M]:
        """Make rows; raises UpdateOnlyError where `update_fields` names a column that changes by UPDATEs."""
        refuse_update_only(self.model, options.get("update_fields") or ())
        return super().bulk_create(objs, *args, **options)


class UpdateOnlyModel(models.Model):
    """A model with columns that change by UPDATE statements alone: saving a row that is there leaves them.

    A new row has them as given. Saving them by name raises UpdateOnlyError.
    """

    UPDATE_ONLY: ClassVar[frozenset[str]]

    objects = UpdateOnlyQuerySet.as_manager()

    class Meta:
        abstract = True

    def save(self, *args: Any, **options: Any) -> None:
        """Write the row without these columns, if it is there; raises UpdateOnlyError if they are named."""
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
        # Every save of a row that is there comes by here, whether of a form, a revision or a fixture.
        kept = [value for value in values if value[0].name not in self.UPDATE_ONLY]
        return super()._do_update(base_qs, using, pk_val, kept, update_fields, forced_update)


def refuse_update_only(model: type[models.Model], names: Iterable[str]) -> None:
    """Refuse names of columns that change by UPDATEs alone; raises UpdateOnlyError."""
    columns: frozenset[str] = model.UPDATE_ONLY  # type: ignore[attr-defined]
    by_name = {name: field.name for field in model._meta.fields for name in (field.name, field.attname)}
    named = {by_name.get(name, name) for name in names} & columns
    if named:
        raise UpdateOnlyError(model, named)
