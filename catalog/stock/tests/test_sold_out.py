"""`Product.sold_out` always agrees with the stock, since the indexes of lists read it."""

import time
from collections.abc import Callable
from io import StringIO

import pytest
from django.core.management import call_command
from django.db import connection, transaction
from django.test import Client
from django.urls import reverse

from catalog.goods.models import Product
from catalog.goods.tests.builders import make_product
from catalog.goods.writing import save_product, save_products, update_products
from catalog.stock.models import Location, StockLevel, StockMovement
from catalog.stock.services import receive, release, reserve, save_location
from catalog.stock.soldout import update_sold_out, with_wrong_sold_out
from catalog.stock.tests.builders import make_location, stock
from core.protected import DirectWriteError, writable
from core.tests.rows import stored
from core.tests.threads import concurrently

pytestmark = [pytest.mark.both_databases, pytest.mark.django_db]


def is_sold_out(product: Product) -> bool:
    return Product.objects.get(pk=product.pk).sold_out


def test_stock_decides_what_is_sold_out() -> None:
    product = make_product(min_amount=3)
    assert is_sold_out(product)
    location = stock(product, 2).location
    assert is_sold_out(product)
    stock(product, 1)
    assert not is_sold_out(product)
    reserve(location=location, units_by_product={product.pk: 1}, reference="A1")
    assert is_sold_out(product)
    release(references=["A1"])
    assert not is_sold_out(product)


def test_stock_in_a_shop_fills_no_delivery() -> None:
    product = make_product()
    shop = stock(product, 5, make_location()).location
    assert is_sold_out(product)
    shop.fills_deliveries = True
    save_location(shop)
    assert not is_sold_out(product)
    shop.fills_deliveries = False
    save_location(shop)
    assert is_sold_out(product)


def test_a_location_is_written_by_its_functions_only() -> None:
    product = make_product()
    shop = stock(product, 5, make_location()).location
    shop.fills_deliveries = True
    for write in (
        shop.save,
        shop.delete,
        lambda: Location.objects.update(fills_deliveries=True),
        lambda: Location.objects.create(code="x"),
    ):
        with pytest.raises(DirectWriteError, match="save_location"), transaction.atomic():
            write()
    assert not Location.objects.filter(fills_deliveries=True).exists()
    assert is_sold_out(product)


def test_staff_create_change_and_delete_locations(staff: Client) -> None:
    product = make_product()
    shop, empty = stock(product, 5, make_location()).location, make_location()
    names = {"code": shop.code, "name_en": "Warehouse", "name_zh": "仓库"}
    answer = staff.post(reverse("stock_locations:edit", args=[shop.pk]), names | {"fills_deliveries": "on"})
    assert answer.status_code == 302
    assert not is_sold_out(product)
    assert staff.post(reverse("stock_locations:add"), names | {"code": "new"}).status_code == 302
    for location in (shop, empty):
        staff.post(reverse("stock_locations:delete", args=[location.pk]))
    # A location with stock is not deleted.
    assert set(Location.objects.values_list("code", flat=True)) == {shop.code, "new"}


WAYS: dict[str, Callable[[Product], object]] = {
    "save": save_product,
    "save some fields": lambda product: save_product(product, ["min_amount"]),
    "update": lambda product: update_products(
        Product.objects.filter(pk=product.pk), min_amount=product.min_amount
    ),
    "save together": lambda product: save_products([product], ["min_amount"]),
}


def test_the_minimum_amount_decides_too(subtests: pytest.Subtests) -> None:
    product = make_product()
    stock(product, 4)
    product.refresh_from_db()
    for way, write in WAYS.items():
        with subtests.test(msg=way):
            product.min_amount = 5
            write(product)
            assert is_sold_out(product)
            product.min_amount = 4
            write(product)
            assert not is_sold_out(product)


def test_saving_a_stale_product_undoes_no_sale() -> None:
    product = make_product()
    stock(product, 4)
    update_products(Product.objects.filter(pk=product.pk), units_sold=7)
    assert (product.sold_out, product.units_sold) == (True, 0)
    product.name_en = "Renamed"
    save_product(product)
    assert stored(product, "name_en", "sold_out", "units_sold") == ("Renamed", False, 7)


def test_the_audit_names_products_wrongly_marked_as_sold_out() -> None:
    product = make_product()
    call_command("audit", stdout=StringIO())
    update_products(Product.objects.filter(pk=product.pk), sold_out=False)
    printed = StringIO()
    with pytest.raises(SystemExit):
        call_command("audit", stdout=printed)
    assert f"product {product.pk}: is not marked as sold out" in printed.getvalue()


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("has_level", [True, False])
def test_stock_and_minimum_amount_may_change_at_the_same_time(has_level: bool) -> None:
    location = make_location(fills_deliveries=True)
    products = [make_product(min_amount=1 if has_level else 9) for _ in range(4)]
    if has_level:
        for product in products:
            stock(product, 5, location)

    def change(number: int) -> None:
        product = products[number // 2]
        with transaction.atomic():
            if number % 2:
                update_products(Product.objects.filter(pk=product.pk), min_amount=3)
            elif has_level:
                reserve(location=location, units_by_product={product.pk: 3}, reference=f"A{number}")
            else:
                receive(
                    location=location, units_by_product={product.pk: 5}, reason=StockMovement.Reason.counted
                )
            time.sleep(0.05)

    assert concurrently(change, range(8)) == [None] * 8
    assert not with_wrong_sold_out(Product.objects.all()).exists()
    assert set(Product.objects.values_list("min_amount", "sold_out")) == {(3, has_level)}


@pytest.mark.django_db(transaction=True)
def test_control_without_the_row_lock_postgresql_leaves_sold_out_wrong() -> None:
    product = make_product()
    location = stock(product, 5).location

    def change(number: int) -> None:
        with transaction.atomic():
            if number:
                StockLevel.objects.filter(location=location).update(reserved=3)
            else:
                # As `update_products` writes it, but without the row lock on the stock.
                writable(Product.objects.all()).update(min_amount=3)
            update_sold_out([product.pk])
            time.sleep(0.1)

    concurrently(change, range(2))
    is_wrong = with_wrong_sold_out(Product.objects.all()).exists()
    assert is_wrong is (connection.vendor == "postgresql")
    assert Location.objects.count() == 1
