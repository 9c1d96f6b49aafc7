"""Forms whose row changes while they are open (docs/guarantees/back-office.md#forms)."""

import re
from decimal import Decimal
from html import unescape
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from catalog.goods.models import Brand, PriceChange, PriceTier, Product
from catalog.goods.tests.builders import form_values, make_product
from catalog.goods.writing import save_brand, save_product, update_products
from catalog.stock.models import Location
from catalog.stock.services import save_location
from catalog.stock.tests.builders import make_location, stock
from core.tests.rows import rolled_back, stored
from core.tests.screens import set_language

pytestmark = pytest.mark.django_db
OPENED_WITH = re.compile(r'name="opened_with" value="([^"]*)"')


def opened(page: Any) -> str:
    """Return the values that a form was opened with."""
    found = OPENED_WITH.search(page.content.decode())
    assert found
    return unescape(found[1])


def url_of(product: Product) -> str:
    return reverse("goods:edit", args=[product.pk])


def opened_form(staff: Client, product: Product, **kw: Any) -> dict[str, Any]:
    """Open the form of a product; returns what it sends, with changes."""
    return form_values(product, opened_with=opened(staff.get(url_of(product))), **kw)


def set_price(product: Product, price: str) -> None:
    """Change a price as an import does."""
    row = Product.objects.get(pk=product.pk)
    row.price = Decimal(price)
    save_product(row, ["price"])


def test_a_form_does_not_undo_unseen_what_an_import_has_written(
    staff: Client, subtests: pytest.Subtests
) -> None:
    for language, expected in [
        ("en", "Another user or an import has changed this: Price, AUD with GST: 6.00."),
        ("zh-hans", "打开之后，有人或一次导入修改了：价格（澳元，含 GST）：6.00。"),
    ]:
        with subtests.test(language=language, expected=expected), rolled_back():
            set_language(staff, language)
            product = make_product(name_en="A name")
            values = opened_form(staff, product, name_en="A better name")
            set_price(product, "6.00")
            answer = staff.post(url_of(product), values)
            assert answer.status_code == 200
            assert answer.context["form"].non_field_errors()[0].startswith(expected)
            assert 'value="A better name"' in answer.content.decode()
            assert stored(product, "price", "name_en") == (Decimal("6.00"), "A name")
            assert PriceChange.objects.filter(product=product).count() == 2

            # What is sent once more is meant.
            values["opened_with"] = opened(answer)
            assert staff.post(url_of(product), values).status_code == 302
            assert stored(product, "price", "name_en") == (Decimal("4.49"), "A better name")


def test_of_two_editors_the_second_is_notified_of_the_first(staff: Client) -> None:
    product = make_product()
    first = opened(staff.get(url_of(product)))
    saved = form_values(product, opened_with=first, min_amount=2, description_en="Thick")
    assert staff.post(url_of(product), saved).status_code == 302
    answer = staff.post(url_of(product), form_values(product, opened_with=first, limit_amount=9))
    [shown] = answer.context["form"].non_field_errors()
    assert "Minimum amount: 2" in shown
    assert "Description, English: Thick" in shown
    assert stored(product, "min_amount", "limit_amount") == (2, 0)


def test_rows_within_a_form_are_compared_too(staff: Client) -> None:
    product = make_product()
    values = opened_form(staff, product)
    row = Product.objects.get()
    row.price_tiers.add(PriceTier(from_amount=10, price=Decimal("3.50")))
    save_product(row, ["price_tiers"])
    answer = staff.post(url_of(product), values)
    [shown] = answer.context["form"].non_field_errors()
    assert "rice" in shown.lower()
    assert PriceTier.objects.get().price == Decimal("3.50")


def test_what_services_write_in_the_meantime_keeps_no_form_from_saving(staff: Client) -> None:
    product = make_product()
    values = opened_form(staff, product, name_en="A better name")
    stock(product, 5)
    update_products(Product.objects.all(), units_sold=7)
    assert staff.post(url_of(product), values).status_code == 302
    assert Product.objects.get().name_en == "A better name"


def test_a_form_with_an_error_is_still_compared_with_what_it_was_opened_with(staff: Client) -> None:
    product = make_product()
    values = opened_form(staff, product, price="-1")
    set_price(product, "6.00")
    values |= {"price": "5.00", "opened_with": opened(staff.post(url_of(product), values))}
    assert staff.post(url_of(product), values).status_code == 200
    assert Product.objects.get().price == Decimal("6.00")


def test_marks_that_no_form_has_made_are_no_fault(staff: Client, subtests: pytest.Subtests) -> None:
    product = make_product()
    for sent in ["", "no JSON", "[1]", '{"price": 1}', "null"]:
        with subtests.test(sent=sent):
            answer = staff.post(url_of(product), form_values(product, opened_with=sent))
            assert answer.status_code in (200, 302)


def test_brands_and_locations_are_compared_too(staff: Client) -> None:
    brand, location = make_product().brand, make_location()
    assert brand is not None
    brand_url = reverse("brands:edit", args=[brand.pk])
    place_url = reverse("stock_locations:edit", args=[location.pk])
    brand_opened, place_opened = opened(staff.get(brand_url)), opened(staff.get(place_url))
    brand.name_zh = "新名"
    save_brand(brand, ["name_zh"])
    location.name_en = "New name"
    save_location(location)
    sent = {"name_en": "B", "name_zh": "旧", "origin": brand.origin, "opened_with": brand_opened}
    assert staff.post(brand_url, sent).status_code == 200
    sent = {"code": location.code, "name_en": "Old", "name_zh": "旧", "opened_with": place_opened}
    assert staff.post(place_url, sent).status_code == 200
    assert Brand.objects.get().name_zh == "新名"
    assert Location.objects.get().name_en == "New name"
