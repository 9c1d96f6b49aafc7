"""The shop as it will be: an editor chooses a time to come and sees pages as shoppers will then.

The page is drawn without a request of its own: no middleware, no session and no kept copy take part, and
nothing is published or written. Only the back office has the address.
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
from wagtail.admin.widgets import AdminDateTimeInput
from wagtail.coreutils import get_dummy_request
from wagtail.models import Site
from wagtail.permissions import page_permission_policy

from content.desk.addresses import page_at
from content.models.previews import WIDTHS
from content.schedule import as_it_will_be
from core.ahead import Ahead, ahead, looking
from core.languages import ENGLISH, in_language

TITLE = _("Look ahead")
WRITERS = {"add", "change", "publish"}
# What follows a schedule; goods and what customers do cannot be looked ahead to.
PAGES = "wagtail_serve"
SHOWN = {PAGES, "areas", "area", "promotions", "promotion"}


class LookForm(forms.Form):
    """What to look at, in which language, when, and how wide."""

    at = forms.DateTimeField(label=_("Time"), required=False, widget=AdminDateTimeInput())
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
    drafts = forms.BooleanField(label=_("With drafts that nobody has approved yet"), required=False)

    def clean_at(self) -> datetime:
        """Return the time, now where none is given; raises ValidationError for one that is past."""
        at: datetime = self.cleaned_data["at"] or timezone.now()
        # Forms tell minutes.
        if at < timezone.now() - timedelta(minutes=1):
            raise forms.ValidationError(_("Choose a time to come."))
        return at

    def clean_path(self) -> str:
        """Return the path, without host and language."""
        path = urlsplit(self.cleaned_data["path"] or "/home").path
        return in_language("/" + path.strip("/"), ENGLISH)

    def clean_language(self) -> str:
        """Return the language; English where none is given."""
        return self.cleaned_data["language"] or ENGLISH

    def clean_width(self) -> str:
        """Return the width's name."""
        return self.cleaned_data["width"] or "desktop"


def may_look(user: Any) -> bool:
    """Tell whether somebody writes or approves pages."""
    return bool(page_permission_policy.user_has_any_permission(user, WRITERS))


def lookahead_url(**values: str) -> str:
    """Return the address of the screen with its form filled in."""
    return f"{reverse('desk:lookahead')}?{urlencode(values)}"


def _refused(request: HttpRequest) -> HttpResponse:
    response: HttpResponse = permission_denied(request)
    return response


@never_cache
def screen(request: HttpRequest) -> HttpResponse:
    """Ask for a time and a page, and frame what will be there."""
    if not may_look(request.user):
        return _refused(request)
    given = {**{name: field.initial for name, field in LookForm.base_fields.items()}, **request.GET.dict()}
    form = LookForm(given)
    context: dict[str, Any] = {
        "page_title": TITLE,
        "header_title": TITLE,
        "header_icon": "time",
        "form": form,
    }
    if form.is_valid():
        looked = form.cleaned_data
        query = {"at": looked["at"].isoformat(), "path": looked["path"], "language": looked["language"]}
        query |= {"drafts": "on"} if looked["drafts"] else {}
        context |= {
            "frame_url": f"{reverse('desk:lookahead_page')}?{urlencode(query)}",
            "at": looked["at"],
            "width": looked["width"],
            "pixels": WIDTHS[looked["width"]],
        }
    return TemplateResponse(request, "content/desk/lookahead.html", context)


@never_cache
@xframe_options_sameorigin
def page(request: HttpRequest) -> HttpResponse:
    """Show a page of the shop as it will be, or say that there is none."""
    if not may_look(request.user):
        return _refused(request)
    form = LookForm(request.GET)
    if not form.is_valid():
        return TemplateResponse(request, "content/desk/nothing_ahead.html", status=400)
    looked = form.cleaned_data
    try:
        with looking(Ahead(looked["at"], looked["drafts"])):
            return _drawn(looked["path"], looked["language"])
    except Http404:
        return TemplateResponse(request, "content/desk/nothing_ahead.html", status=404)


def _drawn(path: str, language: str) -> HttpResponse:
    """Draw a page the way an anonymous shopper would get it; raises Http404."""
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
    found, look = page_at(path, language), ahead()
    then = as_it_will_be(found, look) if found and look else None
    if then is None or then.is_site_root():
        raise Http404
    return then.serve(request)


class LookaheadMenuItem(MenuItem):
    """The entry that whoever writes or approves pages sees."""

    def is_shown(self, request: HttpRequest) -> bool:
        """Tell whether the user may look ahead."""
        return may_look(request.user)
