from itertools import product

import pytest

from catalog.goods.models import Product
from catalog.goods.tests.builders import make_products
from catalog.goods.writing import update_products
from catalog.stock.tests.builders import make_stocked, stock_all
from commerce.accounts.tests.builders import make_customer
from commerce.cart import services
from commerce.cart.models import CartItem
from commerce.cart.tests.test_api import CART, PUSH, Caller, amounts, items_of

pytestmark = pytest.mark.django_db


def test_a_pushed_cart_is_merged_and_its_amounts_win(caller: Caller) -> None:
    mine, both, theirs, theirs_too = (make_stocked() for _ in range(4))
    caller.push((both, 5), (mine, 4))

    body = caller.push((theirs, 1), (both, 2), (theirs_too, 3))

    expected = [(theirs.pk, 1), (theirs_too.pk, 3), (both.pk, 2), (mine.pk, 4)]
    assert amounts(body) == expected
    assert (body["code"], body["reason"], body["result"]["removed"]) == (0, None, [])
    assert amounts(caller.push((theirs, 1), (both, 2), (theirs_too, 3))) == expected


def test_a_push_may_be_wrapped_and_name_its_cart(caller: Caller) -> None:
    tea = make_stocked()
    lines = [{"goodsId": str(tea.pk), "goodsAmount": "2", "checked": True, "goodsName": "茶"}]
    body = caller.send("POST", PUSH, {"list": lines, "type": "BulkCart"})
    assert amounts(body) == [(tea.pk, 2)]
    assert amounts(caller.send("POST", f"{PUSH}?type=BulkCart", lines)) == [(tea.pk, 2)]
    assert items_of(caller, "BulkCart") == [(tea.pk, 2)]
    assert items_of(caller) == []


def test_of_a_product_pushed_twice_the_last_amount_holds_and_an_empty_push_changes_nothing(
    caller: Caller,
) -> None:
    tea = make_stocked()
    for lines in ([(tea, 5), (tea, 2)], []):
        assert amounts(caller.push(*lines)) == [(tea.pk, 2)]


def test_pushed_amounts_are_capped_and_raised(caller: Caller) -> None:
    tea, carton = make_stocked(3), make_stocked(20, min_amount=6)
    body = caller.push((tea, 9), (carton, 1))
    assert amounts(body) == [(tea.pk, 3), (carton.pk, 6)]
    assert (body["code"], body["msg"], body["reason"]) == (0, "超出最大可购买数量", "amount_above_limit")
    body = caller.push((tea, 2), (carton, 1))
    assert amounts(body) == [(tea.pk, 2), (carton.pk, 6)]
    assert (body["code"], body["msg"], body["reason"]) == (0, "数量已按起购量或整箱调整", "amount_rounded_up")


def test_products_that_cannot_be_bought_are_dropped_and_named(caller: Caller) -> None:
    tea, gone = make_stocked(), make_stocked()
    caller.add(gone, 2)
    update_products(Product.objects.filter(pk=gone.pk), on_sale=False)
    unknown = Product(pk=999_999_999)
    body = caller.push((gone, 1), (tea, 1), (unknown, 1))
    assert amounts(body) == [(tea.pk, 1)]
    assert body["result"]["removed"] == [gone.pk, unknown.pk]
    assert body["reason"] is None


def test_sold_out_products_are_dropped_and_named_unless_already_in_the_cart(caller: Caller) -> None:
    new, old = make_stocked(0), make_stocked()
    caller.add(old, 2)
    old.stock_levels.update(on_hand=0)
    for _ in range(2):
        body = caller.push((new, 1), (old, 5))
        assert amounts(body) == [(old.pk, 2)]
        assert body["result"]["removed"] == [new.pk]
        assert body["reason"] == "amount_above_limit"


def test_products_beyond_a_full_cart_are_dropped_and_named(
    caller: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(services, "MAX_PRODUCTS", 3)
    products = make_products(5)
    stock_all(products, 20)
    caller.add(products[-1])
    body = caller.push(*[(product, 1) for product in products[:-1]])
    assert len(amounts(body)) == 3
    assert amounts(body)[0] == (products[0].pk, 1)
    assert body["result"]["removed"] == [product.pk for product in products[-3:-1]]
    assert body["reason"] == "amount_above_limit"


def test_one_wrong_line_refuses_the_whole_push(caller: Caller, subtests: pytest.Subtests) -> None:
    tea = make_stocked()
    caller.add(tea, 3)
    cases: list[tuple[object, str]] = [
        ({"goodsId": 1, "goodsAmount": 0}, "amount_below_one"),
        ({"goodsId": 1, "goodsAmount": -3}, "amount_below_zero"),
        ({"goodsId": 1, "goodsAmount": 10**20}, "parameter_error"),
        ({"goodsId": 1}, "parameter_error"),
        ({"goodsId": "tea", "goodsAmount": 1}, "goods_error"),
        ({"goodsId": 1, "goodsAmount": 1, "x": "\x00"}, "parameter_error"),
        ({"goodsId": 1, "goodsAmount": 1, "x": "\ud800"}, "parameter_error"),
        (7, "parameter_error"),
        ("tea", "parameter_error"),
        (None, "parameter_error"),
        ([], "parameter_error"),
    ]
    for (wrong, reason), is_wrapped in product(cases, (True, False)):
        with subtests.test(wrong=wrong, is_wrapped=is_wrapped):
            lines = [{"goodsId": tea.pk, "goodsAmount": 1}, wrong]
            body = caller.send("POST", PUSH, {"list": lines} if is_wrapped else lines)
            assert (body["code"], body["reason"]) == (1002, reason)
            assert items_of(caller) == [(tea.pk, 3)]


def test_a_push_of_another_shape_is_a_parameter_error(caller: Caller, subtests: pytest.Subtests) -> None:
    for body in ("", "{}", "7", "null", '"x"', "[", '{"list": 7}', "[NaN]", "[" * 900 + "]" * 900):
        with subtests.test(body=body):
            response = caller.client.post(PUSH, body, content_type="application/json")
            assert (response.status_code, response.json()["code"]) == (200, 1002)


def test_a_push_of_too_many_products_is_refused(caller: Caller) -> None:
    body = caller.send("POST", PUSH, [{"goodsId": n, "goodsAmount": 1} for n in range(1, 1002)])
    assert body["reason"] == "parameter_error"


def test_other_customers_carts_are_unchanged(caller: Caller) -> None:
    tea = make_stocked()
    other = Caller(make_customer())
    other.add(tea, 4)
    caller.push((tea, 1))
    update_products(Product.objects.filter(pk=tea.pk), on_sale=False)
    caller.push((tea, 1))
    assert items_of(caller) == []
    assert CartItem.objects.get().customer == other.customer
    assert amounts(other.send("GET", CART)) == [(tea.pk, 4)]
