"""Previews the shop as shoppers will see it at a later time.

The page is rendered outside of a normal request: without middleware, session and page cache. Nothing is
published or written. Only the back office uses the URL.
"""

from datetime import datetime, timedelta
from typing import Any
from urllib.parse import urlencode, urlsplit

from django import forms
from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.template.response import TemplateResponse
from django.urls import Resolver404, resolve, reverse
from django.utils import timezone, translation
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.clickjacking import xframe_options_sameorigin
from wagtail.admin.auth import permission_denied
from wagtail.admin.menu import MenuItem
from wagtail.coreutils import get_dummy_request
from wagtail.models import Site
from wagtail.permissions import page_permission_policy

from content.dashboard.paths import page_at
from content.models.previews import WIDTHS
from content.schedule import as_it_will_be
from core.languages import ENGLISH, in_language
from core.preview import Preview, current_preview, previewing
from core.time_fields import EditorTimeField

TITLE = _("Preview at a time")
# The part of a page that its draft changes.
DRAFT = "draft"
WRITERS = {"add", "change", "publish"}
# Only these views have a preview, since they depend on schedules; products and customers' pages have none.
PAGES = "wagtail_serve"
SHOWN = {PAGES, "areas", "area", "promotions", "promotion"}


class PreviewForm(forms.Form):
    """The form of a preview: page, language, time and width."""

    at = EditorTimeField(label=_("Time"), required=False)
    path = forms.CharField(label=_("Address"), max_length=200, required=False, initial="/home")
    language = forms.ChoiceField(
        label=_("Language"), required=False, choices=settings.LANGUAGES, initial=ENGLISH
    )
    width = forms.ChoiceField(
        label=_("Width"),
        required=False,
        choices=[("mobile", _("Phone")), ("desktop", _("Desktop"))],
        initial="desktop",
    )
    # The element to scroll to and mark, by the templates' `data-part`, or the block that a page's draft
    # changes.
    part = forms.RegexField(r"^(slide|area)-\d+$|^draft$", required=False, widget=forms.HiddenInput)
    drafts = forms.BooleanField(label=_("With drafts that are not approved yet"), required=False)

    def clean_at(self) -> datetime:
        """Return the time, by default now; raises ValidationError for the past."""
        at: datetime = self.cleaned_data["at"] or timezone.now()
        # Form fields have no seconds.
        if at < timezone.now() - timedelta(minutes=1):
            raise forms.ValidationError(_("Choose a time in the future."))
        return at

    def clean_path(self) -> str:
        """Return the path, without host and language."""
        path = urlsplit(self.cleaned_data["path"] or "/home").path
        return in_language("/" + path.strip("/"), ENGLISH)

    def clean_language(self) -> str:
        """Return the language, by default English."""
        return self.cleaned_data["language"] or ENGLISH

    def clean_width(self) -> str:
        """Return the name of the width, by default desktop."""
        return self.cleaned_data["width"] or "desktop"


def may_preview(user: Any) -> bool:
    """Return True if a user edits or approves pages."""
    return bool(page_permission_policy.user_has_any_permission(user, WRITERS))


def preview_url(**values: str) -> str:
    """Return the URL of the preview's screen with its form filled in."""
    return f"{reverse('dashboard:preview')}?{urlencode(values)}"


def draft_url(part: str = DRAFT, **values: str) -> str:
    """Return the URL of the preview's screen for an edited row, which shows its draft immediately."""
    return preview_url(**{"drafts": "on", "language": editors_language()} | values, part=part)


def editors_language() -> str:
    """Return the editor's language, or English if the shop does not have it."""
    language = translation.get_language()
    return language if language in dict(settings.LANGUAGES) else ENGLISH


def _changed_block(chosen: dict[str, Any]) -> str:
    """Return the first block of a page that its draft changes; empty if there is none."""
    page = page_at(in_language(chosen["path"], chosen["language"]), chosen["language"])
    if page is None or not page.has_unpublished_changes or not hasattr(page, "body"):
        return ""
    published = list(page.body.raw_data)
    draft = page.get_latest_revision_as_object().body.raw_data
    return next((f"block-{each['id']}" for each in draft if each not in published), "")


def _refused(request: HttpRequest) -> HttpResponse:
    response: HttpResponse = permission_denied(request)
    return response


@never_cache
def screen(request: HttpRequest) -> HttpResponse:
    """Show the preview's form, and the page in a frame."""
    if not may_preview(request.user):
        return _refused(request)
    given = {**{name: field.initial for name, field in PreviewForm.base_fields.items()}, **request.GET.dict()}
    form = PreviewForm(given)
    context: dict[str, Any] = {
        "page_title": TITLE,
        "header_title": TITLE,
        "header_icon": "time",
        "form": form,
    }
    if form.is_valid():
        chosen = form.cleaned_data
        query = {"at": chosen["at"].isoformat(), "path": chosen["path"], "language": chosen["language"]}
        query |= {"drafts": "on"} if chosen["drafts"] else {}
        context |= {
            "frame_url": f"{reverse('dashboard:preview_page')}?{urlencode(query)}",
            "at": chosen["at"],
            "width": chosen["width"],
            "part": _changed_block(chosen) if chosen["part"] == DRAFT else chosen["part"],
            "pixels": WIDTHS[chosen["width"]],
        }
    return TemplateResponse(request, "content/dashboard/preview.html", context)


@never_cache
@xframe_options_sameorigin
def page(request: HttpRequest) -> HttpResponse:
    """Show a page as it will be, or a message that there will be none."""
    if not may_preview(request.user):
        return _refused(request)
    form = PreviewForm(request.GET)
    if not form.is_valid():
        return TemplateResponse(request, "content/dashboard/nothing_to_preview.html", status=400)
    chosen = form.cleaned_data
    try:
        with previewing(Preview(chosen["at"], chosen["drafts"])):
            return _rendered(chosen["path"], chosen["language"])
    except Http404:
        return TemplateResponse(request, "content/dashboard/nothing_to_preview.html", status=404)


def _rendered(path: str, language: str) -> HttpResponse:
    """Render a page as an anonymous visitor would get it; raises Http404."""
    address = in_language(path, language)
    request = get_dummy_request(path=address, site=Site.objects.filter(is_default_site=True).first())
    request.META["QUERY_STRING"], request.GET = "", QueryDict()
    with translation.override(language):
        try:
            match = resolve(address)
        except Resolver404 as error:
            raise Http404 from error
        if match.url_name not in SHOWN:
            raise Http404
        response = (
            _page_then(address, language, request)
            if match.url_name == PAGES
            else match.func(request, *match.args, **match.kwargs)
        )
        if hasattr(response, "render"):
            response.render()
    return HttpResponse(response.content, status=response.status_code)


def _page_then(path: str, language: str, request: HttpRequest) -> Any:
    found, preview = page_at(path, language), current_preview()
    then = as_it_will_be(found, preview) if found and preview else None
    if then is None or then.is_site_root():
        raise Http404
    return then.serve(request)


class PreviewMenuItem(MenuItem):
    """The preview's menu item, for users who edit or approve pages."""

    def is_shown(self, request: HttpRequest) -> bool:
        """Return True if the user may see the preview."""
        return may_preview(request.user)
