"""Models whose rows only certain functions write, together with everything that depends on the rows.

Saving, updating or deleting such rows directly is refused, so that dependent data cannot become stale.
"""

from collections.abc import Iterable
from typing import Any, ClassVar, NoReturn, TypeVar

from django.db import models

_M = TypeVar("_M", bound=models.Model)


class DirectWriteError(RuntimeError):
    """Raised if code writes a row directly, without its model's functions."""

    def __init__(self, model: type[models.Model]) -> None:
        functions = getattr(model, "WRITTEN_BY", "")
        super().__init__(f"{model.__name__} is written by {functions} only: what depends on it follows there")


class ProtectedQuerySet(models.QuerySet[_M]):
    """Rows that can be read; attempts to write them raise DirectWriteError."""

    def update(self, **values: Any) -> int:
        """Refuse to change rows, except that references to deleted rows may be set to NULL (`SET_NULL`)."""
        if any(value is not None or not self._may_be_emptied(name) for name, value in values.items()):
            raise DirectWriteError(self.model)
        return super().update(**values)

    def _may_be_emptied(self, name: str) -> bool:
        relation = self.model._meta.get_field(name).remote_field
        return relation is not None and getattr(relation, "on_delete", None) is models.SET_NULL

    def bulk_create(self, objs: Iterable[_M], *args: Any, **options: Any) -> NoReturn:
        """Refuse to create rows."""
        raise DirectWriteError(self.model)

    def bulk_update(self, objs: Iterable[_M], *args: Any, **options: Any) -> NoReturn:
        """Refuse to change the rows."""
        raise DirectWriteError(self.model)

    def delete(self) -> NoReturn:
        """Refuse to delete the rows."""
        raise DirectWriteError(self.model)

    delete.alters_data = True  # type: ignore[attr-defined]
    delete.queryset_only = True  # type: ignore[attr-defined]


class ProtectedModel(models.Model):
    """A model whose rows only the functions in `WRITTEN_BY` write.

    Its base manager refuses too, because Django adds related rows with it. Django also sets references to
    deleted rows to NULL with it, so nothing may depend on such a reference.
    """

    WRITTEN_BY: ClassVar[str]

    objects = ProtectedQuerySet.as_manager()

    class Meta:
        abstract = True
        base_manager_name = "objects"

    def save(self, *args: Any, **options: Any) -> NoReturn:
        """Refuse to write the row."""
        raise DirectWriteError(type(self))

    def delete(self, *args: Any, **options: Any) -> NoReturn:
        """Refuse to delete the row."""
        raise DirectWriteError(type(self))


def write_row(row: ProtectedModel, update_fields: Iterable[str] | None = None) -> None:
    """Write one row without the refusal; only for the functions in its `WRITTEN_BY`."""
    super(ProtectedModel, row).save(update_fields=update_fields)


def writable(rows: models.QuerySet[_M]) -> models.QuerySet[_M]:
    """Return the same rows without the refusal; only for the functions in their `WRITTEN_BY`."""
    return models.QuerySet(rows.model, rows.query.chain(), rows.db)
