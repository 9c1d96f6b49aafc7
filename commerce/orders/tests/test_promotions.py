from collections import Counter
from collections.abc import Mapping
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
import time_machine
from django.db import connection
from django.utils import timezone

from catalog.goods.models import PriceTier, Product
from catalog.goods.tests.builders import price_for_level
from catalog.promotions.models import Promotion, PromotionItem
from catalog.promotions.tests.builders import make_promotion, promote
from catalog.stock.models import StockLevel
from commerce.accounts.models import MemberLevel
from commerce.orders.audit import differences
from commerce.orders.models import Order, PromotionUse
from commerce.orders.services import cancel_order, expire_order, mark_paid, promotion_units
from commerce.orders.tests.builders import Answer, Buyer, audit, make_stocked, nothing_changes
from core.errors import Err, ShopError
from core.tests.threads import at_once

pytestmark = pytest.mark.django_db

MOMENT = timedelta(microseconds=1)


@pytest.fixture
def buyer() -> Buyer:
    return Buyer()


def action(promotion: Promotion, *lines: tuple[Product, object]) -> list[dict[str, Any]]:
    return [
        {"actionTypeId": promotion.pk, "goodsId": product.pk, "goodsAmount": amount}
        for product, amount in lines
    ]


def ordered(answer: Answer) -> Order:
    assert answer["code"] == 0, answer
    return Order.objects.get(order_no=answer["result"]["orderNo"])


def reason(answer: Answer) -> str:
    return str(answer.get("reason") or "ok")


def taken() -> list[int]:
    return list(PromotionItem.objects.order_by("pk").values_list("taken", flat=True))


def test_promotion_and_ordinary_prices_apply_in_one_order(buyer: Buyer) -> None:
    rice, tea = make_stocked(price=Decimal("5.00")), make_stocked(price=Decimal("2.00"))
    promotion = make_promotion((rice, "3.50"))

    answer = buyer.order((tea, 2), actionGoods=action(promotion, (rice, 3)))

    assert answer["result"]["orderAmount"] == 14.5
    order = ordered(answer)
    products = buyer.send("GET", f"/order/detailed/{order.order_no}")["result"]["goods"]
    assert [(line["goodsId"], line["price"], line["actionTypeId"]) for line in products] == [
        (tea.pk, 2.0, None),
        (rice.pk, 3.5, promotion.pk),
    ]
    assert taken() == [3]
    assert PromotionUse.objects.get().amount == 3
    audit()


def test_one_product_may_be_bought_at_both_prices(buyer: Buyer) -> None:
    rice = make_stocked(price=Decimal("5.00"))
    promotion = make_promotion((rice, "3.50"))
    order = ordered(buyer.order((rice, 2), actionGoods=action(promotion, (rice, 1))))
    assert order.goods_amount == Decimal("13.50")
    assert StockLevel.objects.get().reserved == 3
    audit()
    cancel_order(customer=buyer.customer, order_no=order.order_no)
    order.refresh_from_db()
    assert mark_paid(order=order, pay_type="0")
    assert (StockLevel.objects.get().reserved, taken()) == (3, [1])
    assert not list(differences())


def test_products_of_a_promotion_may_be_sent_with_the_code(buyer: Buyer) -> None:
    rice = make_stocked()
    products = {"actionGoods": action(make_promotion((rice, "3.50")), (rice, 2))}
    code = buyer.send("POST", "/toTrade", products)["result"]["transactionCode"]
    order = ordered(buyer.order(code=code, orderGoods=None, actionGoods=None))
    assert order.goods_amount == Decimal("7.00")


def test_nobody_pays_more_in_a_promotion_than_without(buyer: Buyer) -> None:
    rice = make_stocked(price=Decimal("5.00"))
    price_for_level(rice, 3, "3.00")
    buyer.customer.level = MemberLevel.objects.get_or_create(number=3)[0]
    buyer.customer.save()
    promotion = make_promotion((rice, "3.50"))
    assert ordered(buyer.order(actionGoods=action(promotion, (rice, 2)))).goods_amount == Decimal("6.00")


def test_bulk_products_have_the_price_tier_of_their_amount(buyer: Buyer) -> None:
    rice = make_stocked(60, price=Decimal("5.00"), is_bulk=True, carton_size=12)
    for amount, price in [(12, "4.50"), (24, "4.00")]:
        PriceTier.objects.create(product=rice, from_amount=amount, price=Decimal(price))
    totals = [ordered(buyer.order((rice, amount))).goods_amount for amount in (11, 12, 24)]
    assert totals == [Decimal("55.00"), Decimal("54.00"), Decimal("96.00")]


def test_price_tiers_apply_to_bulk_products_only(buyer: Buyer) -> None:
    rice = make_stocked(60, price=Decimal("5.00"))
    PriceTier.objects.create(product=rice, from_amount=2, price=Decimal("1.00"))
    assert ordered(buyer.order((rice, 2))).goods_amount == Decimal("10.00")


def test_the_promotion_price_applies_until_just_before_the_end(buyer: Buyer) -> None:
    rice = make_stocked()
    end = timezone.now() + timedelta(hours=1)
    promotion = make_promotion((rice, "3.50"), ends_at=end)
    products = action(promotion, (rice, 1))
    bodies = [buyer.body(actionGoods=products), buyer.body(actionGoods=products)]
    with time_machine.travel(end, tick=False), nothing_changes():
        late = buyer.send("POST", "/order", bodies[0])
        assert (late["reason"], late["fields"]) == ("parameter_error", {"actionTypeId": "parameter_error"})
    with time_machine.travel(end - MOMENT, tick=False):
        ordered(buyer.send("POST", "/order", bodies[1]))


def test_the_promotion_price_does_not_apply_before_the_start_nor_switched_off(buyer: Buyer) -> None:
    rice = make_stocked()
    start = timezone.now() + timedelta(hours=1)
    early = make_promotion((rice, "3.50"), starts_at=start, ends_at=start + timedelta(hours=1))
    off = make_promotion((rice, "3.50"), is_active=False)
    bodies = [buyer.body(actionGoods=action(promotion, (rice, 1))) for promotion in (early, off)]
    with nothing_changes():
        assert [reason(buyer.send("POST", "/order", body)) for body in bodies] == ["parameter_error"] * 2
        early_goods = {"actionGoods": action(early, (rice, 1))}
        assert reason(buyer.send("POST", "/toTrade", early_goods)) == "parameter_error"


def test_a_refusal_of_a_promotion_changes_nothing(buyer: Buyer) -> None:
    rice, tea = make_stocked(), make_stocked()
    promotion, other = make_promotion(), make_promotion((tea, "1.00"))
    promote(promotion, rice, "3.50", quota=5, taken=3, limit_amount=1)
    wrong = {
        "goods_error": action(promotion, (tea, 1)),
        "one_activity_only": action(promotion, (rice, 1)) + action(other, (tea, 1)),
        "amount_above_limit": action(promotion, (rice, 2)),
    }
    bodies = {reason: buyer.body(actionGoods=products) for reason, products in wrong.items()}
    PromotionItem.objects.filter(product=rice).update(taken=3)
    with nothing_changes():
        assert [reason(buyer.send("POST", "/order", body)) for body in bodies.values()] == list(bodies)
    PromotionItem.objects.filter(product=rice).update(limit_amount=0)
    body = buyer.body(actionGoods=action(promotion, (rice, 3)))
    with nothing_changes():
        assert reason(buyer.send("POST", "/order", body)) == "stock_insufficient"


def test_the_limit_of_a_customer_counts_all_orders_and_is_returned_once(buyer: Buyer) -> None:
    rice = make_stocked(50)
    promotion = make_promotion()
    promote(promotion, rice, "3.50", limit_amount=3)
    orders = [ordered(buyer.order(actionGoods=action(promotion, (rice, n)))) for n in (2, 1)]
    products = action(promotion, (rice, 1))
    assert reason(buyer.order(actionGoods=products)) == "amount_above_limit"
    ordered(Buyer().order(actionGoods=products))

    cancel_order(customer=buyer.customer, order_no=orders[0].order_no)
    with pytest.raises(ShopError):
        cancel_order(customer=buyer.customer, order_no=orders[0].order_no)
    Order.objects.filter(pk=orders[1].pk).update(expires_at=timezone.now())
    assert [expire_order(order_id=orders[1].pk) for _ in range(2)] == [True, False]

    assert taken() == [1]
    assert PromotionUse.objects.get(customer=buyer.customer).amount == 0
    audit()
    ordered(buyer.order(actionGoods=action(promotion, (rice, 3))))


def test_a_late_payment_reopens_an_order_only_while_quota_is_left(buyer: Buyer) -> None:
    rice = make_stocked(50)
    promotion = make_promotion()
    promote(promotion, rice, "3.50", quota=2)
    products = action(promotion, (rice, 2))
    first, second = ordered(buyer.order(actionGoods=products)), None
    cancel_order(customer=buyer.customer, order_no=first.order_no)
    second = ordered(buyer.order(actionGoods=products))
    first.refresh_from_db()
    with nothing_changes():
        assert not mark_paid(order=first, pay_type="0")
    cancel_order(customer=buyer.customer, order_no=second.order_no)
    Promotion.objects.update(starts_at=timezone.now() - timedelta(days=2), ends_at=timezone.now())
    assert mark_paid(order=first, pay_type="0")
    assert taken() == [2]
    assert not list(differences())


def test_a_late_payment_reopens_no_order_of_a_product_that_the_promotion_has_lost(buyer: Buyer) -> None:
    rice = make_stocked(50)
    promotion = make_promotion((rice, "3.50"))
    order = ordered(buyer.order(actionGoods=action(promotion, (rice, 2))))
    cancel_order(customer=buyer.customer, order_no=order.order_no)
    promotion.items.all().delete()
    order.refresh_from_db()
    with nothing_changes():
        assert not mark_paid(order=order, pay_type="0")


def test_the_audit_reports_taken_quota_without_an_order() -> None:
    promote(make_promotion(), make_stocked(), "3.50", taken=1)
    assert len(list(differences())) == 1


class Shopper(Buyer):
    """A buyer who already has a code."""

    def __init__(self, buyer: Buyer | None = None) -> None:
        super().__init__(buyer.customer if buyer else None)
        self.code = self.trade()

    def buy(self, products: list[dict[str, Any]]) -> str:
        return reason(self.send("POST", "/order", self.body(code=self.code, actionGoods=products)))


@pytest.mark.django_db(transaction=True)
def test_of_80_buyers_at_once_no_more_than_the_quota_succeed() -> None:
    rice = make_stocked(500)
    promotion = make_promotion()
    promote(promotion, rice, "3.50", quota=10)
    products = action(promotion, (rice, 1))
    outcomes = Counter(at_once(lambda shopper: shopper.buy(products), [Shopper() for _ in range(80)]))
    assert outcomes == {"ok": 10, "stock_insufficient": 70}
    assert taken() == [10]
    audit()


@pytest.mark.django_db(transaction=True)
def test_one_customers_concurrent_orders_do_not_exceed_the_limit() -> None:
    rice, buyer = make_stocked(500), Buyer()
    promotion = make_promotion()
    promote(promotion, rice, "3.50", quota=400, limit_amount=4)
    products = action(promotion, (rice, 1))
    shoppers = [Shopper(buyer) for _ in range(40)]
    assert Counter(at_once(lambda shopper: shopper.buy(products), shoppers)) == {
        "ok": 4,
        "amount_above_limit": 36,
    }
    assert PromotionUse.objects.get().amount == 4
    audit()


def read_check_save(units_by_item: Mapping[int, int]) -> None:
    """Take units of quotas by reading, checking and saving."""
    for pk, units in units_by_item.items():
        item = PromotionItem.objects.get(pk=pk)
        if item.left < units:
            raise ShopError(Err.stock_insufficient)
        PromotionItem.objects.filter(pk=pk).update(taken=item.taken + units)


@pytest.mark.django_db(transaction=True)
def test_control_without_the_condition_postgresql_sells_more_than_the_quota(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(promotion_units, "take_quota", read_check_save)
    rice = make_stocked(500)
    promotion = make_promotion()
    promote(promotion, rice, "3.50", quota=10)
    products = action(promotion, (rice, 1))
    outcomes = Counter(at_once(lambda shopper: shopper.buy(products), [Shopper() for _ in range(120)]))
    if connection.vendor == "postgresql":
        assert outcomes["ok"] > 10
    else:
        # On SQLite a transaction is the only writer from its start, so even this is safe.
        assert outcomes["ok"] == 10
