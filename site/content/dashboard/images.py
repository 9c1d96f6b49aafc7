"""Finds unused pictures."""

from collections.abc import Iterator
from typing import Any

from django.apps import apps
from django.contrib.contenttypes.models import ContentType
from django.db.models import CharField, Exists, OuterRef, QuerySet
from django.db.models.functions import Cast
from wagtail.images import get_image_model
from wagtail.models import DraftStateMixin, ReferenceIndex

from content.uses import columns_of


def unused_images() -> QuerySet[Any]:
    """Return the pictures that no row, page or draft uses.

    Foreign keys are queried directly, since imports write products without Wagtail's reference index. Uses in
    blocks and texts are only in that index.
    """
    model = get_image_model()
    images: QuerySet[Any] = model.objects.exclude(pk__in=set(_in_drafts()))
    for column in columns_of(model):
        having = column.model._base_manager.filter(**{column.name: OuterRef("pk")})
        images = images.filter(~Exists(having))
    kind = ContentType.objects.get_for_model(model)
    known = ReferenceIndex.objects.filter(
        to_content_type=kind, to_object_id=Cast(OuterRef("pk"), output_field=CharField())
    )
    return images.filter(~Exists(known))


def _in_drafts() -> Iterator[int]:
    """Yield the ids of pictures in unpublished drafts, which the reference index does not contain."""
    kind = ContentType.objects.get_for_model(get_image_model()).pk
    models: Any = apps.get_models()
    for model in models:
        # The base model covers all types of pages.
        if issubclass(model, DraftStateMixin) and not model._meta.parents:
            for row in model._default_manager.filter(has_unpublished_changes=True):
                draft = row.get_latest_revision_as_object()
                for to_kind, pk, _model_path, _path in ReferenceIndex._extract_references_from_object(draft):
                    if to_kind == kind:
                        yield int(pk)
