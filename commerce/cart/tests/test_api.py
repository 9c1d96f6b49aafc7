import json
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from pytest_django import DjangoAssertNumQueries, Settings
from wagtail.images.models import AbstractImage
from wagtail.models import Collection

from catalog.goods.models import Product
from catalog.goods.tests.builders import make_category, make_product, make_products
from catalog.goods.writing import update_products
from catalog.stock.tests.builders import make_stocked, stock_all
from commerce.accounts.models import Customer
from commerce.accounts.tests.builders import auth_headers, make_customer
from commerce.cart import services
from commerce.cart.limits import MAX_UNITS
from commerce.cart.models import CartItem
from core.pictures.renditions import make_renditions, picture_url
from core.tests.pictures import make_picture
from core.tests.rows import rolled_back

pytestmark = pytest.mark.django_db

CART = "/api/v1/pc/shoppingCart"
PUSH = "/api/v1/pc/shoppingcartUpdate"


class Caller:
    """A customer at the API."""

    def __init__(self, customer: Customer) -> None:
        self.customer = customer
        self.client = Client(headers=auth_headers(customer))

    def send(self, method: str, path: str, body: object = None) -> dict[str, Any]:
        data = "" if body is None else json.dumps(body)
        response = self.client.generic(method, path, data, "application/json")
        assert response.status_code == 200
        answer: dict[str, Any] = response.json()
        return answer

    def add(self, product: Product, amount: object = 1) -> dict[str, Any]:
        return self.send("POST", CART, {"goodsId": product.pk, "goodsAmount": amount})

    def put(self, product: Product, amount: object) -> dict[str, Any]:
        return self.send("PUT", CART, {"goodsId": product.pk, "goodsAmount": amount})

    def push(self, *lines: tuple[Product, object]) -> dict[str, Any]:
        return self.send("POST", PUSH, [{"goodsId": p.pk, "goodsAmount": amount} for p, amount in lines])


def amounts(body: dict[str, Any]) -> list[tuple[int, int]]:
    return [(item["goodsId"], item["goodsAmount"]) for item in body["result"]["list"]]


def items_of(caller: Caller, type: str = "DirectMailCart") -> list[tuple[int, int]]:
    rows = CartItem.objects.filter(customer=caller.customer, type=type)
    return list(rows.values_list("product_id", "amount"))


def test_an_item_has_every_field_of_the_contract(caller: Caller) -> None:
    product = make_stocked(
        8,
        name_zh="茶",
        name_en="Tea",
        price=Decimal("3.45"),
        pack="250 g",
        pack_zh="250 克",
        net_weight=250,
        storage="chilled",
        is_advance=True,
    )
    assert caller.add(product, "2") == {
        "code": 0,
        "msg": "",
        "reason": None,
        "result": {
            "list": [
                {
                    "goodsId": product.pk,
                    "goodsName": "茶",
                    "goodsEnglishName": "Tea",
                    "goodsImgUrl": None,
                    "goodsAmount": 2,
                    "goodsStockAmount": 8,
                    "memberPrice": 3.45,
                    "isSelf": "0",
                    "isAdvance": "1",
                    "expectedDate": None,
                    "checked": False,
                    "netWeight": 250,
                    "storage": "chilled",
                    "pack": "250 g",
                    "packZh": "250 克",
                    "unitPrice": 1.38,
                    "unitPriceMeasure": "100g",
                    "available": True,
                    "minAmount": 1,
                    "limitAmount": 0,
                    "cartonSize": 1,
                    "priceTiers": [],
                }
            ]
        },
    }


def test_new_products_are_listed_first_and_a_raised_amount_keeps_its_position(caller: Caller) -> None:
    tea, rice = make_stocked(), make_stocked()
    caller.add(tea, 1)
    assert amounts(caller.add(rice, 2)) == [(rice.pk, 2), (tea.pk, 1)]
    assert amounts(caller.add(tea, 3)) == [(rice.pk, 2), (tea.pk, 4)]
    assert amounts(caller.put(tea, 2)) == [(rice.pk, 2), (tea.pk, 2)]
    assert amounts(caller.send("GET", CART)) == [(rice.pk, 2), (tea.pk, 2)]


def test_removing_deletes_one_product_and_succeeds_for_a_missing_one(caller: Caller) -> None:
    tea, rice = make_stocked(), make_stocked()
    caller.push((tea, 1), (rice, 1))
    for _ in range(2):
        assert amounts(caller.send("DELETE", f"{CART}/{tea.pk}")) == [(rice.pk, 1)]
    assert amounts(caller.send("DELETE", f"{CART}/999999999")) == [(rice.pk, 1)]


def test_removing_an_invalid_id_is_a_goods_error(caller: Caller, subtests: pytest.Subtests) -> None:
    for goods_id in ("abc", "0", "-1", "1.5", "9" * 30, "１"):
        with subtests.test(goods_id=goods_id):
            body = caller.send("DELETE", f"{CART}/{goods_id}")
            assert (body["code"], body["reason"]) == (1002, "goods_error")


def test_amounts_are_capped_at_what_can_be_bought(caller: Caller, subtests: pytest.Subtests) -> None:
    for units, limit, most in (
        (5, 0, 5),
        (5, 3, 3),
        (3, 5, 3),
        (2**31 - 1, 0, 200),
        (2**31 - 1, 2**31 - 1, MAX_UNITS),
    ):
        with subtests.test(units=units, limit=limit, most=most), rolled_back():
            tea = make_stocked(units, limit_amount=limit)
            noted = (0, "超出最大可购买数量", "amount_above_limit")

            body = caller.put(tea, most + 1)
            assert (body["code"], body["msg"], body["reason"]) == noted
            assert amounts(body) == [(tea.pk, most)]

            assert caller.put(tea, most)["reason"] is None
            assert caller.put(tea, most - 1)["reason"] is None
            body = caller.add(tea, 2**31 - 1)
            assert (body["code"], body["msg"], body["reason"]) == noted
            assert amounts(body) == [(tea.pk, most)]


def test_amounts_are_raised_to_the_minimum_with_a_warning(caller: Caller) -> None:
    carton = make_stocked(20, min_amount=6)
    raised = (0, "数量已按起购量或整箱调整", "amount_rounded_up")
    for send, amount, kept_amount, note in (
        (caller.add, 2, 6, raised),
        (caller.add, 1, 7, (0, "", None)),
        (caller.put, 1, 6, raised),
    ):
        body = send(carton, amount)
        assert amounts(body) == [(carton.pk, kept_amount)]
        assert (body["code"], body["msg"], body["reason"]) == note


def test_reserved_units_cannot_be_bought(caller: Caller) -> None:
    tea = make_stocked(5)
    tea.stock_levels.update(reserved=4)
    assert amounts(caller.add(tea, 2)) == [(tea.pk, 1)]


def test_a_product_of_which_nothing_can_be_bought_is_refused(
    caller: Caller, subtests: pytest.Subtests
) -> None:
    for product in ({"units": 0}, {"units": 5, "min_amount": 6}):
        for method in ("POST", "PUT"):
            with subtests.test(product=product, method=method), rolled_back():
                tea = make_stocked(**product)
                body = caller.send(method, CART, {"goodsId": tea.pk, "goodsAmount": 1})
                assert (body["code"], body["reason"], body["result"]) == (1, "stock_insufficient", None)
                assert items_of(caller) == []


def test_a_refused_change_changes_nothing(caller: Caller, subtests: pytest.Subtests) -> None:
    tea = make_stocked()
    caller.add(tea, 3)
    for method in ("POST", "PUT"):
        for change, reason, code in (
            ({"goodsAmount": 0}, "amount_below_one", 1002),
            ({"goodsAmount": "-1"}, "amount_below_zero", 1002),
            ({"goodsAmount": None}, "parameter_error", 1002),
            ({"goodsAmount": True}, "parameter_error", 1002),
            ({"goodsAmount": 1.5}, "parameter_error", 1002),
            ({"goodsAmount": "two"}, "parameter_error", 1002),
            ({"goodsAmount": 10**20}, "parameter_error", 1002),
            ({"goodsAmount": -(10**20)}, "parameter_error", 1002),
            ({"goodsAmount": [1]}, "parameter_error", 1002),
            ({"goodsId": 999_999_999}, "goods_error", 1002),
            ({"goodsId": "tea"}, "goods_error", 1002),
            ({"goodsId": None}, "goods_error", 1002),
            ({"goodsId": 0}, "goods_error", 1002),
            ({"goodsId": 2**63}, "goods_error", 1002),
            ({"goodsId": {"pk": 1}}, "goods_error", 1002),
            ({"goodsId": "\x00"}, "parameter_error", 1002),
            ({"type": "ActionCart"}, "parameter_error", 1002),
            ({"extra": "\ud800"}, "parameter_error", 1002),
            ({"extra": float("nan")}, "parameter_error", 1002),
        ):
            with subtests.test(method=method, change=change, reason=reason, code=code):
                body = caller.send(method, CART, {"goodsId": tea.pk, "goodsAmount": 1} | change)
                assert (body["code"], body["reason"], body["result"]) == (code, reason, None)
                assert items_of(caller) == [(tea.pk, 3)]


def test_products_not_on_sale_are_refused(caller: Caller, subtests: pytest.Subtests) -> None:
    tea = make_stocked(on_sale=False)
    for method in ("POST", "PUT"):
        with subtests.test(method=method):
            body = caller.send(method, CART, {"goodsId": tea.pk, "goodsAmount": 1})
            assert (body["code"], body["reason"]) == (1, "goods_off_shelf")
            assert items_of(caller) == []


def test_a_missing_field_is_named(caller: Caller, subtests: pytest.Subtests) -> None:
    body = {"goodsId": make_stocked().pk, "goodsAmount": 1}
    for missing in ("goodsId", "goodsAmount"):
        with subtests.test(missing=missing):
            sent = {name: value for name, value in body.items() if name != missing}
            answer = caller.send("POST", CART, sent)
            assert (answer["code"], answer["fields"]) == (1002, {missing: "parameter_error"})


def test_items_that_can_no_longer_be_bought_stay_and_are_marked(caller: Caller) -> None:
    gone, sold = make_stocked(), make_stocked()
    caller.push((gone, 2), (sold, 3))
    update_products(Product.objects.filter(pk=gone.pk), on_sale=False)
    sold.stock_levels.update(on_hand=0)
    items = caller.send("GET", CART)["result"]["list"]
    assert [(item["goodsAmount"], item["available"]) for item in items] == [(2, False), (3, False)]
    assert items[1]["goodsStockAmount"] == 0


def test_a_product_that_was_never_stocked_is_sold_out(caller: Caller) -> None:
    assert caller.add(make_product())["reason"] == "stock_insufficient"


def test_clearing_empties_one_cart_of_one_customer_and_succeeds_again(caller: Caller) -> None:
    tea, rice = make_stocked(), make_stocked()
    other = Caller(make_customer())
    for each in (caller, other):
        each.push((tea, 2), (rice, 1))
    caller.send("POST", f"{CART}?type=BulkCart", {"goodsId": tea.pk, "goodsAmount": 3})
    for _ in range(2):
        body = caller.send("DELETE", CART)
        assert (body["code"], body["result"]) == (0, {"list": []})
    assert items_of(caller) == []
    assert items_of(caller, "BulkCart") == [(tea.pk, 3)]
    assert len(items_of(other)) == 2
    caller.send("DELETE", f"{CART}?type=BulkCart")
    assert items_of(caller, "BulkCart") == []


def test_two_carts_and_two_customers_are_separate(caller: Caller) -> None:
    tea = make_stocked()
    other = Caller(make_customer())
    other.add(tea, 9)
    caller.add(tea, 1)
    in_query = caller.send("POST", f"{CART}?type=BulkCart", {"goodsId": tea.pk, "goodsAmount": 2})
    assert amounts(in_query) == [(tea.pk, 2)]
    in_body = caller.send("PUT", CART, {"goodsId": tea.pk, "goodsAmount": 4, "type": "BulkCart"})
    assert amounts(in_body) == [(tea.pk, 4)]
    assert amounts(caller.send("GET", CART)) == [(tea.pk, 1)]
    caller.send("DELETE", f"{CART}/{tea.pk}")
    assert amounts(caller.send("GET", f"{CART}?type=BulkCart")) == [(tea.pk, 4)]
    assert amounts(caller.send("DELETE", f"{CART}/{tea.pk}?type=BulkCart")) == []
    assert items_of(other) == [(tea.pk, 9)]


CALLS = (
    ("GET", CART),
    ("POST", CART),
    ("PUT", CART),
    ("DELETE", f"{CART}/1"),
    ("DELETE", CART),
    ("POST", PUSH),
)


def test_an_unknown_type_of_cart_is_a_parameter_error(caller: Caller, subtests: pytest.Subtests) -> None:
    tea = make_stocked()
    line = {"goodsId": tea.pk, "goodsAmount": 1}
    for method, path in CALLS:
        for type in ("ActionCart", "", "directmailcart", "%00"):
            with subtests.test(method=method, path=path, type=type):
                body = {"POST": [line] if path == PUSH else line, "PUT": line}.get(method)
                answer = caller.send(method, f"{path}?type={type}", body)
                assert (answer["code"], answer["fields"]) == (1002, {"type": "parameter_error"})
                assert items_of(caller) == []


def test_a_cart_needs_a_login(client: Client, subtests: pytest.Subtests) -> None:
    for method, path in CALLS:
        with subtests.test(method=method, path=path):
            response = client.generic(method, path, "{}", content_type="application/json")
            assert (response.status_code, response.json()["reason"]) == (401, "login_required")
            dead = client.generic(method, path, "{}", "application/json", headers={"token": "dead"})
            assert (dead.status_code, dead.json()["code"]) == (200, 1001)


def test_a_full_cart_takes_more_of_its_products_and_no_other(
    caller: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(services, "MAX_PRODUCTS", 3)
    products = make_products(4)
    stock_all(products, 20)
    CartItem.objects.bulk_create(
        CartItem(customer=caller.customer, product=product, amount=1) for product in products[:-1]
    )
    body = caller.add(products[-1])
    assert (body["code"], body["reason"]) == (1, "amount_above_limit")
    assert len(amounts(caller.add(products[0]))) == 3
    assert CartItem.objects.get(product=products[0]).amount == 2


def test_an_item_shows_its_picture_which_is_made_once(
    caller: Caller, settings: Settings, tmp_path: Path, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    settings.MEDIA_ROOT = tmp_path
    picture = make_picture()
    (item,) = caller.add(make_stocked(picture=picture))["result"]["list"]
    assert item["goodsImgUrl"] == picture_url(picture)
    assert item["goodsImgUrl"].startswith("/media/")
    with django_assert_num_queries(2):
        caller.send("GET", CART)
    assert picture.renditions.count() == 1


@pytest.mark.django_db(transaction=True)
def test_a_picture_is_made_when_no_row_is_locked(
    caller: Caller, settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.MEDIA_ROOT = tmp_path
    if not Collection.objects.exists():
        # Another test that commits has emptied the tables.
        Collection.add_root(name="Root")
    products = [make_stocked(picture=make_picture()) for _ in range(3)]
    locked: list[bool] = []
    make = AbstractImage.get_rendition

    def note_and_make(self: AbstractImage, spec: Any) -> Any:
        locked.append(connection.in_atomic_block)
        return make(self, spec)

    monkeypatch.setattr(AbstractImage, "get_rendition", note_and_make)
    caller.add(products[0])
    caller.put(products[1], 2)
    caller.push((products[2], 1))
    assert locked == [False] * 3


def test_the_unit_price_follows_the_rule_of_the_category_or_the_one_above(
    caller: Caller, subtests: pytest.Subtests
) -> None:
    for above, own, price, measure in (
        ("", "", 0.8, "100g"),
        ("per_kg", "", 8.0, "kg"),
        ("per_kg", "standard", 0.8, "100g"),
        ("", "per_kg", 8.0, "kg"),
        ("exempt", "", None, None),
        (None, "per_kg", 8.0, "kg"),
        (None, "", 0.8, "100g"),
    ):
        with subtests.test(above=above, own=own, price=price, measure=measure), rolled_back():
            parent = None if above is None else make_category(unit_rule=above)
            category = make_category(parent=parent, unit_rule=own)
            rice = make_stocked(category=category, pack="500 g", price=Decimal("4.00"))
            (item,) = caller.add(rice)["result"]["list"]
            assert (item["unitPrice"], item["unitPriceMeasure"]) == (price, measure)
            batch = caller.send("POST", "/api/v1/pc/goods/batch", {"goodsIds": [rice.pk]})
            (of_batch,) = batch["result"]["list"]
            assert (of_batch["unitPrice"], of_batch["unitPriceMeasure"]) == (price, measure)


def test_prices_stock_and_sale_are_those_of_the_moment(caller: Caller, settings: Settings) -> None:
    settings.SNAPSHOT_SECONDS = 60
    tea = make_stocked(price=Decimal("4.00"))
    caller.add(tea, 3)
    update_products(Product.objects.filter(pk=tea.pk), price=Decimal("3.50"))
    tea.stock_levels.update(on_hand=2)
    (item,) = caller.send("GET", CART)["result"]["list"]
    assert (item["memberPrice"], item["goodsStockAmount"], item["available"]) == (3.5, 2, True)
    update_products(Product.objects.filter(pk=tea.pk), on_sale=False)
    (item,) = caller.send("GET", CART)["result"]["list"]
    assert not item["available"]


def test_the_answer_to_a_change_is_the_cart_as_it_is_listed_then(caller: Caller) -> None:
    tea, rice, soy, oil, salt = (make_stocked(is_bulk=True, carton_size=6) for _ in range(5))
    changes: list[Callable[[], dict[str, Any]]] = [
        lambda: caller.add(tea, 2),
        lambda: caller.put(rice, 30),
        lambda: caller.add(tea),
        lambda: caller.push((soy, 1), (tea, 7), (oil, 40)),
        lambda: caller.put(rice, 4),
        lambda: caller.send("DELETE", f"{CART}/{soy.pk}"),
        lambda: caller.push((salt, 1), (oil, 2), (rice, 3)),
    ]
    for change in changes:
        answered = change()["result"]
        answered.pop("removed", None)
        assert answered == caller.send("GET", CART)["result"]
    assert amounts(caller.send("GET", CART)) == [(salt.pk, 1), (oil.pk, 2), (rice.pk, 3), (tea.pk, 7)]


def statements_of(caller: Caller, method: str, path: str, body: object) -> list[str]:
    """Return what a call sends to the database, without the savepoint in the place of its transaction."""
    sent: list[str] = []

    def note(execute: Callable[..., Any], sql: str, *rest: Any) -> Any:
        if not sql.startswith(("SAVEPOINT", "RELEASE")):
            sent.append(sql)
        return execute(sql, *rest)

    with connection.execute_wrapper(note):
        caller.send(method, path, body)
    return sent


def test_a_cart_of_any_size_takes_the_same_few_statements(
    settings: Settings, tmp_path: Path, subtests: pytest.Subtests
) -> None:
    settings.MEDIA_ROOT = tmp_path
    for level, is_bulk, of_prices in ((1, False, 0), (1, True, 1), (3, True, 1)):
        with subtests.test(level=level, is_bulk=is_bulk, of_prices=of_prices), rolled_back():
            caller = Caller(make_customer(level_id=level))
            picture = make_picture()
            make_renditions(picture)
            new = make_stocked(picture=picture)
            line = {"goodsId": new.pk, "goodsAmount": 1}
            for size in (10, 100):
                CartItem.objects.all().delete()
                products = make_products(size, is_bulk=is_bulk, picture=picture)
                stock_all(products, 20)
                pushed = [{"goodsId": product.pk, "goodsAmount": 1} for product in products]
                caller.send("POST", PUSH, pushed)
                for statements, method, path, body in (
                    (2, "GET", CART, None),
                    (3, "POST", CART, line),
                    (3, "POST", CART, line),
                    (3, "PUT", CART, line),
                    (3, "DELETE", f"{CART}/{new.pk}", None),
                    (3, "PUT", CART, line),
                    (3, "POST", PUSH, [*pushed[:9], line]),
                ):
                    # The statement that locks the customer's row also checks that the account is not deleted.
                    of_lock = method != "GET"
                    asked = statements_of(caller, method, path, body)
                    assert len(asked) == statements + of_prices + of_lock


def test_a_product_is_put_back_where_it_was(caller: Caller) -> None:
    first, middle, last, other = (make_stocked() for _ in range(4))
    for product in (last, middle, first):
        caller.add(product)
    before = amounts(caller.send("GET", CART))
    for method in ("POST", "PUT"):
        caller.send("DELETE", f"{CART}/{middle.pk}")
        body = {"goodsId": middle.pk, "goodsAmount": 1, "after": first.pk}
        assert amounts(caller.send(method, CART, body)) == before
        assert amounts(caller.send("GET", CART)) == before
    caller.send("DELETE", f"{CART}/{last.pk}")
    body = {"goodsId": last.pk, "goodsAmount": 1, "after": middle.pk}
    assert amounts(caller.send("POST", CART, body)) == before
    body = {"goodsId": other.pk, "goodsAmount": 2, "after": make_product().pk}
    assert amounts(caller.send("POST", CART, body)) == [(other.pk, 2), *before]
    body = {"goodsId": middle.pk, "goodsAmount": 3, "after": last.pk}
    assert amounts(caller.send("PUT", CART, body))[2] == (middle.pk, 3)
    refused = caller.send("PUT", CART, {"goodsId": middle.pk, "goodsAmount": 1, "after": "first"})
    assert (refused["code"], items_of(caller)[2]) == (1002, (middle.pk, 3))
