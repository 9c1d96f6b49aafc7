"""The back office's screens of synonyms and failed searches."""

from typing import Any

from django.utils.translation import gettext_lazy as _
from wagtail import hooks
from wagtail.admin.panels import FieldPanel, ObjectList
from wagtail.admin.viewsets.base import ViewSetGroup
from wagtail.admin.viewsets.model import ModelViewSet

from catalog.search.models import FailedSearch, Synonym
from core.backoffice import ProtectedEditView, ProtectedForm, ReadOnlyViewSet


class SynonymViewSet(ModelViewSet):
    """The pages of synonyms; a change applies from the next search on."""

    model = Synonym
    icon = "doc-full-inverse"
    copy_view_enabled = False
    list_display = ("words",)
    search_fields = ("words",)
    search_backend_name = None
    edit_view_class = ProtectedEditView
    edit_handler = ObjectList([FieldPanel("words")], base_form_class=ProtectedForm)


class FailedSearchViewSet(ReadOnlyViewSet):
    """The list of failed searches, the most frequent first."""

    model = FailedSearch
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
    items: Any = (SynonymViewSet("synonyms"), FailedSearchViewSet("failed_searches"))


@hooks.register("register_admin_viewset")
def search_viewsets() -> SearchViewSetGroup:
    """Put synonyms and searches without result into the menu."""
    return SearchViewSetGroup()
