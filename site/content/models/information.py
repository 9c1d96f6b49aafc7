"""Information pages: about us, delivery, payment, help, privacy (docs/product.md#pages)."""

from contextlib import suppress
from typing import Any

from django.core.exceptions import ValidationError
from django.db import models
from django.dispatch import receiver
from django.http import HttpRequest
from django.urls import Resolver404, resolve
from django.utils import translation
from django.utils.translation import gettext_lazy as _
from wagtail import blocks
from wagtail.admin.forms import WagtailAdminPageForm
from wagtail.admin.panels import FieldPanel
from wagtail.fields import StreamField
from wagtail.models import Page
from wagtail.signals import page_slug_changed
from wagtail_localize.fields import SynchronizedField

from catalog.rates.current import rate_now
from content.models.completeness import WholePage
from content.models.previews import DesignWidths
from content.models.scheduling import ScheduleForm
from content.picture_blocks import PictureBlock
from content.privacy import public_pages
from content.richtext import TextBlock
from content.streams import Body
from core.languages import ENGLISH, in_language, localised

RESERVED = _("The shop itself answers at this address; choose another slug.")


class PageForm(ScheduleForm, WagtailAdminPageForm):
    """Refuses slugs that collide with the shop's own views."""

    def clean(self) -> dict[str, Any]:
        """Refuse a slug whose path belongs to one of the shop's own views; raises ValidationError."""
        cleaned: dict[str, Any] = super().clean()
        slug = cleaned.get("slug")
        above = self.parent_page.get_url() if self.parent_page else None
        if slug and above and is_reserved(f"{above.rstrip('/')}/{slug}"):
            self.add_error("slug", RESERVED)
        return cleaned


def is_reserved(path: str) -> bool:
    """Return True if one of the shop's own views serves a path, not Wagtail."""
    # The shop's views exist in both languages or in none.
    with translation.override(ENGLISH):
        try:
            return resolve(in_language(path, ENGLISH)).url_name != "wagtail_serve"
        except Resolver404:
            return False


class QuestionBlock(blocks.StructBlock):
    """A frequent question and its answer."""

    question = blocks.CharBlock(max_length=200, label=_("question"))
    answer = TextBlock(features=["bold", "italic", "link", "ol", "ul"], label=_("answer"))

    class Meta:
        template = "content/blocks/question.html"
        label = _("Question and answer")
        icon = "help"


class ContactFormBlock(blocks.StaticBlock):
    """The form by which visitors write to the shop; `commerce.enquiries` receives it."""

    class Meta:
        template = "content/blocks/contact_form.html"
        label = _("Contact form")
        icon = "mail"
        admin_text = _("Visitors write to the email address of the shop settings.")


class InformationBody(Body):
    """The blocks that an editor may put on an information page."""

    text = TextBlock(
        features=["h2", "h3", "bold", "italic", "link", "ol", "ul", "hr"],
        template="content/blocks/text.html",
        label=_("Text"),
    )
    picture = PictureBlock(template="content/blocks/picture.html", label=_("Picture"))
    question = QuestionBlock()
    contact_form = ContactFormBlock()


class InformationPage(DesignWidths, WholePage, Page):
    """An information page; it lists its child pages at its end."""

    slug: str
    intro: "models.CharField[str, str]" = models.CharField(
        _("introduction"),
        max_length=300,
        blank=True,
        help_text=_("One or two sentences under the title; search engines show them too."),
    )
    body = StreamField(InformationBody(), blank=True, verbose_name=_("body"))

    content_panels = [*Page.content_panels, FieldPanel("intro"), FieldPanel("body")]
    parent_page_types = ["wagtailcore.Page", "content.HomePage", "content.InformationPage"]
    subpage_types = ["content.InformationPage"]
    base_form_class = PageForm
    override_translatable_fields = [SynchronizedField("slug", overridable=False)]
    template = "content/information_page.html"

    class Meta:
        verbose_name = _("information page")
        verbose_name_plural = _("information pages")

    def full_clean(self, *args: Any, **kw: Any) -> None:
        """Set a translation's slug to that of the English page: the paths differ only in their prefix."""
        if self.locale_id and self.locale.language_code != ENGLISH:
            twin = self.get_translations().filter(locale__language_code=ENGLISH).first()
            self.slug = twin.slug if twin else self.slug
        super().full_clean(*args, **kw)

    def get_context(self, request: HttpRequest, *args: Any, **kwargs: Any) -> dict[str, Any]:
        """Add the breadcrumbs, and the child and sibling pages that are public."""
        context: dict[str, Any] = super().get_context(request, *args, **kwargs)
        above = InformationPage.objects.ancestor_of(self).live().order_by("depth")
        crumbs = [(page.title, page.get_url(request)) for page in above]
        below = public_pages(InformationPage.objects.child_of(self).filter(locale=self.locale))
        siblings = public_pages(InformationPage.objects.sibling_of(self)) if crumbs else below.none()
        return context | {
            "rate": rate_now(),
            "crumbs": [*crumbs, (self.title, "")],
            "below": _links(below, request),
            "siblings": _links(siblings, request),
            "canonical_path": self.get_url(request) or localised("/home"),
        }


@receiver(page_slug_changed, sender=InformationPage)
def move_translations(instance: InformationPage, **_kw: Any) -> None:
    """Change the slug of the page in the other language too; Wagtail adds redirects."""
    if instance.locale.language_code == ENGLISH:
        for twin in instance.get_translations():
            # If another page already has the slug, an editor must decide.
            with suppress(ValidationError):
                twin.save()


def _links(pages: Any, request: HttpRequest) -> list[tuple[str, str, str]]:
    return [(page.title, page.get_url(request), page.intro) for page in pages]
