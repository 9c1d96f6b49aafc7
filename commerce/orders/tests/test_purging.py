from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone

from catalog.promotions.models import PromotionItem
from catalog.promotions.tests.builders import make_promotion
from commerce.orders.models import Order, PromotionUse, Trade
from commerce.orders.purging import delete_unused_shares
from commerce.orders.services import cancel_order
from commerce.orders.tasks import purge_orders
from commerce.orders.tests.builders import Buyer, audit, make_stocked, nothing_changes, promoted
from core.tests.threads import before_commit

pytestmark = pytest.mark.django_db


def test_a_code_without_an_order_is_deleted_a_day_after_its_end_and_one_with_an_order_stays() -> None:
    buyer, rice = Buyer(), make_stocked()
    body = buyer.body((rice, 1))
    placed = buyer.send("POST", "/order", body)
    unused = buyer.body((rice, 1))
    start = timezone.now()
    with time_machine.travel(start + timedelta(hours=25)):
        with nothing_changes():
            purge_orders()
        assert buyer.send("POST", "/order", unused)["reason"] == "order_timeout"
    with time_machine.travel(start + timedelta(hours=27)):
        purge_orders()
        assert Trade.objects.get().order == Order.objects.get()
        assert buyer.send("POST", "/order", body) == placed
        assert buyer.send("POST", "/order", unused)["reason"] == "parameter_error"


def test_a_share_of_an_old_promotion_is_deleted_where_nothing_is_taken() -> None:
    rice, shares = make_stocked(), []
    for _ in range(2):
        promotion = make_promotion((rice, "1.00"))
        for is_canceled in (True, False):
            buyer = Buyer()
            order_no = buyer.order(actionGoods=promoted(promotion, (rice, 1)))["result"]["orderNo"]
            if is_canceled:
                cancel_order(customer=buyer.customer, order_no=order_no)
        shares.append(PromotionItem.objects.get(promotion=promotion))
    old, running = shares
    old.promotion.starts_at -= timedelta(days=40)
    old.promotion.ends_at -= timedelta(days=31)
    old.promotion.save()
    purge_orders()
    amounts = PromotionUse.objects.order_by("item", "amount").values_list("item", "amount")
    assert list(amounts) == [(old.pk, 1), (running.pk, 0), (running.pk, 1)]
    audit()


@pytest.mark.django_db(transaction=True)
def test_a_share_that_a_late_payment_takes_again_as_it_is_deleted_stays() -> None:
    promotion = make_promotion((make_stocked(), "1.00"))
    promotion.starts_at -= timedelta(days=40)
    promotion.ends_at -= timedelta(days=31)
    promotion.save()
    customer, item = Buyer().customer, PromotionItem.objects.get()
    share = PromotionUse.objects.create(customer=customer, item=item)

    def take_again() -> None:
        PromotionUse.objects.filter(pk=share.pk).update(amount=2)

    assert before_commit(take_again, delete_unused_shares) == [None, 0]
    assert PromotionUse.objects.get().amount == 2
