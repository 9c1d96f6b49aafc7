from decimal import Decimal
from typing import Any

import pytest
from pytest_django import DjangoAssertNumQueries

from catalog.goods.models import BASE_LEVEL, PriceTier, Product
from catalog.goods.tests.builders import make_product
from catalog.stock.tests.builders import stock
from commerce.accounts.models import Customer
from commerce.cart.items import priced_items, read_contents
from commerce.cart.models import CartItem, CartType
from commerce.cart.serializers import cart_out
from commerce.cart.services import add_to_cart, merge_cart, remove_ordered_items, set_amount
from core.errors import Err
from core.tests.refusals import refusal
from core.tests.rows import rolled_back

pytestmark = pytest.mark.django_db

BULK, MINE = CartType.bulk, CartType.direct_mail


def make_bulk(units: int = 1000, **kw: Any) -> Product:
    """Make a product in cartons of 12 for 5.00, 4.50 from 24 on and 4.00 from 60 on."""
    product = make_product(**{"price": Decimal("5.00"), "is_bulk": True, "carton_size": 12} | kw)
    for amount, price in [(24, "4.50"), (60, "4.00")]:
        PriceTier.objects.create(product=product, from_amount=amount, price=Decimal(price))
    stock(product, units)
    return product


def amounts_of(customer: Customer, type: CartType = BULK) -> list[int]:
    rows = CartItem.objects.filter(customer=customer, type=type)
    return list(rows.values_list("amount", flat=True))


def lines_of(customer: Customer, type: CartType) -> list[dict[str, Any]]:
    contents = read_contents(customer=customer, type=type)
    lines: list[dict[str, Any]] = cart_out(priced_items(contents, level=BASE_LEVEL))["list"]
    return lines


def test_the_bulk_cart_has_whole_cartons_only(customer: Customer, subtests: pytest.Subtests) -> None:
    for fields, asked, amount, note in (
        ({}, 1, 12, Err.amount_rounded_up),
        ({}, 12, 12, None),
        ({}, 13, 24, Err.amount_rounded_up),
        ({"min_amount": 30}, 1, 36, Err.amount_rounded_up),
        ({"units": 30}, 36, 24, Err.amount_above_limit),
        ({"limit_amount": 40}, 48, 36, Err.amount_above_limit),
        ({"is_bulk": False}, 5, 5, None),
    ):
        with subtests.test(fields=fields, asked=asked, amount=amount, note=note), rolled_back():
            rice = make_bulk(**fields)
            for change in (set_amount, add_to_cart):
                CartItem.objects.all().delete()
                assert change(customer=customer, type=BULK, product_id=rice.pk, amount=asked).note == note
                assert amounts_of(customer) == [amount]
            CartItem.objects.all().delete()
            assert merge_cart(customer=customer, type=BULK, pushed=[(rice.pk, asked)]).note == note
            assert amounts_of(customer) == [amount]


def test_added_cartons_add_up_and_the_ordinary_cart_holds_single_units(customer: Customer) -> None:
    rice = make_bulk()
    for _ in range(2):
        add_to_cart(customer=customer, type=BULK, product_id=rice.pk, amount=5)
        add_to_cart(customer=customer, type=MINE, product_id=rice.pk, amount=5)
    assert (amounts_of(customer), amounts_of(customer, MINE)) == ([24], [10])


def test_less_than_a_carton_in_stock_cannot_be_bought_by_the_carton(customer: Customer) -> None:
    rice = make_bulk(11)
    with refusal(Err.stock_insufficient):
        add_to_cart(customer=customer, type=BULK, product_id=rice.pk, amount=12)
    assert amounts_of(customer) == []


def test_an_items_price_follows_its_amount_in_either_cart(
    customer: Customer, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for amount in (12, 24, 60):
        set_amount(customer=customer, type=BULK, product_id=make_bulk().pk, amount=amount)
    with django_assert_num_queries(2):
        lines = lines_of(customer, BULK)
    assert [line["memberPrice"] for line in lines] == [Decimal(4), Decimal("4.50"), Decimal(5)]
    assert [line["unitPrice"] for line in lines] == [Decimal("0.80"), Decimal("0.90"), Decimal("1.00")]
    assert lines[0]["cartonSize"] == lines[0]["minAmount"] == 12
    assert lines[0]["priceTiers"] == [
        {"fromAmount": 1, "price": Decimal("5.00")},
        {"fromAmount": 24, "price": Decimal("4.50")},
        {"fromAmount": 60, "price": Decimal("4.00")},
    ]
    set_amount(customer=customer, type=MINE, product_id=make_bulk().pk, amount=25)
    line = lines_of(customer, MINE)[0]
    assert (line["memberPrice"], line["cartonSize"], line["minAmount"]) == (Decimal("4.50"), 1, 1)


def test_ordered_units_are_removed_from_the_cart_of_their_kind(
    customer: Customer, subtests: pytest.Subtests
) -> None:
    rice = make_bulk()
    set_amount(customer=customer, type=BULK, product_id=rice.pk, amount=24)
    set_amount(customer=customer, type=MINE, product_id=rice.pk, amount=5)
    for ordered, mine, bulk in ((24, [5], []), (5, [], [24]), (29, [], []), (3, [2], [24]), (8, [], [21])):
        with subtests.test(ordered=ordered, mine=mine, bulk=bulk), rolled_back():
            remove_ordered_items(customer=customer, units_by_product={rice.pk: ordered})
            assert (amounts_of(customer, MINE), amounts_of(customer)) == (mine, bulk)
