"""The page of categories, the chips of subcategories, and the menu of the header."""

import re
from html import unescape

import pytest
from django.test import Client

from catalog.goods.models import Category, ProductGroup
from catalog.goods.tests.builders import make_category, make_product
from catalog.stock.tests.builders import stock
from core.tests.pages import names_on_cards, shown

pytestmark = pytest.mark.django_db


def links_of(html: str, css: str) -> dict[str, tuple[str, bool]]:
    """The links of a navigation by their label: the URL, and whether the link is marked as current."""
    nav = html[html.index(f'class="{css}') :]
    nav = nav[: nav.index("</nav>")]
    found = re.findall(r'<a\b([^>]*?)href="([^"]+)"([^>]*)>([^<]+)</a>', nav)
    return {
        unescape(label.strip()): (unescape(url), "aria-current" in before + after)
        for before, url, after, label in found
    }


@pytest.fixture
def fruit() -> Category:
    """A group with the subcategories apples, pears and an empty one; there is another group."""
    fruit, other = make_category(name_en="Fruit", name_zh="水果"), make_category(name_en="Tea")
    for name in ("Apples", "Pears"):
        make_product(category=make_category(name_en=name, parent=fruit), name_en=f"{name} in a bag")
    make_category(name_en="Empty", parent=fruit)
    make_product(category=make_category(name_en="Green tea", parent=other), name_en="Sencha")
    make_category(name_en="Group without products")
    return fruit


def test_the_page_of_categories_shows_the_products_of_one_group(client: Client, fruit: Category) -> None:
    html = shown(client, f"/categories?firstCategoryId={fruit.pk}")
    assert set(names_on_cards(html)) == {"Apples in a bag", "Pears in a bag"}
    groups = links_of(html, "groups")
    assert [(label, current) for label, (_url, current) in groups.items()] == [
        ("Fruit", True),
        ("Tea", False),
        ("All products", False),
    ]
    subcategories = links_of(html, "chips subs")
    assert [*subcategories] == ["All", "Apples", "Pears"]
    assert subcategories["All"][1]

    pears = shown(client, subcategories["Pears"][0])
    assert names_on_cards(pears) == ["Pears in a bag"]
    assert links_of(pears, "groups")["Fruit"][1]
    assert links_of(pears, "chips subs")["Pears"][1]
    # Without a valid category it is the first group.
    assert set(names_on_cards(shown(client, "/categories?goodsTypeId=999999"))) == set(names_on_cards(html))
    assert "水果" in shown(client, "/zh-hans/categories")


def test_without_products_the_page_of_categories_links_to_the_shop(client: Client) -> None:
    assert 'href="/shop"' in shown(client, "/categories")


def test_the_list_of_a_category_has_chips_that_keep_its_filters(client: Client, fruit: Category) -> None:
    html = shown(client, f"/shop?firstCategoryId={fruit.pk}&orderBy=new")
    chips = links_of(html, "chips subs")
    assert [*chips] == ["All", "Apples", "Pears"]
    assert names_on_cards(shown(client, chips["Apples"][0])) == ["Apples in a bag"]
    assert "orderBy=new" in chips["Apples"][0]
    assert "chips subs" not in shown(client, "/shop")


@pytest.mark.usefixtures("fruit")
def test_the_menu_has_every_category(client: Client) -> None:
    html = shown(client, "/zh-hans/categories/menu")
    assert "<html" not in html
    assert html.count("<a ") == Category.objects.count()
    assert 'href="/zh-hans/shop?firstCategoryId=' in html


def test_the_sizes_of_a_product_come_alone_with_their_buttons(client: Client) -> None:
    group = ProductGroup.objects.create(code="rice", name_en="Pack size", name_zh="规格")
    small = make_product(group=group, variant_en="1 kg", variant_zh="1 千克", net_weight=1000)
    make_product(group=group, variant_en="5 kg", variant_zh="5 千克", net_weight=5000)
    stock(small, 5)
    card = shown(client, "/shop")
    assert f'data-sizes="/shop/sizes/{small.pk}"' in card
    html = shown(client, f"/zh-hans/shop/sizes/{small.pk}")
    assert re.findall(r'card__name">([^<]+)<', html) == ["1 千克", "5 千克"]
    assert html.count('form="to-cart"') == html.count("disabled") == 1
    assert client.get(f"/shop/sizes/{make_product().pk}").status_code == 404
    assert client.get("/shop/sizes/word").status_code == 404
