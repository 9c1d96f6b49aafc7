from decimal import Decimal
from typing import Any

import pytest
from pytest_django import DjangoAssertNumQueries

from catalog.goods.models import PriceTier, Product
from catalog.goods.tests.builders import make_product
from catalog.stock.tests.builders import stock
from commerce.accounts.models import Customer
from commerce.accounts.tests.builders import make_customer
from commerce.cart.listing import cart_out
from commerce.cart.models import CartItem, CartType
from commerce.cart.services import add_to_cart, merge_cart, set_amount, take_out_ordered
from core.errors import Err, ShopError

pytestmark = pytest.mark.django_db

BULK, MINE = CartType.bulk, CartType.direct_mail


@pytest.fixture
def customer() -> Customer:
    return make_customer()


def make_bulk(units: int = 1000, **kw: Any) -> Product:
    """Make a good in cartons of 12 for 5.00, 4.50 from 24 on and 4.00 from 60 on."""
    product = make_product(**{"price": Decimal("5.00"), "is_bulk": True, "carton_size": 12} | kw)
    for amount, price in [(24, "4.50"), (60, "4.00")]:
        PriceTier.objects.create(product=product, from_amount=amount, price=Decimal(price))
    stock(product, units)
    return product


def kept(customer: Customer, type: CartType = BULK) -> list[int]:
    rows = CartItem.objects.filter(customer=customer, type=type)
    return list(rows.values_list("amount", flat=True))


@pytest.mark.parametrize(
    ("fields", "asked", "amount", "capped"),
    [
        ({}, 1, 12, False),
        ({}, 12, 12, False),
        ({}, 13, 24, False),
        ({"min_amount": 30}, 1, 36, False),
        ({"units": 30}, 36, 24, True),
        ({"limit_amount": 40}, 48, 36, True),
        ({"is_bulk": False}, 5, 5, False),
    ],
)
def test_the_bulk_cart_holds_whole_cartons(
    customer: Customer, fields: dict[str, Any], asked: int, amount: int, capped: bool
) -> None:
    rice = make_bulk(**fields)
    for change in (set_amount, add_to_cart):
        CartItem.objects.all().delete()
        assert change(customer=customer, type=BULK, product_id=rice.pk, amount=asked) == capped
        assert kept(customer) == [amount]
    CartItem.objects.all().delete()
    assert merge_cart(customer=customer, type=BULK, pushed=[(rice.pk, asked)]).capped == capped
    assert kept(customer) == [amount]


def test_added_cartons_add_up_and_the_ordinary_cart_holds_single_units(customer: Customer) -> None:
    rice = make_bulk()
    for _ in range(2):
        add_to_cart(customer=customer, type=BULK, product_id=rice.pk, amount=5)
        add_to_cart(customer=customer, type=MINE, product_id=rice.pk, amount=5)
    assert (kept(customer), kept(customer, MINE)) == ([24], [10])


def test_less_than_a_carton_in_stock_cannot_be_bought_by_the_carton(customer: Customer) -> None:
    rice = make_bulk(11)
    with pytest.raises(ShopError) as refusal:
        add_to_cart(customer=customer, type=BULK, product_id=rice.pk, amount=12)
    assert refusal.value.err == Err.stock_insufficient
    assert kept(customer) == []


def test_a_line_costs_what_its_amount_costs_in_either_cart(
    customer: Customer, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for amount in (12, 24, 60):
        set_amount(customer=customer, type=BULK, product_id=make_bulk().pk, amount=amount)
    with django_assert_num_queries(4):
        lines = cart_out(customer, BULK)
    assert [line["memberPrice"] for line in lines] == [Decimal(4), Decimal("4.50"), Decimal(5)]
    assert [line["unitPrice"] for line in lines] == [Decimal("0.80"), Decimal("0.90"), Decimal("1.00")]
    assert lines[0]["cartonSize"] == lines[0]["minAmount"] == 12
    assert lines[0]["priceTiers"] == [
        {"fromAmount": 1, "price": Decimal("5.00")},
        {"fromAmount": 24, "price": Decimal("4.50")},
        {"fromAmount": 60, "price": Decimal("4.00")},
    ]
    set_amount(customer=customer, type=MINE, product_id=make_bulk().pk, amount=25)
    line = cart_out(customer, MINE)[0]
    assert (line["memberPrice"], line["cartonSize"], line["minAmount"]) == (Decimal("4.50"), 1, 1)


@pytest.mark.parametrize(
    ("ordered", "mine", "bulk"),
    [(24, [5], []), (5, [], [24]), (29, [], []), (3, [2], [24]), (8, [], [21])],
)
def test_ordered_units_leave_the_cart_they_fit(
    customer: Customer, ordered: int, mine: list[int], bulk: list[int]
) -> None:
    rice = make_bulk()
    set_amount(customer=customer, type=BULK, product_id=rice.pk, amount=24)
    set_amount(customer=customer, type=MINE, product_id=rice.pk, amount=5)
    take_out_ordered(customer=customer, units_by_product={rice.pk: ordered})
    assert (kept(customer, MINE), kept(customer)) == (mine, bulk)
