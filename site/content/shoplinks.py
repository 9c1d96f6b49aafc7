"""The chooser of links to any page of the shop, and the field of a path."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any
from uuid import UUID

from django import forms
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.urls import reverse
from django.utils import translation
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views import View
from wagtail import blocks
from wagtail.admin.modal_workflow import render_modal_workflow
from wagtail.admin.staticfiles import versioned_static
from wagtail.admin.views.chooser import shared_context
from wagtail.models import Page

from catalog.browse.brands import BrandTile
from catalog.browse.listing import MAX_WORD
from catalog.browse.showcases import Tile
from catalog.goods.models import Brand, Category, Product
from catalog.promotions.models import Promotion
from catalog.search.naming import is_named
from content.matching import suggested, with_names
from content.models.areas import SpecialArea
from content.models.slides import PATH_HELP, WRONG_PATH
from core.languages import CHINESE, ENGLISH, SHOP_PATH, in_language, other_html_language, reader_language

# The maximum number of pages of each kind in the chooser.
MAX_SHOWN = 12
FIXED = {
    "/shop": _("All products"),
    "/brand": _("Brands"),
    "/promotions": _("Promotions"),
    "/areas": _("Special areas"),
    "/home/bulk": _("Bulk buying"),
    "/delivery": _("Delivery fees and times"),
    "/download": _("Add the shop to your phone"),
}


@dataclass(frozen=True)
class LinkTarget:
    """A page of the shop: its path without the language, and its names."""

    path: str
    name_en: str
    name_zh: str

    @property
    def name(self) -> str:
        """The name in the editor's language."""
        return self.name_zh if reader_language() == CHINESE else self.name_en

    @property
    def other_name(self) -> str:
        """The name in the other language."""
        return self.name_en if reader_language() == CHINESE else self.name_zh


@dataclass(frozen=True)
class LinkGroup:
    """The pages of one kind."""

    heading: str
    targets: list[LinkTarget]


def link_groups(word: str, *, with_pages: bool) -> list[LinkGroup]:
    """Return the pages that match a word, by kind; without a word, the general ones.

    `with_pages`: whether to include the pages of the editors' tree.
    """
    pages = {
        _("Pages of the shop"): _fixed(),
        _("Pages to read"): _pages() if with_pages else (),
        _("Special areas"): _of(SpecialArea.objects.all(), lambda area: f"/areas/{area.pk}"),
        _("Promotions"): _of(Promotion.objects.order_by("-ends_at"), lambda promotion: promotion.path),
    }
    kinds = {
        heading: (target for target in found if not word or is_named(word, target.name_en, target.name_zh))
        for heading, found in pages.items()
    }
    groups = [LinkGroup(str(heading), list(islice(found, MAX_SHOWN))) for heading, found in kinds.items()]
    return [group for group in (*groups, *_catalogue(word)) if group.targets]


def _fixed() -> Iterator[LinkTarget]:
    for path, label in FIXED.items():
        names = []
        for code in (ENGLISH, CHINESE):
            with translation.override(code):
                names.append(str(label))
        yield LinkTarget(path, *names)


def _pages() -> Iterator[LinkTarget]:
    """Yield the published pages of the editors' trees, each with its translation."""
    versions: dict[UUID, dict[str, Page]] = defaultdict(dict)
    for page in Page.objects.live().filter(depth__gt=2).select_related("locale").order_by("path"):
        versions[page.translation_key][page.locale.language_code] = page
    for version in versions.values():
        english, chinese = version.get(ENGLISH), version.get(CHINESE)
        page = english or chinese
        if page and (url := page.get_url()):
            names = ((named or page).title for named in (english, chinese))
            yield LinkTarget(in_language(url, ENGLISH), *names)


def _of(rows: Iterable[Any], path_of: Callable[[Any], str]) -> Iterator[LinkTarget]:
    for row in rows:
        yield LinkTarget(in_language(path_of(row), ENGLISH), row.name_en, row.name_zh)


def _catalogue(word: str) -> list[LinkGroup]:
    """Return suggested categories, brands and products; without a word, the top categories."""
    found = suggested(word)
    tops = list(Category.objects.filter(parent=None).values_list("pk", flat=True)) if not word else ()
    categories = _in_order(Category, with_names(Category, word, found.categories)[:MAX_SHOWN] or tops)
    brands = _in_order(Brand, with_names(Brand, word, found.brands)[:MAX_SHOWN])
    products = _in_order(Product, found.products[:MAX_SHOWN])
    return [
        LinkGroup(gettext("Categories"), list(_of(categories, lambda row: Tile(row).url))),
        LinkGroup(gettext("Brands"), list(_of(brands, lambda row: BrandTile(row).url))),
        LinkGroup(gettext("Products"), list(_of(products, lambda row: f"/shop/shopdetails/{row.pk}"))),
    ]


def _in_order(model: Any, ids: Sequence[int]) -> list[Any]:
    rows = model.objects.in_bulk(list(ids))
    return [rows[pk] for pk in ids if pk in rows]


class ShopLinkView(View):
    """The dialog of the chooser; its answers have the format of Wagtail's own link chooser."""

    def get(self, request: HttpRequest) -> HttpResponse:
        """Show the general pages."""
        return self._chooser_page(request, "")

    def post(self, request: HttpRequest) -> HttpResponse:
        """Return the chosen page, or show the pages that match a word."""
        path = request.POST.get("path", "")
        if path:
            result = {
                "url": path,
                "title": request.POST.get("name", path),
                "prefer_this_title_as_link_text": False,
            }
            return JsonResponse({"step": "external_link_chosen", "result": result})
        return self._chooser_page(request, request.POST.get("q", "").replace("\0", "").strip()[:MAX_WORD])

    def _chooser_page(self, request: HttpRequest, word: str) -> HttpResponse:
        # In rich texts, Wagtail's own chooser offers the pages of the tree.
        is_rich_text = "allow_external_link" in request.GET
        groups = link_groups(word, with_pages=not is_rich_text)
        sizes = [len(group.targets) for group in groups]
        context = {
            **shared_context(request),
            "word": word,
            "groups": groups,
            "found": sum(sizes),
            "is_cut": any(size >= MAX_SHOWN for size in sizes),
            "most": MAX_SHOWN,
            "other_lang": other_html_language(),
        }
        # The script of this step handles the tabs and submits the forms.
        window: HttpResponse = render_modal_workflow(
            request, "content/admin/shop_links.html", None, context, json_data={"step": "external_link"}
        )
        return window


class ShopPathInput(forms.TextInput):
    """The input for a path of the shop, with a button that opens the chooser."""

    def render(self, *args: Any, **kw: Any) -> SafeString:
        """Return the input with its button."""
        return format_html(
            '<div class="shop-path" data-controller="shop-path" data-shop-path-url-value="{}">{}'
            '<button type="button" class="button button-small button-secondary"'
            ' data-action="shop-path#choose">{}</button></div>',
            reverse("shop_links"),
            super().render(*args, **kw),
            _("Choose a page of the shop"),
        )

    @property
    def media(self) -> forms.Media:
        """The chooser's scripts."""
        wagtails = ("wagtailadmin/js/modal-workflow.js", "wagtailadmin/js/page-chooser-modal.js")
        return forms.Media(
            js=[*map(versioned_static, wagtails), "js/admin/shop-path.js"],
            css={"all": ["css/admin/shop-path.css"]},
        )


class ShopPathBlock(blocks.FieldBlock):
    """A block with a path of the shop, typed or chosen."""

    def __init__(self, **kw: Any) -> None:
        self.field = forms.RegexField(
            SHOP_PATH,
            max_length=200,
            help_text=PATH_HELP,
            error_messages={"invalid": WRONG_PATH},
            widget=ShopPathInput,
        )
        super().__init__(**kw)

    class Meta:
        icon = "link"
