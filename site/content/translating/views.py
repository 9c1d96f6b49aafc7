"""The steps in addition to translating text by text: each explains its effect before it is done."""

from typing import Any

import polib  # type: ignore[import-untyped]
from django import forms
from django.core.exceptions import PermissionDenied, ValidationError
from django.core.files.uploadedfile import UploadedFile
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST
from wagtail.admin import messages
from wagtail.models import Page
from wagtail_localize.models import Translation
from wagtail_localize.views.convert import convert_to_alias
from wagtail_localize.views.update_translations import UpdateTranslationsView

from content.incomplete_drafts import name_refused, show_error
from content.translating.complete_translations import check, may_publish
from content.translating.progress import followed_page, progress_of

NOT_READABLE = _("This file cannot be read. Choose the file that was downloaded here, with its translations.")
OF_ANOTHER_PAGE = _("This file belongs to another page.")
TOO_LARGE = _("This file is too large.")
# The texts of the longest page need less; reading a file takes a hundred times its bytes in memory.
MAX_FILE_BYTES = 1 << 20
# The header of a downloaded file with the id of its translation.
NAME_IN_FILE = "X-WagtailLocalize-TranslationID"


def _editable(request: HttpRequest, translation_id: int) -> tuple[Translation, Page]:
    """Return a translation and its page; raises Http404 or PermissionDenied."""
    translation = get_object_or_404(Translation, pk=translation_id, enabled=True)
    page = translation.get_target_instance()
    if not isinstance(page, Page):
        raise Http404
    if not page.permissions_for_user(request.user).can_edit():
        raise PermissionDenied
    return translation, page


def _step(request: HttpRequest, name: str, page: Page, **facts: Any) -> HttpResponse:
    back = reverse("wagtailadmin_pages:edit", args=[page.pk])
    return render(request, f"content/translating/{name}.html", {"page": page, "back": back, **facts})


def publish_early(request: HttpRequest, translation_id: int) -> HttpResponse:
    """Ask for confirmation before a page is published with untranslated texts."""
    translation, page = _editable(request, translation_id)
    if not page.permissions_for_user(request.user).can_publish():
        raise PermissionDenied
    facts = {"translation": translation, "progress": progress_of(translation)}
    return _step(request, "publish_early", page, **facts)


def stop(request: HttpRequest, translation_id: int) -> HttpResponse:
    """Ask for confirmation before a page stops being a translation of the other language's page."""
    translation, page = _editable(request, translation_id)
    return _step(request, "stop", page, translation=translation)


def restart(request: HttpRequest, page_id: int) -> HttpResponse:
    """Ask for confirmation before a page becomes a translation of the other language's page again."""
    page = get_object_or_404(Page, pk=page_id)
    translation = followed_page(page)
    if not translation:
        raise Http404
    if not page.permissions_for_user(request.user).can_edit():
        raise PermissionDenied
    return _step(request, "restart", page, translation=translation)


def refuse_half(request: HttpRequest, page: Page) -> HttpResponse | None:
    """Redirect to the translation's form with the reasons why it cannot be published; None if it can."""
    if request.method != "POST" or request.POST.get("action") != "publish":
        return None
    translation = Translation.objects.filter(
        source__object_id=page.translation_key, target_locale_id=page.locale_id, enabled=True
    ).first()
    if translation:
        try:
            check(translation.source, translation.target_locale)
        except ValidationError as error:
            show_error(request, page, error)
            return redirect("wagtailadmin_pages:edit", page.pk)
    return None


def show_original(request: HttpRequest, page_id: int) -> HttpResponse:
    """Show the other language's page instead of a page; only for users who may publish, as readers see it."""
    page = get_object_or_404(Page, pk=page_id)
    if not page.permissions_for_user(request.user).can_publish():
        raise PermissionDenied
    response: HttpResponse = convert_to_alias(request, page_id)
    return response


class UpdateTranslations(UpdateTranslationsView):
    """Updates the translations of a page with its texts, and publishes them if requested."""

    def get_form(self) -> Any:
        """Return the form; without publishing for users who may not publish the translations."""
        form = super().get_form()
        enabled = self.object.translations.filter(enabled=True)
        if not all(may_publish(self.object, each.target_locale, self.request.user) for each in enabled):
            form.fields["publish_translations"].disabled = True
            form.fields["publish_translations"].widget = forms.HiddenInput()
        return form

    def form_valid(self, form: Any) -> HttpResponse:
        """Update the translations; show which ones are incomplete and were not published."""
        response: HttpResponse = super().form_valid(form)
        for translation in self.object.translations.filter(enabled=True):
            page = translation.get_target_instance()
            try:
                if form.cleaned_data["publish_translations"]:
                    check(self.object, translation.target_locale)
            except ValidationError as error:
                name_refused(self.request, page, error)
        return response


@require_POST
@transaction.atomic
def submit(request: HttpRequest, translation_id: int) -> HttpResponse:
    """Submit a translation for approval, for users who may not publish; a repeat changes nothing."""
    translation, page = _editable(request, translation_id)
    page = Page.objects.select_for_update().get(pk=page.pk).specific
    if not page.workflow_in_progress:
        if not page.permissions_for_user(request.user).can_submit_for_moderation():
            raise PermissionDenied
        # If wagtail-localize saved the translation as a draft, it would change the published page.
        draft = translation.source.get_ephemeral_translated_instance(translation.target_locale, fallback=True)
        try:
            draft.check_whole()
        except ValidationError as error:
            show_error(request, page, error)
            return redirect("wagtailadmin_pages:edit", page.pk)
        draft.save_revision(user=request.user, log_action=True)
        page.refresh_from_db()
        if page.current_workflow_state:
            page.current_workflow_state.resume(request.user)
        else:
            page.get_workflow().start(page, request.user)
    messages.success(request, gettext("The translation waits for approval."))
    return redirect("wagtailadmin_pages:edit", page.pk)


class FileForm(forms.Form):
    """The upload of a file with translations."""

    file = forms.FileField(label=_("The translated file"), widget=forms.FileInput(attrs={"accept": ".po"}))

    def __init__(self, translation: Translation, *args: Any, **kw: Any) -> None:
        """Accept files of one translation only."""
        super().__init__(*args, **kw)
        self.translation = translation

    def clean_file(self) -> polib.POFile:
        """Read the file; raises ValidationError if it belongs to another translation."""
        uploaded: UploadedFile = self.cleaned_data["file"]
        if (uploaded.size or 0) > MAX_FILE_BYTES:
            raise ValidationError(TOO_LARGE)
        try:
            text = uploaded.read().decode()
            # polib would take a single line for the name of a file.
            file = polib.pofile(f"{text}\n")
        except (OSError, UnicodeDecodeError, ValueError) as error:
            raise ValidationError(NOT_READABLE) from error
        name = file.metadata.get(NAME_IN_FILE)
        if not name:
            raise ValidationError(NOT_READABLE)
        if name != str(self.translation.uuid):
            raise ValidationError(OF_ANOTHER_PAGE)
        return file


def in_a_file(request: HttpRequest, translation_id: int) -> HttpResponse:
    """Offer the texts as a file, and import the file with its translations."""
    translation, page = _editable(request, translation_id)
    is_sent = request.method == "POST"
    form = FileForm(translation, *((request.POST, request.FILES) if is_sent else ()))
    if is_sent and form.is_valid():
        with transaction.atomic():
            translation.import_po(form.cleaned_data["file"], user=request.user, tool_name="PO")
        messages.success(request, gettext("The translations of the file were taken over."))
        return redirect("wagtailadmin_pages:edit", page.pk)
    return _step(request, "file", page, translation=translation, form=form)
