"""The pages of promotions and of bulk buying."""

import json
import re
from datetime import timedelta
from decimal import Decimal
from html import unescape
from typing import Any

import pytest
import time_machine
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from catalog.goods.models import PriceTier, Product
from catalog.goods.tests.builders import make_product
from catalog.promotions import offers
from catalog.promotions.tests.builders import make_promotion, promote
from catalog.stock.tests.builders import stock
from core.tests.pages import shown

pytestmark = pytest.mark.django_db

MOMENT = timedelta(microseconds=1)
RULE = r'<p class="semi" id="rule">(.*?)</p>\s*<ul aria-labelledby="rule">(.*?)</ul>'
ENDS = r'<p(?: class="offer")?>.{0,300}?<time\s+datetime="([^"]*)"'
LANGUAGES = {"en": "", "zh": "/zh-hans"}


def make_stocked(units: int = 100, **kw: Any) -> Product:
    product = make_product(**{"price": Decimal("5.00"), "pack": "500 g"} | kw)
    stock(product, units)
    return product


def product_data_of(page: str) -> list[dict[str, Any]]:
    return [json.loads(unescape(text)) for text in re.findall(r'<article[^>]* data-product="([^"]*)"', page)]


def test_a_promotion_shows_price_saving_quota_share_and_end(
    client: Client, subtests: pytest.Subtests
) -> None:
    promotion = make_promotion(name_en="Hotpot week", name_zh="火锅周")
    promote(promotion, make_stocked(), "3.50", quota=50, taken=38, limit_amount=4)
    for prefix, texts in (
        ("", ["Hotpot week", "Save A$1.50", "Only 12 of 50 left", "Limit 4 per customer"]),
        ("/zh-hans", ["火锅周", "立省 A$1.50", "仅剩 12 / 50 件", "每人限购 4 件"]),
    ):
        for path in ("/promotions", f"/promotions/{promotion.pk}"):
            with subtests.test(path=prefix + path):
                page = shown(client, prefix + path)
                for text in [*texts, "<small>A$</small>3.50", ">A$5.00</span></s>", "0.70", "<progress"]:
                    assert text in page
                assert f'datetime="{promotion.ends_at.isoformat()}"' in page
                assert f'href="{prefix}/promotions" class="nav__deals active" aria-current="page"' in page


def test_cards_put_products_into_the_cart_of_their_promotion_on_every_page(client: Client) -> None:
    rice = make_stocked()
    promotion = make_promotion((rice, "3.50"))
    for path in ("/promotions", f"/promotions/{promotion.pk}", "/shop"):
        products = product_data_of(shown(client, path))
        assert [row["goodsId"] for row in products] == [rice.pk]
        assert (products[0]["memberPrice"], products[0]["goodsStockAmount"]) == (3.5, 50)
        assert products[0]["wasPrice"] == 5.0
        assert products[0]["action"]["goodsActionTypeId"] == promotion.pk
    page = shown(client, f"/shop/shopdetails/{rice.pk}")
    assert "<small>A$</small>3.50" in page
    assert f'href="/promotions/{promotion.pk}"' in page


KINDS: dict[str, tuple[dict[str, Any], dict[str, str]]] = {
    "buy_get": ({"buy_units": 2, "free_units": 1}, {"en": "Buy 2, get 1 free", "zh": "买 2 送 1"}),
    "gift": (
        {"gift_from": Decimal("50.00")},
        {"en": "Free gift when you spend A$50.00", "zh": "满 A$50.00 送赠品"},
    ),
    "bundle": ({"bundle_price": Decimal("9.90")}, {"en": "Bundle for A$9.90", "zh": "套餐价 A$9.90"}),
}


def label_on(page: str) -> str | None:
    """Return the text of the label that links from a card to a promotion."""
    found = re.search(r'<a class="badge badge--promo" href="[^"]*">(.*?)</a>', page, re.DOTALL)
    return found and re.sub(r"\s+", " ", re.sub("<[^>]+>", "", found[1])).strip()


def test_a_card_shows_of_a_promotion_that_leaves_the_price_of_one_while_it_runs(
    client: Client, subtests: pytest.Subtests
) -> None:
    start = timezone.now() + timedelta(hours=1)
    end = start + timedelta(hours=1)
    rice = make_stocked(name_en="Rice", name_zh="米")
    names = {"en": "Week", "zh": "活动周"}
    for kind, (facts, rules) in KINDS.items():
        named = {"name_en": names["en"], "name_zh": names["zh"]}
        promotion = make_promotion(kind=kind, starts_at=start, ends_at=end, **named, **facts)
        promote(promotion, rice)
        for language, prefix in LANGUAGES.items():
            with subtests.test(kind=kind, language=language):
                rule = rules[language]
                label = f"{rule}: {names[language]}"
                moments = (start - MOMENT, None), (start, label), (end - MOMENT, label), (end, None)
                for moment, expected in moments:
                    with time_machine.travel(moment, tick=False):
                        page = shown(client, f"{prefix}/shop")
                    assert label_on(page) == expected
                    assert (f'href="{prefix}/promotions/{promotion.pk}">{rule}' in page) == bool(expected)
                    # What the card's button sells is the product alone, at its ordinary price.
                    [data] = product_data_of(page)
                    assert (data["memberPrice"], data.get("action")) == (5.0, None)
                with time_machine.travel(start, tick=False):
                    page = shown(client, f"{prefix}/promotions/{promotion.pk}")
                # The promotion's own page shows it once, above its cards.
                assert (label_on(page), page.count(f">{rule}<")) == (None, 1)
        promotion.delete()


def test_a_card_at_a_lower_price_has_no_label_of_another_promotion(client: Client) -> None:
    rice = make_stocked()
    promote(make_promotion(kind="buy_get", buy_units=2, free_units=1), rice)
    make_promotion((rice, "3.50"))
    page = shown(client, "/shop")
    assert "Save A$1.50" in page
    assert label_on(page) is None


def test_labels_take_no_query_more(client: Client) -> None:
    def queries() -> tuple[int, int]:
        """Return the number of a list's queries, and of its labels."""
        offers.invalidate()
        with CaptureQueriesContext(connection) as context:
            page = shown(client, "/shop")
        return len(context), page.count('<a class="badge badge--promo"')

    make_promotion((make_stocked(), "3.50"))
    others = [make_stocked(), make_stocked()]
    queries()
    before, _labels = queries()
    for product in others:
        promote(make_promotion(kind="buy_get", buy_units=2, free_units=1), product)
    assert queries() == (before, 2)


def test_a_product_shows_when_each_of_its_promotions_ends(client: Client, subtests: pytest.Subtests) -> None:
    rice = make_stocked()
    lower = make_promotion((rice, "3.50"))
    for kind, (facts, rules) in KINDS.items():
        other = make_promotion(kind=kind, ends_at=lower.ends_at + timedelta(days=1), **facts)
        promote(other, rice)
        for language, prefix in LANGUAGES.items():
            with subtests.test(kind=kind, language=language):
                page = shown(client, f"{prefix}/shop/shopdetails/{rice.pk}")
                assert rules[language] in page
                ends = re.findall(ENDS, page, re.DOTALL)
                expected = [timezone.localtime(each.ends_at).isoformat() for each in (lower, other)]
                assert ends == expected
        other.delete()


def test_a_promotion_names_its_rule_once_and_below_it_each_gift_or_part(
    client: Client, subtests: pytest.Subtests
) -> None:
    rice, tea = make_stocked(name_en="Rice", name_zh="米"), make_stocked(name_en="Tea", name_zh="茶")
    names = {"en": ["2 × Rice", "1 × Tea"], "zh": ["2 × 米", "1 × 茶"]}
    for kind in ("gift", "bundle"):
        facts, rules = KINDS[kind]
        promotion = make_promotion(kind=kind, **facts)
        promote(promotion, rice, is_gift=kind == "gift", units=2)
        promote(promotion, tea, is_gift=kind == "gift")
        for language, prefix in LANGUAGES.items():
            with subtests.test(kind=kind, language=language):
                page = shown(client, f"{prefix}/promotions/{promotion.pk}")
                [rule, named] = re.findall(RULE, page, re.DOTALL)[0]
                assert rule == rules[language]
                assert re.findall("<li>(.*?)</li>", named) == names[language]
                assert page.count(f">{rule}<") == 1
                [description] = re.findall(r'<meta name="description" content="([^"]*)"', page)
                assert rule in description


def test_without_promotions_the_page_shows_it_and_an_unknown_one_is_not_found(client: Client) -> None:
    assert "There are no promotions right now." in shown(client, "/promotions")
    for wrong in ("0", "x", "9" * 30, "1"):
        assert client.get(f"/promotions/{wrong}").status_code == 404


def test_the_list_of_promotions_takes_the_same_queries_however_many(
    client: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for _ in range(4):
        make_promotion(*((make_stocked(), "3.50") for _ in range(3)))
    shown(client, "/home/bulk")
    # Six of them read the snapshot of all products, which a shop reads every two seconds.
    with django_assert_max_num_queries(16):
        shown(client, "/promotions")


def make_bulk(**kw: Any) -> Product:
    product = make_stocked(is_bulk=True, carton_size=12, **kw)
    for amount, price in [(12, "4.50"), (30, "4.00")]:
        PriceTier.objects.create(product=product, from_amount=amount, price=Decimal(price))
    return product


def test_the_cart_knows_what_many_cost_in_a_promotion(client: Client) -> None:
    rice, tea = make_bulk(), make_stocked()
    promotion = make_promotion((rice, "4.20"), (tea, "3.50"))
    page = shown(client, f"/promotions/{promotion.pk}")
    assert {row["goodsId"]: row["priceTiers"] for row in product_data_of(page)} == {
        rice.pk: [{"fromAmount": 1, "price": 4.2}, {"fromAmount": 30, "price": 4}],
        tea.pk: [],
    }


def test_bulk_products_show_their_carton_and_the_price_of_every_amount(client: Client) -> None:
    rice = make_bulk(min_amount=20)
    make_stocked()
    page = shown(client, "/home/bulk")
    cells = [
        re.sub(r"\s+", " ", re.sub("<[^>]+>", "", cell)).strip()
        for cell in re.findall("<t[hd].*?</t[hd]>", page)
    ]
    assert cells == [
        *("Cartons", "Price each", "Unit price"),
        *("2+ cartons (24 units)", "A$4.50", "A$0.90 / 100 g"),
        *("3+ cartons (36 units)", "A$4.00", "A$0.80 / 100 g"),
    ]
    assert "Carton of 12 × 500 g" in page
    assert "minimum 2 cartons (24 units)" in page
    products = product_data_of(page)
    assert [(row["goodsId"], row["cartonSize"]) for row in products] == [(rice.pk, 12)]
    assert products[0]["priceTiers"][1] == {"fromAmount": 12, "price": 4.5}


def test_less_than_the_minimum_of_cartons_is_sold_out(client: Client) -> None:
    make_bulk(units=23, min_amount=20)
    page = shown(client, "/zh-hans/home/bulk")
    assert "售罄" in page
    assert "加购 2 箱" not in page
