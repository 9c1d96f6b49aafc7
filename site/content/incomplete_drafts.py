"""Publishing outside of a form: reports what an incomplete draft lacks, and publishes the others."""

from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.translation import gettext
from wagtail.admin import messages
from wagtail.admin.admin_url_finder import AdminURLFinder
from wagtail.admin.api.views import PagesAdminAPIViewSet
from wagtail.admin.utils import get_latest_str
from wagtail.admin.views.pages.bulk_actions import PublishBulkAction
from wagtail.models import Page

from content.models.completeness import IncompleteError, faults


def show_error(request: HttpRequest, row: Any, error: ValidationError) -> None:
    """Show why a page, slide or area cannot be published; the message appears in its form."""
    text = gettext(
        "It cannot be published as it is: something is missing, or was deleted in the meantime. Add it here."
    )
    _refuse(request, text, row, error)


def redirect_to_form(request: HttpRequest, error: IncompleteError) -> HttpResponse:
    """Redirect to the form of a row that cannot be published, which shows why; also from a dialog."""
    show_error(request, error.row, error)
    there = AdminURLFinder(request.user).get_edit_url(error.row) or reverse("wagtailadmin_home")
    if request.headers.get("X-Requested-With") == "XMLHttpRequest":
        return JsonResponse({"step": "success", "redirect": there})
    return redirect(there)


def name_refused(request: HttpRequest, page: Page, error: ValidationError) -> None:
    """Show why one of several pages cannot be published, with a link to its form."""
    text = gettext(
        "“%(name)s” cannot be published as it is: something is missing, or was deleted in the meantime."
    )
    button = messages.button(reverse("wagtailadmin_pages:edit", args=[page.pk]), gettext("Edit"))
    _refuse(request, text % {"name": get_latest_str(page)}, page, error, [button])


def _refuse(request: HttpRequest, text: str, row: Any, error: ValidationError, buttons: Any = None) -> None:
    listed = format_html_join("", "<li>{}</li>", ((fault,) for fault in faults(row, error)))
    messages.error(request, format_html("{}<ul>{}</ul>", text, listed), buttons=buttons)


class PublishPages(PublishBulkAction):
    """Publishes the chosen pages that are complete, and shows messages for the others."""

    def __init__(self, *args: Any, **kw: Any) -> None:
        super().__init__(*args, **kw)
        self.refused: list[IncompleteError] = []

    def get_execution_context(self) -> dict[str, Any]:
        """Pass on the list that collects the refused pages."""
        context: dict[str, Any] = super().get_execution_context()
        return context | {"refused": self.refused}

    @classmethod
    def execute_action(
        cls, objects: list[Page], include_descendants: bool = False, user: Any = None, **kw: Any
    ) -> tuple[int, int]:
        """Publish each page completely or not at all; return the number of pages, and of pages below them."""
        refused: list[IncompleteError] = kw["refused"]
        chosen, below = 0, 0
        for page in objects:
            chosen += cls._published(page, user, refused)
            if include_descendants:
                drafts = page.get_descendants().not_live()
                may_publish = (each for each in drafts if each.permissions_for_user(user).can_publish())
                below += sum(cls._published(each, user, refused) for each in may_publish)
        return chosen, below

    @classmethod
    def _published(cls, page: Page, user: Any, refused: list[IncompleteError]) -> int:
        try:
            with transaction.atomic():
                super().execute_action([page], user=user)
        except IncompleteError as error:
            refused.append(error)
            return 0
        return 1

    def get_success_message(self, num_parent_objects: int, num_child_objects: int) -> str | None:
        """Return how many pages were published; None if none were."""
        if not num_parent_objects and not num_child_objects:
            return None
        text: str = super().get_success_message(num_parent_objects, num_child_objects)
        return text

    def form_valid(self, form: Any) -> Any:
        """Publish the pages, and show for each refused page what it lacks."""
        response = super().form_valid(form)
        for error in self.refused:
            name_refused(self.request, error.row, error)
        return response


class ReadOnlyPages(PagesAdminAPIViewSet):
    """The API of pages for the back office's scripts, without the actions that no script calls."""

    actions: dict[str, Any] = {}
