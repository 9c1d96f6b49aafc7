"""The back office's list of pictures, with a filter for missing descriptions."""

from typing import Any

from django.db.models import QuerySet
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _
from django_filters import ChoiceFilter
from wagtail.images.views.images import ImagesFilterSet, IndexView


class PicturesFilterSet(ImagesFilterSet):
    """Filters pictures with or without a description."""

    described = ChoiceFilter(
        label=capfirst(_("description")),
        choices=[("no", _("Not written yet")), ("yes", _("Written"))],
        method="filter_described",
    )

    def filter_described(self, pictures: QuerySet[Any], name: str, value: str) -> QuerySet[Any]:
        """Return the pictures with or without a description."""
        blank = {"description": ""}
        return pictures.filter(**blank) if value == "no" else pictures.exclude(**blank)


class PicturesView(IndexView):
    """The list of pictures."""

    filterset_class = PicturesFilterSet
