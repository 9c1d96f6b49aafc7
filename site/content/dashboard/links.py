"""Finds broken links in pages, slides and areas, without using the network."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from urllib.parse import urlsplit

from bs4 import BeautifulSoup
from django.conf import settings
from django.db.models import Model, Q
from django.http import QueryDict
from django.urls import Resolver404, resolve
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from wagtail import blocks
from wagtail.contrib.redirects.models import Redirect
from wagtail.documents import get_document_model
from wagtail.fields import StreamField
from wagtail.images.blocks import ImageBlock
from wagtail.models import Page

from catalog.browse.listpage import filters_of
from catalog.goods.models import Brand, Category, Product
from catalog.promotions.models import Promotion
from content.dashboard.paths import page_at
from content.models import CarouselSlide, SpecialArea
from core.languages import CHINESE, ENGLISH, SHOP_PATH, in_language
from core.wire import positive_number


@dataclass(frozen=True)
class Link:
    """A link to a URL or to a chosen row; `row` is None if the row was deleted."""

    text: str
    row: Model | None = None
    is_url: bool = False


# ── Finding ───────────────────────────────────────────────────────────────────────────────────────────


def links_of(source: Model) -> Iterator[Link]:
    """Yield the links of a page, slide or area."""
    if isinstance(source, CarouselSlide):
        yield Link(source.path, is_url=True)
    elif isinstance(source, SpecialArea) and source.rule == SpecialArea.Rule.promotion:
        yield Link(str(source.promotion), source.promotion)
    for field in source._meta.get_fields():
        if isinstance(field, StreamField):
            yield from links_in(field.stream_block, getattr(source, field.name))


def links_in(block: blocks.Block, value: Any) -> Iterator[Link]:
    """Yield the links in a block's value, at any depth."""
    if isinstance(block, blocks.StreamBlock):
        for child in value:
            yield from links_in(child.block, child.value)
    elif isinstance(block, blocks.ListBlock):
        for item in value:
            yield from links_in(block.child_block, item)
    elif isinstance(block, ImageBlock | blocks.ChooserBlock):
        if value is not None or block.required:
            yield Link(str(value or block.label), value)
    elif isinstance(block, blocks.StructBlock):
        for name, child in block.child_blocks.items():
            yield from links_in(child, value.get(name))
    elif isinstance(block, blocks.RichTextBlock):
        yield from _links_in_html(value.source if value else "")
    elif isinstance(value, str) and re.match(SHOP_PATH, value):
        yield Link(value, is_url=True)


def _links_in_html(html: str) -> Iterator[Link]:
    for anchor in BeautifulSoup(html, "html.parser").find_all("a"):
        model = {"page": Page, "document": get_document_model()}.get(str(anchor.get("linktype")))
        if model:
            yield Link(anchor.get_text(), model.objects.filter(pk=anchor.get("id")).first())
        elif anchor.get("href"):
            yield Link(str(anchor["href"]), is_url=True)


# ── Checking ──────────────────────────────────────────────────────────────────────────────────────────


def fault_of(link: Link, language: str) -> str:
    """Return why a link on a page in a language is broken; empty if it works."""
    if link.is_url:
        return EditorLink(link.text, language).fault
    return fault_of_row(link.row)


def fault_of_row(row: Any) -> str:
    """Return why shoppers cannot see a row; empty if they can."""
    if row is None:
        return _("What was chosen here has been deleted.")
    if isinstance(row, Product) and not row.on_sale:
        return _("These products are not on sale.")
    if isinstance(row, Promotion) and not (row.is_active and row.ends_at > timezone.now()):
        return _("This promotion is over.")
    if isinstance(row, SpecialArea) and not SpecialArea.objects.shown().filter(pk=row.pk).exists():
        return _("This special area is not shown.")
    if isinstance(row, Page) and not row.live:
        return _("This page is not published.")
    return ""


@dataclass(frozen=True)
class EditorLink:
    """A URL that an editor wrote on a page in one language."""

    text: str
    language: str

    @property
    def fault(self) -> str:
        """Why it is broken; empty if it works or leaves the shop."""
        parts = urlsplit(self.text)
        is_elsewhere = (parts.scheme or parts.netloc) and parts.netloc != urlsplit(settings.SITE_URL).netloc
        if is_elsewhere or not parts.path:
            return ""
        path = in_language(parts.path.rstrip("/") or "/", self.language)
        with translation.override(self.language):
            try:
                match = resolve(path)
            except Resolver404:
                return _("There is nothing at this address.")
        checks: dict[str | None, Callable[[], str]] = {
            "goods": lambda: self._row(Product, match.kwargs["goods_id"]),
            "area": lambda: self._row(SpecialArea, match.kwargs["area_id"]),
            "promotion": lambda: self._row(Promotion, match.kwargs["promotion_id"]),
            "shop": lambda: self._list(QueryDict(parts.query.encode())),
            "wagtail_serve": lambda: self._page(path),
        }
        check = checks.get(match.url_name)
        return check() if check else ""

    def _row(self, model: Any, written: str) -> str:
        pk = positive_number(written)
        row = model.objects.filter(pk=pk).first() if pk else None
        return fault_of_row(row) if row else _("There is nothing at this address.")

    def _page(self, path: str) -> str:
        page = page_at(path, self.language)
        if page and page.live:
            return ""
        moved = Redirect.objects.filter(old_path=Redirect.normalise_path(path)).first()
        if moved and moved.link and (moved.redirect_page is None or moved.redirect_page.live):
            return ""
        return fault_of_row(page) if page else _("There is no page at this address.")

    def _list(self, query: QueryDict) -> str:
        """Return why a list's category, brand or promotion is missing; empty if all exist."""
        filters = filters_of(query)
        categories = {pk for pk in (filters.category_id, filters.first_category_id) if pk}
        if Category.objects.filter(pk__in=categories).count() < len(categories):
            return _("There is no such category.")
        for name in filters.brand_names:
            if not Brand.objects.filter(Q(name_en=name) | Q(name_zh=name)).exists():
                return _("There is no such brand.")
        if filters.promotion_id:
            return self._row(Promotion, str(filters.promotion_id))
        return ""


# ── Both ──────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class BrokenLink:
    """A broken link, its source and the reason."""

    source: Any
    link: str
    fault: str
    edit_url: str

    @property
    def title(self) -> str:
        """The title of the page, slide or area."""
        return str(self.source)

    @cached_property
    def kind(self) -> str:
        """The kind of source, with its language if it has only one."""
        name = str(self.source._meta.verbose_name)
        return f"{name} · {self.source.locale}" if isinstance(self.source, Page) else name


def broken_links(source: Any, edit_url: str) -> Iterator[BrokenLink]:
    """Yield the broken links of a live page, slide or area, each once."""
    # Slides and areas are shown in both languages.
    languages = [source.locale.language_code] if isinstance(source, Page) else [ENGLISH, CHINESE]
    for link in dict.fromkeys(links_of(source)):
        fault = next(filter(None, (fault_of(link, language) for language in languages)), "")
        if fault:
            yield BrokenLink(source, link.text, fault, edit_url)
