"""Lists read `Product.sold_out` from their indexes: it must be what the stock says, whoever changes what."""

import time
from io import StringIO

import pytest
from django.core.management import call_command
from django.db import connection, transaction

from catalog.goods.models import Product
from catalog.goods.tests.builders import make_product
from catalog.stock.models import Location, StockLevel, StockMovement
from catalog.stock.services import receive, release, reserve
from catalog.stock.tests.builders import make_location, stock
from core.tests.threads import at_once

pytestmark = pytest.mark.django_db


def is_sold_out(product: Product) -> bool:
    return Product.objects.get(pk=product.pk).sold_out


def test_stock_decides_what_is_sold_out() -> None:
    product = make_product(min_amount=3)
    assert is_sold_out(product)
    place = stock(product, 2).location
    assert is_sold_out(product)
    stock(product, 1)
    assert not is_sold_out(product)
    reserve(location=place, units_by_product={product.pk: 1}, reference="A1")
    assert is_sold_out(product)
    release(reference="A1")
    assert not is_sold_out(product)


def test_what_lies_in_a_shop_fills_no_delivery() -> None:
    product = make_product()
    shop = stock(product, 5, make_location()).location
    assert is_sold_out(product)
    shop.fills_deliveries = True
    shop.save()
    assert not is_sold_out(product)
    shop.fills_deliveries = False
    shop.save()
    assert is_sold_out(product)


@pytest.mark.parametrize("way", ["save", "some_fields", "update", "bulk_update"])
def test_the_smallest_amount_decides_too(way: str) -> None:
    product = make_product()
    stock(product, 4)
    product.refresh_from_db()

    def ask_for(amount: int) -> None:
        product.min_amount = amount
        if way == "save":
            product.save()
        elif way == "some_fields":
            product.save(update_fields=["min_amount"])
        elif way == "update":
            Product.objects.filter(pk=product.pk).update(min_amount=amount)
        else:
            Product.objects.bulk_update([product], ["min_amount"])

    ask_for(5)
    assert is_sold_out(product)
    ask_for(4)
    assert not is_sold_out(product)


def test_saving_a_good_read_before_takes_back_no_sale() -> None:
    product = make_product()
    stock(product, 4)
    Product.objects.filter(pk=product.pk).update(units_sold=7)
    assert (product.sold_out, product.units_sold) == (True, 0)
    product.name_en = "Renamed"
    product.save()
    product.refresh_from_db()
    assert (product.name_en, product.sold_out, product.units_sold) == ("Renamed", False, 7)


def test_the_audit_names_goods_that_are_called_sold_out_wrongly() -> None:
    product = make_product()
    call_command("audit", stdout=StringIO())
    Product.objects.filter(pk=product.pk).update(sold_out=False)
    said = StringIO()
    with pytest.raises(SystemExit):
        call_command("audit", stdout=said)
    assert f"good {product.pk}: sold out False" in said.getvalue()


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("has_level", [True, False])
def test_stock_and_smallest_amount_may_change_at_the_same_time(has_level: bool) -> None:
    place = make_location(fills_deliveries=True)
    goods = [make_product(min_amount=1 if has_level else 9) for _ in range(8)]
    if has_level:
        for product in goods:
            stock(product, 5, place)

    def change(number: int) -> None:
        product = goods[number // 2]
        with transaction.atomic():
            if number % 2:
                Product.objects.filter(pk=product.pk).update(min_amount=3)
            elif has_level:
                reserve(location=place, units_by_product={product.pk: 3}, reference=f"A{number}")
            else:
                receive(
                    location=place,
                    units_by_product={product.pk: 5},
                    reason=StockMovement.Reason.counted,
                )
            time.sleep(0.05)

    assert at_once(change, range(16), threads=16) == [None] * 16
    assert not Product.objects.with_untrue_sold_out().exists()
    assert set(Product.objects.values_list("min_amount", "sold_out")) == {(3, has_level)}


@pytest.mark.django_db(transaction=True)
def test_without_holding_the_stock_postgresql_would_leave_it_untrue() -> None:
    product = make_product()
    place = stock(product, 5).location

    def change(number: int) -> None:
        with transaction.atomic():
            if number:
                StockLevel.objects.filter(location=place).update(reserved=3)
            else:
                # As `update` would write it, but that it lets the stock change meanwhile.
                super(type(Product.objects.all()), Product.objects.all()).update(min_amount=3)
            Product.objects.all().tell_sold_out()
            time.sleep(0.1)

    at_once(change, range(2))
    is_untrue = Product.objects.with_untrue_sold_out().exists()
    assert is_untrue is (connection.vendor == "postgresql")
    assert Location.objects.count() == 1
