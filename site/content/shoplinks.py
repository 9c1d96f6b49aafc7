"""How an editor says where a link leads: a window that knows every page of the shop, or a typed path."""

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
from catalog.browse.shelves import Tile
from catalog.goods.models import Brand, Category, Product
from catalog.promotions.models import Promotion
from content.matching import is_named, suggested
from content.models.areas import SpecialArea
from content.models.slides import PATH_HELP, WRONG_PATH
from core.languages import CHINESE, ENGLISH, SHOP_PATH, in_language, other_html_language, reader_language

# Places of each kind that the window shows.
SHOWN = 12
FIXED = {
    "/shop": _("All goods"),
    "/brand": _("Brands"),
    "/promotions": _("Promotions"),
    "/areas": _("Special areas"),
    "/home/bulk": _("Bulk buying"),
    "/download": _("The shop on your phone"),
}


@dataclass(frozen=True)
class Place:
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
class Shelf:
    """Places of one kind."""

    heading: str
    places: list[Place]


def places(word: str, *, with_pages: bool) -> list[Shelf]:
    """Return the places that a word finds, by their kind; without a word those that everybody knows.

    `with_pages`: pages that editors write are among them.
    """
    few = {
        _("Pages of the shop"): _fixed(),
        _("Pages to read"): _pages() if with_pages else (),
        _("Special areas"): _of(SpecialArea.objects.all(), lambda area: f"/areas/{area.pk}"),
        _("Promotions"): _of(Promotion.objects.order_by("-ends_at"), lambda promotion: promotion.path),
    }
    kinds = {
        heading: (place for place in found if not word or is_named(word, place.name_en, place.name_zh))
        for heading, found in few.items()
    }
    shelves = [Shelf(str(heading), list(islice(found, SHOWN))) for heading, found in kinds.items()]
    return [shelf for shelf in (*shelves, *_catalogue(word)) if shelf.places]


def _fixed() -> Iterator[Place]:
    for path, label in FIXED.items():
        names = []
        for code in (ENGLISH, CHINESE):
            with translation.override(code):
                names.append(str(label))
        yield Place(path, *names)


def _pages() -> Iterator[Place]:
    """Yield the published pages of the editors' trees, a page and its translation as one."""
    versions: dict[UUID, dict[str, Page]] = defaultdict(dict)
    for page in Page.objects.live().filter(depth__gt=2).select_related("locale").order_by("path"):
        versions[page.translation_key][page.locale.language_code] = page
    for version in versions.values():
        english, chinese = version.get(ENGLISH), version.get(CHINESE)
        page = english or chinese
        if page and (url := page.get_url()):
            names = ((named or page).title for named in (english, chinese))
            yield Place(in_language(url, ENGLISH), *names)


def _of(rows: Iterable[Any], path_of: Callable[[Any], str]) -> Iterator[Place]:
    for row in rows:
        yield Place(in_language(path_of(row), ENGLISH), row.name_en, row.name_zh)


def _catalogue(word: str) -> list[Shelf]:
    """Find categories, brands and goods as the shop suggests them; without a word the top categories."""
    found = suggested(word)
    tops = list(Category.objects.filter(parent=None).values_list("pk", flat=True)) if not word else ()
    categories = _in_order(Category, found.categories or tops)
    brands = _in_order(Brand, found.brands[:SHOWN])
    goods = _in_order(Product, found.goods[:SHOWN])
    return [
        Shelf(gettext("Categories"), list(_of(categories, lambda row: Tile(row).url))),
        Shelf(gettext("Brands"), list(_of(brands, lambda row: BrandTile(row).url))),
        Shelf(gettext("Goods"), list(_of(goods, lambda row: f"/shop/shopdetails/{row.pk}"))),
    ]


def _in_order(model: Any, ids: Sequence[int]) -> list[Any]:
    rows = model.objects.in_bulk(list(ids))
    return [rows[pk] for pk in ids if pk in rows]


class ShopLinkView(View):
    """The window; what is chosen goes back as Wagtail's own window for links tells it."""

    def get(self, request: HttpRequest) -> HttpResponse:
        """Show what everybody knows."""
        return self._window(request, "")

    def post(self, request: HttpRequest) -> HttpResponse:
        """Take the place that was chosen, or show what a word finds."""
        path = request.POST.get("path", "")
        if path:
            result = {
                "url": path,
                "title": request.POST.get("name", path),
                "prefer_this_title_as_link_text": False,
            }
            return JsonResponse({"step": "external_link_chosen", "result": result})
        return self._window(request, request.POST.get("q", "").replace("\0", "").strip()[:MAX_WORD])

    def _window(self, request: HttpRequest, word: str) -> HttpResponse:
        # A rich text has Wagtail's own window for the pages of the tree, beside this one.
        is_rich_text = "allow_external_link" in request.GET
        context = {
            **shared_context(request),
            "word": word,
            "shelves": places(word, with_pages=not is_rich_text),
            "other_lang": other_html_language(),
        }
        # The step whose script follows the kinds of links and sends the forms.
        window: HttpResponse = render_modal_workflow(
            request, "content/admin/shop_links.html", None, context, json_data={"step": "external_link"}
        )
        return window


class ShopPathInput(forms.TextInput):
    """A path of the shop, typed or chosen in the window."""

    def render(self, *args: Any, **kw: Any) -> SafeString:
        """Write the field with its button."""
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
        """The scripts of the window."""
        wagtails = ("wagtailadmin/js/modal-workflow.js", "wagtailadmin/js/page-chooser-modal.js")
        return forms.Media(
            js=[*map(versioned_static, wagtails), "js/admin/shop-path.js"],
            css={"all": ["css/admin/shop-path.css"]},
        )


class ShopPathBlock(blocks.FieldBlock):
    """A path of the shop, typed or chosen in the window."""

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
