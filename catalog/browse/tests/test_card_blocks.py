"""A card is rendered once for all that it shows, and again as soon as any of it changes."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, replace
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.db.models import Model
from django.template import engines
from django.test import Client
from django.utils import translation

from catalog.browse import cards
from catalog.browse.cards import Card
from catalog.browse.facetpanel import FacetPanel, facet_panel
from catalog.browse.filters import Filters
from catalog.browse.listing import listing
from catalog.browse.showcases import CategoryShowcase, Tile
from catalog.browse.templatetags.browse import product_card
from catalog.goods.listed import ListedProduct
from catalog.goods.models import Brand, Category, Product
from catalog.goods.tests.builders import make_brand, make_product
from catalog.goods.writing import save_brand, save_category, save_product
from catalog.promotions.offers import Offer
from catalog.promotions.pricing import PricedProduct, TierPrice
from catalog.stock.tests.builders import stock
from core.pages.blocks import BLOCKS
from core.pictures.renditions import PictureFiles
from core.tests.pages import html_of

pytestmark = pytest.mark.django_db
PICTURE = PictureFiles("/media/tea.256.webp", (), (("/media/tea.256.webp", 256),))


@pytest.fixture(autouse=True)
def _no_blocks() -> Iterator[None]:
    BLOCKS.clear()
    yield
    BLOCKS.clear()


@dataclass
class Rendered:
    """How many cards were rendered."""

    count: int = 0


@pytest.fixture
def rendered(monkeypatch: pytest.MonkeyPatch) -> Rendered:
    seen = Rendered()
    template = engines["django"].get_template("includes/product_card.html")

    class Counted:
        def render(self, context: dict[str, Any]) -> Any:
            seen.count += 1
            return template.render(context)

    monkeypatch.setattr("core.pages.blocks.get_template", lambda _name: Counted())
    return seen


def make_card(**facts: Any) -> Card:
    """A card of facts alone; each call makes all of its rows and values again."""
    top = Category(pk=1, name_en="Drinks", name_zh="饮品", tint="#E6F4E1")
    category = Category(pk=2, name_en="Tea", name_zh="茶", tint="#E6F4E1", parent=top)
    given: dict[str, Any] = {field.name: "" for field in fields(ListedProduct)} | {
        "expected_on": None,
        "id": 7,
        "name_en": "Jasmine tea",
        "name_zh": "茉莉花茶",
        "group_id": None,
        "price": Decimal("5.00"),
        "market_price": None,
        "picture_id": 3,
        "picture_url": PICTURE.url,
        "min_amount": 1,
        "limit_amount": 0,
        "available": 50,
        "brand": Brand(pk=4, name_en="Leaf", name_zh="叶"),
        "category": category,
    }
    product = ListedProduct(**given | facts)
    priced = PricedProduct(product, product.price, None, product.available, 0, None, None, None, None, ())
    return Card(priced, PICTURE, Decimal("4.70"))


def priced_as(**facts: Any) -> Card:
    card = make_card()
    return replace(card, priced=replace(card.priced, **facts))


def offer(**facts: Any) -> Offer:
    start = datetime(2027, 3, 1, tzinfo=UTC)
    given: dict[str, Any] = {
        "promotion_id": 1,
        "name_zh": "周",
        "name_en": "Week",
        "starts_at": start,
        "ends_at": start + timedelta(days=7),
        "price": Decimal("4.00"),
        "quota": 20,
        "taken": 0,
        "limit_amount": 0,
        "kind": "price",
        "rule_zh": "活动价",
        "rule_en": "Promotion price",
        "buy_units": None,
        "free_units": None,
    }
    return Offer(**given | facts)


def panel() -> FacetPanel:
    filters = Filters()
    return facet_panel(filters, listing(filters).facets, set())


def test_filters_are_rendered_again_when_their_counts_change(client: Client) -> None:
    tea = make_product(brand=make_brand(name_en="Leaf"))
    unchanged = panel().shows
    assert panel().shows == unchanged
    assert '<span>Leaf</span><span translate="no">1</span>' in html_of(client.get("/shop"))
    make_product(brand=tea.brand)
    assert panel().shows != unchanged
    assert '<span>Leaf</span><span translate="no">2</span>' in html_of(client.get("/shop"))


def test_an_unchanged_card_is_rendered_once(rendered: Rendered) -> None:
    first = product_card(make_card())
    assert product_card(make_card()) == first
    assert rendered.count == 1


CHANGES: dict[str, Callable[[], Card]] = {
    "price": lambda: make_card(price=Decimal("5.10")),
    "was": lambda: priced_as(was_price=Decimal("6.00")),
    "unit price": lambda: priced_as(unit_price=Decimal("1.25"), unit_measure="kg"),
    "tiers": lambda: priced_as(tiers=[TierPrice(6, Decimal("4.50"))]),
    "offer": lambda: priced_as(offer=offer()),
    "other offer": lambda: priced_as(other_offer=offer(kind="buy_get", price=Decimal("5.00"))),
    "name": lambda: make_card(name_en="Oolong"),
    "other name": lambda: make_card(name_zh="乌龙茶"),
    "stock": lambda: make_card(available=3),
    "sold out": lambda: make_card(available=0),
    "advance": lambda: make_card(is_advance=True),
    "expected": lambda: make_card(is_advance=True, expected_on=date(2099, 1, 1)),
    "limit": lambda: make_card(limit_amount=2),
    "variants": lambda: make_card(group_id=9),
    "picture": lambda: replace(make_card(), picture=PICTURE._replace(url="/media/new.webp")),
    "sizes": lambda: replace(make_card(), picture=PICTURE._replace(avif=(("/media/tea.avif", 256),))),
    "no picture": lambda: replace(make_card(), picture=None),
    "rate": lambda: replace(make_card(), rate=Decimal("4.71")),
    "brand": lambda: make_card(brand=Brand(pk=4, name_en="Leaves", name_zh="叶")),
    "hue": lambda: make_card(category=Category(pk=2, name_en="Tea", name_zh="茶", tint="#0000FF")),
}


def test_a_card_is_rendered_again_when_what_it_shows_changes(
    rendered: Rendered, subtests: pytest.Subtests
) -> None:
    product_card(make_card())
    for number, (change, make_changed) in enumerate(CHANGES.items(), start=2):
        with subtests.test(msg=change):
            product_card(make_changed())
            assert rendered.count == number


def test_a_card_is_rendered_again_when_its_offer_changes(
    rendered: Rendered, subtests: pytest.Subtests
) -> None:
    for shown in (offer(), offer()):
        product_card(priced_as(offer=shown))
    assert rendered.count == 1
    changes: list[dict[str, Any]] = [
        {"taken": 1},
        {"ends_at": datetime(2028, 1, 1, tzinfo=UTC)},
        {"name_zh": "新"},
    ]
    for number, change in enumerate(changes, start=2):
        with subtests.test(change=change):
            product_card(priced_as(offer=offer(**change)))
            assert rendered.count == number


def test_cards_share_no_language_and_no_place_on_the_page(rendered: Rendered) -> None:
    english = product_card(make_card())
    with translation.override("zh-hans"):
        chinese = product_card(make_card())
    assert "In stock" in english
    assert "In stock" not in chinese
    assert product_card(make_card(), eager=True) != english
    assert rendered.count == 3


def test_what_a_card_shows_is_compared_by_values_and_never_by_ids() -> None:
    """Rows of the database are equal where their ids are, whatever their columns have become."""

    def check(value: Any) -> None:
        assert not isinstance(value, Model)
        for part in value if isinstance(value, tuple) else ():
            check(part)

    card = make_card()
    top = Tile(card.product.category, PICTURE)
    for shows in (card.shows, CategoryShowcase(top, [top], [card], [7]).shows, panel().shows):
        hash(shows)
        check(shows)
    names = {field.name for field in fields(ListedProduct)} - {"brand", "category"}
    assert len(cards._product_values(make_card().product)) == len(names)


@pytest.mark.parametrize("language", ["", "/zh-hans"])
def test_a_change_shows_on_the_page_immediately(client: Client, language: str) -> None:
    def read() -> str:
        return html_of(client.get(f"{language}/shop"))

    def product() -> Product:
        return Product.objects.get(pk=tea.pk)

    tea = make_product(name_en="Jasmine tea", name_zh="茉莉花茶", price=Decimal("5.00"))
    stock(tea, 50)
    assert "</small>5.00<" in read()
    changed = product()
    changed.price, changed.name_en, changed.name_zh = Decimal("8.75"), "Oolong", "乌龙茶"
    save_product(changed)
    page = read()
    assert "</small>8.75<" in page
    assert "Oolong" in page
    assert "Jasmine tea" not in page
    brand, top = changed.brand, changed.category.parent or changed.category
    before = page.count("hue-")
    brand.name_en, top.tint = "Newbrand", "#0000FF"
    save_brand(brand)
    save_category(top)
    page = read()
    assert page.count("hue-240") == before
