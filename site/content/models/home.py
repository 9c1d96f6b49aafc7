"""The page /home, made of blocks."""

from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.templatetags.static import static
from django.utils.translation import gettext_lazy as _
from wagtail.admin.forms import WagtailAdminPageForm
from wagtail.admin.panels import FieldPanel
from wagtail.fields import StreamField
from wagtail.models import Page

from catalog.rates.current import rate_now
from content.blocks import HomeBody, HomeCatalogue
from content.models.completeness import WholePage
from content.models.previews import DesignWidths
from content.models.scheduling import ScheduleForm
from content.models.shop import ShopSettings
from core.languages import HTML_LANGUAGE, localised, reader_language
from core.pages.json_ld import json_ld

SLUG = "home"


class HomeForm(ScheduleForm, WagtailAdminPageForm):
    """Refuses an end of the home page, since the shop has no other home page."""

    def clean_expire_at(self) -> None:
        """Refuse an end; raises ValidationError."""
        if self.cleaned_data["expire_at"]:
            raise ValidationError(_("The home page has no end: publish another version of it instead."))


class HomePage(DesignWidths, WholePage, Page):
    """The page /home: one for each language."""

    slug: str

    body = StreamField(HomeBody(), blank=True, verbose_name=_("body"))

    content_panels = [*Page.content_panels, FieldPanel("body")]
    # Without the slug, which must not change.
    promote_panels = [FieldPanel("seo_title"), FieldPanel("search_description")]
    base_form_class = HomeForm
    parent_page_types = ["wagtailcore.Page"]
    subpage_types = ["content.InformationPage"]
    max_count_per_parent = 1
    template = "content/home_page.html"

    class Meta:
        verbose_name = _("home page")
        verbose_name_plural = _("home pages")

    def full_clean(self, *args: Any, **kw: Any) -> None:
        """Set the page's fixed slug, then validate."""
        self.slug = SLUG
        super().full_clean(*args, **kw)

    def get_context(self, request: HttpRequest, *args: Any, **kwargs: Any) -> dict[str, Any]:
        """Add the context that all pages have, and the catalogue data of the blocks."""
        context: dict[str, Any] = super().get_context(request, *args, **kwargs)
        rate = rate_now()
        catalogue = HomeCatalogue(self.body, rate)
        return context | {
            "rate": rate,
            "catalogue": catalogue,
            "json_ld": _shop_ld(ShopSettings.load(request)),
        }


def _shop_ld(shop: ShopSettings) -> str:
    """Return structured data about the shop and its search (schema.org)."""
    home = settings.SITE_URL + localised("/home")
    search = f"{settings.SITE_URL}{localised('/shop')}?word={{search_term_string}}"
    contact = {"telephone": shop.phone, "email": shop.email, "address": shop.address}
    organization = {
        "@type": "Organization",
        "name": shop.name,
        "alternateName": shop.other_name,
        "url": home,
        "logo": settings.SITE_URL + static("img/icon-512.png"),
        **{name: text for name, text in contact.items() if text},
    }
    website = {
        "@type": "WebSite",
        "name": shop.name,
        "url": home,
        "inLanguage": HTML_LANGUAGE[reader_language()],
        "potentialAction": {
            "@type": "SearchAction",
            "target": {"@type": "EntryPoint", "urlTemplate": search},
            "query-input": "required name=search_term_string",
        },
    }
    return json_ld({"@graph": [organization, website]})
