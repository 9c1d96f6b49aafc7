"""Search in the back office: synonyms to keep, and what customers did not find."""

from typing import Any

from django.utils.translation import gettext_lazy as _
from wagtail import hooks
from wagtail.admin.panels import FieldPanel
from wagtail.admin.viewsets.base import ViewSetGroup
from wagtail.admin.viewsets.model import ModelViewSet

from catalog.search.models import Synonym, Unfound
from core.backoffice import LookOnlyViewSet


class SynonymViewSet(ModelViewSet):
    """Words for the same thing; a change holds for the next search."""

    model = Synonym
    icon = "doc-full-inverse"
    copy_view_enabled = False
    list_display = ("words",)
    search_fields = ("words",)
    search_backend_name = None
    panels = (FieldPanel("words"),)


class UnfoundViewSet(LookOnlyViewSet):
    """What customers looked for in vain, the most frequent first."""

    model = Unfound
    icon = "search"
    list_display = ("word", "count", "last_at")
    search_fields = ("word",)
    search_backend_name = None
    inspect_view_fields = ("word", "count", "last_at")


class SearchViewSetGroup(ViewSetGroup):
    """The menu entry."""

    menu_label = _("Search")
    menu_icon = "search"
    menu_order = 125
    items: Any = (SynonymViewSet("synonyms"), UnfoundViewSet("unfound_searches"))


@hooks.register("register_admin_viewset")
def search_viewsets() -> SearchViewSetGroup:
    """Put synonyms and searches without result into the menu."""
    return SearchViewSetGroup()
