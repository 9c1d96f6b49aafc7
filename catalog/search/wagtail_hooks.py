"""The back office's screens for synonyms and failed searches."""

from wagtail import hooks
from wagtail.admin.panels import FieldPanel, ObjectList
from wagtail.admin.viewsets.base import ViewSet
from wagtail.admin.viewsets.model import ModelViewSet

from catalog.search.models import FailedSearch, Synonym
from core.backoffice import ProtectedEditView, ProtectedForm, ReadOnlyViewSet
from core.menu_groups import CATALOGUE, REPORTS


class SynonymViewSet(ModelViewSet):
    """The screens for synonyms; a change applies from the next search."""

    model = Synonym
    icon = "openquote"
    menu_hook = CATALOGUE
    menu_order = 180
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
    menu_hook = REPORTS
    menu_order = 120
    list_display = ("word", "count", "requests", "last_at")
    search_fields = ("word",)
    search_backend_name = None
    inspect_view_fields = ("word", "count", "requests", "last_at")


@hooks.register("register_admin_viewset")
def search_viewsets() -> tuple[ViewSet, ...]:
    """Register the screens for synonyms and searches without results."""
    return (SynonymViewSet("synonyms"), FailedSearchViewSet("failed_searches"))
