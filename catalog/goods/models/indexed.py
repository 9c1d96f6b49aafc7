"""Rows that the search index knows: whatever way they are written, it follows within the transaction."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, TypeVar

from django.db import models, transaction

from catalog.goods import indexing
from catalog.search import index

_M = TypeVar("_M", bound=models.Model)
# Whether a caller further out writes the index: one time for many rows, not for each batch of them.
_is_followed: ContextVar[bool] = ContextVar("is_followed", default=False)


class IndexedQuerySet(models.QuerySet[_M]):
    """Rows of an indexed model."""

    def bulk_create(self, objs: Iterable[_M], *args: Any, **kw: Any) -> list[_M]:
        """Make rows, in the index too."""
        made = list(objs)
        with _followed(self.model, [row.pk for row in made if row.pk is not None]) as ids:
            made = super().bulk_create(made, *args, **kw)
            ids += [row.pk for row in made]
        return made

    def bulk_update(self, objs: Iterable[_M], fields: Iterable[str], *args: Any, **kw: Any) -> int:
        """Change rows, in the index too."""
        changed, names = list(objs), list(fields)
        if indexing.columns(self.model).isdisjoint(names):
            return super().bulk_update(changed, names, *args, **kw)
        with _followed(self.model, [row.pk for row in changed]):
            return super().bulk_update(changed, names, *args, **kw)

    def update(self, **kw: Any) -> int:
        """Change rows, in the index too."""
        if _is_followed.get() or indexing.columns(self.model).isdisjoint(kw):
            return super().update(**kw)
        with transaction.atomic():
            ids = list(self.order_by().values_list("pk", flat=True))
            with _followed(self.model, ids):
                return super().update(**kw)

    def delete(self) -> tuple[int, dict[str, int]]:
        """Delete rows, from the index too."""
        with transaction.atomic(), _followed(self.model, list(self.order_by().values_list("pk", flat=True))):
            return super().delete()

    delete.alters_data = True  # type: ignore[attr-defined]
    delete.queryset_only = True  # type: ignore[attr-defined]


class Indexed(models.Model):
    """A model whose rows are in the index."""

    class Meta:
        abstract = True

    def save(self, *args: Any, **kw: Any) -> None:
        """Write the row, in the index too."""
        with _followed(type(self), [] if self.pk is None else [self.pk]) as ids:
            super().save(*args, **kw)
            ids.append(self.pk)

    def delete(self, *args: Any, **kw: Any) -> tuple[int, dict[str, int]]:
        """Delete the row, from the index too."""
        with _followed(type(self), [self.pk]):
            return super().delete(*args, **kw)


@contextmanager
def _followed(model: type[models.Model], ids: Sequence[int]) -> Iterator[list[int]]:
    """Write to the index what has changed of rows inside; ids of new ones can be added to the list.

    *Locks* the rows in the order of their keys, then postings.
    """
    with transaction.atomic():
        before = {row.id: row for row in indexing.rows(model, ids, lock=True)}
        all_ids = list(ids)
        token = _is_followed.set(True)
        try:
            yield all_ids
        finally:
            _is_followed.reset(token)
        gone = dict(before)

        def changed() -> Iterator[indexing.Row]:
            for row in indexing.rows(model, set(all_ids)):
                if before.get(row.id) == row:
                    del gone[row.id]
                else:
                    yield row

        index.write(indexing.entries(changed()), indexing.entries(gone.values()))
