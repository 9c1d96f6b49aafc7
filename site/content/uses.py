"""The uses of pictures and documents, which protect them from deletion.

Wagtail counts uses in its reference index, which imports do not update. Here the rows that refer to a picture
are read themselves; only the uses in blocks and texts come from the index. See
docs/guarantees/back-office.md#used-pictures-and-documents.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from typing import Any

from django.contrib.contenttypes.models import ContentType
from django.db.models import (
    PROTECT,
    CharField,
    Count,
    Model,
    OuterRef,
    ProtectedError,
    Q,
    QuerySet,
    Subquery,
)
from django.db.models.functions import Cast, Coalesce
from django.db.models.signals import pre_delete
from modelcluster.fields import ParentalKey
from wagtail.documents import get_document_model
from wagtail.images import get_image_model
from wagtail.models import ReferenceIndex
from wagtail.models.reference_index import ReferenceGroups

from core.data_mark import refuse_other_files

_indexed_references = ReferenceIndex.get_references_to_in_bulk
_indexed_count = ReferenceIndex.usage_count_subquery


@dataclass(frozen=True)
class Column:
    """A column that refers to a picture: its model and name.

    `parent`: the foreign key of a row that is part of another one, such as a picture of a slide.
    """

    model: type[Model]
    name: str
    parent: Any

    @property
    def owner(self) -> type[Model]:
        """The model of the row that staff edit."""
        return self.parent.related_model if self.parent else self.model

    @property
    def model_path(self) -> str:
        """The path of the column in Wagtail's index."""
        return (
            f"{self.parent.remote_field.get_accessor_name()}.item.{self.name}" if self.parent else self.name
        )


class Uses(list[ReferenceIndex]):
    """References to pictures or documents, with the methods of Wagtail's queryset that its screens call."""

    def group_by_source_object(self) -> ReferenceGroups:
        """Return the references by the row that has them."""
        return _Groups(self)

    def group_by_source_object_in_bulk(self) -> dict[tuple[int, str], ReferenceGroups]:
        """Return the references of each picture or document by the row that has them."""
        return {key: _Groups(list(rows)) for key, rows in groupby(sorted(self, key=_target), key=_target)}


class _Groups(ReferenceGroups):
    """Reads only the rows of the shown page, since a picture may have thousands of uses."""

    def __getitem__(self, key: Any) -> Any:
        of_rows = groupby(self.qs, key=lambda each: (each.base_content_type_id, each.object_id))
        groups = [list(references) for _row, references in of_rows][key]
        return list(ReferenceGroups([each for references in groups for each in references]))


def protect_used() -> None:
    """Count real uses on all screens of Wagtail, and refuse to delete what is used."""
    for model in _models():
        pre_delete.connect(_refuse_used, sender=model, dispatch_uid="content.uses")
    ReferenceIndex.get_references_to = staticmethod(_references_to)
    ReferenceIndex.get_references_to_in_bulk = staticmethod(_references_in_bulk)
    ReferenceIndex.get_count_references_to_in_bulk = staticmethod(_counts)
    ReferenceIndex.usage_count_subquery = staticmethod(_count_subquery)


@cache
def columns_of(model: type[Model]) -> tuple[Column, ...]:
    """Return the columns that refer to a model; without the sizes of pictures."""
    found = []
    for relation in model._meta.get_fields(include_hidden=True):
        user: Any = relation.related_model
        if relation.one_to_many and relation.auto_created and user is not _rendition():
            parents = [each for each in user._meta.fields if isinstance(each, ParentalKey)]
            column: Any = relation.remote_field
            found.append(Column(user, column.name, parents[0] if parents else None))
    return tuple(found)


def uses_of(rows: Sequence[Model]) -> Uses:
    """Return the uses of pictures, or of documents; one query for each column and one for the index."""
    if not rows:
        return Uses()
    model = type(rows[0])
    kind = ReferenceIndex._get_base_content_type(model)
    found = [*_indexed_references(rows).exclude(_is_column(model))]
    for column in columns_of(model):
        owner = ContentType.objects.get_for_model(column.owner)
        base = ReferenceIndex._get_base_content_type(column.owner)
        key = column.parent.attname if column.parent else "pk"
        users = column.model._base_manager.filter(**{f"{column.name}__in": rows})
        for pk, to_pk in users.values_list(key, f"{column.name}_id"):
            found.append(
                ReferenceIndex(
                    content_type=owner,
                    base_content_type=base,
                    object_id=str(pk),
                    to_content_type=kind,
                    to_object_id=str(to_pk),
                    model_path=column.model_path,
                    content_path=column.model_path,
                )
            )
    for each in found:
        # Wagtail's screens offer no deletion then.
        each.on_delete = PROTECT
    return Uses(found)


def _models() -> tuple[type[Model], ...]:
    return get_image_model(), get_document_model()


def _rendition() -> type[Model]:
    rendition: type[Model] = get_image_model().get_rendition_model()
    return rendition


def _target(reference: ReferenceIndex) -> tuple[int, str]:
    return reference.to_content_type_id, reference.to_object_id


def _is_column(model: type[Model]) -> Q:
    """Return the condition of the index's rows that `columns_of` replaces, and of tags, which use nothing."""
    found = Q(content_type__app_label="taggit")
    for column in columns_of(model):
        owner = ContentType.objects.get_for_model(column.owner)
        found |= Q(content_type=owner, model_path=column.model_path)
    return found


def _refuse_used(instance: Model, **_kw: Any) -> None:
    """Raise ProtectedError for a picture or document in use, whatever deletes it.

    Raises OSError if its file could not be deleted, which happens after the commit.
    """
    refuse_other_files()
    kinds = {each.content_type for each in uses_of([instance])}
    if kinds:
        # One row of each kind, since there may be thousands; messages only contain their kinds.
        raise ProtectedError("it is in use", [kind.model_class()() for kind in kinds])  # type: ignore[arg-type]


def _references_to(object: Model) -> Any:
    return uses_of([object]) if isinstance(object, _models()) else _indexed_references([object])


def _references_in_bulk(objects: Any) -> Any:
    model = objects.model if isinstance(objects, QuerySet) else type(next(iter(objects), None))
    return uses_of(list(objects)) if issubclass(model, _models()) else _indexed_references(objects)


def _counts(objects: Sequence[Model]) -> dict[Model, int]:
    """Return the number of rows that use each picture or document."""
    grouped = ReferenceIndex.get_grouped_references_to_in_bulk(objects)
    return {row: groups.count() for row, groups in grouped.items()}


def _count_subquery(model: type[Model]) -> Any:
    """Return an expression for the number of rows that use a picture or document."""
    if not issubclass(model, _models()):
        return _indexed_count(model)
    of_text = Cast(OuterRef("pk"), output_field=CharField())
    kind = ContentType.objects.get_for_model(model)
    indexed = ReferenceIndex.objects.filter(to_content_type=kind, to_object_id=of_text)
    count = _count(indexed.exclude(_is_column(model)), "to_object_id", "object_id")
    for column in columns_of(model):
        users = column.model._base_manager.filter(**{column.name: OuterRef("pk")})
        count += _count(users, column.name, column.parent.attname if column.parent else "pk")
    return count


def _count(rows: QuerySet[Any], by: str, key: str) -> Any:
    counted = rows.order_by().values(by).annotate(count=Count(key, distinct=True)).values("count")
    return Coalesce(Subquery(counted), 0)
