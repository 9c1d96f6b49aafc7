"""The feed for Google Merchant Center has the attributes that its specification requires."""

from decimal import Decimal
from typing import Any
from xml.etree import ElementTree

import pytest
from django.conf import settings
from django.test import Client
from pytest_django import DjangoAssertNumQueries
from wagtail.images.models import Image
from wagtail.images.tests.utils import get_test_image_file

from catalog.browse import merchant_feed
from catalog.goods.models import ProductGroup
from catalog.goods.tests.builders import make_category, make_product
from catalog.promotions.tests.builders import make_promotion
from catalog.stock.tests.builders import stock

pytestmark = [pytest.mark.both_databases, pytest.mark.django_db]

G = "{http://base.google.com/ns/1.0}"
# Required for each new product that is no clothing (support.google.com/merchants/answer/7052112).
REQUIRED = {"title", "description", "link"} | {
    f"{G}{name}" for name in ("id", "image_link", "availability", "price", "condition", "brand")
}


def items(client: Client, language: str) -> list[dict[str, str]]:
    """The items of a feed, each by the name of its elements."""
    answer: Any = client.get(f"/google-feed-{language}.xml")
    assert (answer.status_code, answer["Content-Type"]) == (200, "application/xml; charset=utf-8")
    feed = ElementTree.fromstring(b"".join(answer.streaming_content))  # noqa: S314  made by the shop
    assert (feed.tag, feed.attrib) == ("rss", {"version": "2.0"})
    [channel] = feed
    assert {"title", "link", "description"} <= {part.tag for part in channel}
    return [{part.tag: part.text or "" for part in item} for item in channel.iter("item")]


@pytest.fixture
def picture() -> Image:
    return Image.objects.create(title="Rice", file=get_test_image_file())


def test_every_item_has_what_the_specification_requires(client: Client, picture: Image) -> None:
    group = ProductGroup.objects.create(code="rice", name_en="Size", name_zh="规格")
    category = make_category(parent=make_category(name_en="Food & drink", name_zh="食品"), name_en="Rice")
    names = {"name_en": "Rice & <b>\x0b" + "x" * 160, "name_zh": "米", "sku": "G1"}
    facts = {"group": group, "category": category, "gtin": "9300675024235", "description_en": "Fragrant."}
    rice = make_product(picture=picture, price=Decimal("5.00"), **names, **facts)
    stock(rice, 9)
    make_promotion((rice, "3.25"))
    make_product(picture=picture, sku="G2", gtin="2000000000008")
    make_product(sku="No picture")
    make_product(picture=picture, sku="Off sale", on_sale=False)
    for language, prefix in (("en", ""), ("zh", "/zh-hans")):
        found = {item[f"{G}id"]: item for item in items(client, language)}
        assert found.keys() == {"G1", "G2"}
        for item in found.values():
            assert item.keys() >= REQUIRED
            assert all(item[name].strip() for name in REQUIRED)
            assert item[f"{G}image_link"].startswith(settings.SITE_URL)
            assert (f"{G}gtin" in item) != (item.get(f"{G}identifier_exists") == "no")
        first, second = found["G1"], found["G2"]
        assert first["link"] == f"{settings.SITE_URL}{prefix}/shop/shopdetails/{rice.pk}"
        assert first["title"] == ("米" if prefix else "Rice & <b>" + "x" * 139)
        assert first["description"] == ("米" if prefix else "Fragrant.")
        assert (first[f"{G}price"], first[f"{G}sale_price"]) == ("5.00 AUD", "3.25 AUD")
        assert (first[f"{G}gtin"], first[f"{G}item_group_id"]) == ("9300675024235", "rice")
        assert (first[f"{G}availability"], second[f"{G}availability"]) == ("in_stock", "out_of_stock")
        assert f"{G}sale_price" not in second
    assert items(client, "en")[0][f"{G}product_type"] == "Food & drink > Rice"
    assert client.get("/google-feed-fr.xml").status_code == 404


def test_a_feed_is_limited_and_reads_many_products_together(
    client: Client,
    picture: Image,
    monkeypatch: pytest.MonkeyPatch,
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    for _ in range(12):
        make_product(picture=picture)
    # The first one creates the picture's files.
    items(client, "en")
    with django_assert_max_num_queries(8):
        assert len(items(client, "en")) == 12
    monkeypatch.setattr(merchant_feed, "BATCH", 2)
    monkeypatch.setattr(merchant_feed, "MAX_ITEMS", 3)
    assert len(items(client, "en")) == 3
