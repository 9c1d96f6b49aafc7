from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from datetime import timedelta
from decimal import Decimal
from functools import partial
from threading import Barrier

import pytest
import time_machine
from django.contrib.auth.models import User
from django.db import transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from wagtail.users.models import UserProfile

from catalog.goods.models import PriceTier
from catalog.goods.tests.builders import make_product, price_for_level
from catalog.promotions import services, wagtail_hooks
from catalog.promotions.forms import PromotionForm
from catalog.promotions.models import Promotion, PromotionItem
from catalog.promotions.tests.builders import make_promotion, promote
from catalog.promotions.tests.test_backoffice import form
from catalog.stock.models import StockLevel
from commerce.accounts.models import Customer, MemberLevel
from commerce.accounts.tests.builders import make_customer
from commerce.orders.audit import differences
from commerce.orders.models import Order, PromotionUse
from commerce.orders.services import cancel_order, expire_orders, mark_paid, place, promotion_units
from commerce.orders.tests.builders import (
    Answer,
    Buyer,
    audit,
    make_stocked,
    nothing_changes,
    offer,
    ordered,
    promoted,
)
from commerce.orders.tests.shoppers import Shopper
from core.errors import Err, ShopError
from core.tests.races import SHOWS_RACES, only_where_races_show
from core.tests.rows import rolled_back
from core.tests.threads import before_commit, between_check_and_save, concurrently

pytestmark = pytest.mark.django_db

MOMENT = timedelta(microseconds=1)


def reason(answer: Answer) -> str:
    return str(answer.get("reason") or "ok")


def taken() -> list[int]:
    return list(PromotionItem.objects.order_by("pk").values_list("taken", flat=True))


def test_promotion_and_ordinary_prices_apply_in_one_order(buyer: Buyer) -> None:
    rice, tea = make_stocked(price=Decimal("5.00")), make_stocked(price=Decimal("2.00"))
    promotion = make_promotion((rice, "3.50"))

    answer = buyer.order((tea, 2), actionGoods=promoted(promotion, (rice, 3)))

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
    order = ordered(buyer.order((rice, 2), actionGoods=promoted(promotion, (rice, 1))))
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
    products = {"actionGoods": promoted(make_promotion((rice, "3.50")), (rice, 2))}
    code = buyer.send("POST", "/toTrade", products)["result"]["transactionCode"]
    order = ordered(buyer.order(code=code, orderGoods=None, actionGoods=None))
    assert order.goods_amount == Decimal("7.00")


def test_no_customer_pays_more_in_a_promotion_than_without(buyer: Buyer) -> None:
    rice = make_stocked(price=Decimal("5.00"))
    price_for_level(rice, 3, "3.00")
    gold = MemberLevel.objects.get_or_create(number=3)[0]
    Customer.objects.filter(pk=buyer.customer.pk).update(level=gold)
    promotion = make_promotion((rice, "3.50"))
    assert ordered(buyer.order(actionGoods=promoted(promotion, (rice, 2)))).goods_amount == Decimal("6.00")


def test_a_price_tier_follows_from_all_units_in_a_promotion_and_out_of_it(
    buyer: Buyer, subtests: pytest.Subtests
) -> None:
    rice = make_stocked(60, price=Decimal("10.00"), is_bulk=True)
    PriceTier.objects.create(product=rice, from_amount=12, price=Decimal("8.00"))
    for ordinary, in_promotion, total in ((6, 6, "96"), (0, 12, "96"), (6, 5, "105")):
        with subtests.test(ordinary=ordinary, in_promotion=in_promotion, total=total), rolled_back():
            products = promoted(make_promotion((rice, "9.00")), (rice, in_promotion))
            lines = [(rice, ordinary)] if ordinary else []
            assert ordered(buyer.order(*lines, actionGoods=products)).goods_amount == Decimal(total)


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
    products = promoted(promotion, (rice, 1))
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
    bodies = [buyer.body(actionGoods=promoted(promotion, (rice, 1))) for promotion in (early, off)]
    with nothing_changes():
        assert [reason(buyer.send("POST", "/order", body)) for body in bodies] == ["parameter_error"] * 2
        early_goods = {"actionGoods": promoted(early, (rice, 1))}
        assert reason(buyer.send("POST", "/toTrade", early_goods)) == "parameter_error"


def test_a_refusal_of_a_promotion_changes_nothing(buyer: Buyer) -> None:
    rice, tea = make_stocked(), make_stocked()
    promotion, other = make_promotion(), make_promotion((tea, "1.00"))
    promote(promotion, rice, "3.50", quota=5, taken=3, limit_amount=1)
    wrong = {
        Err.goods_error: promoted(promotion, (tea, 1)),
        Err.one_activity_only: promoted(promotion, (rice, 1)) + promoted(other, (tea, 1)),
        Err.amount_above_limit: promoted(promotion, (rice, 2)),
    }
    PromotionItem.objects.filter(product=rice).update(taken=3)
    for err, products in wrong.items():
        buyer.refused(err, actionGoods=products)
    PromotionItem.objects.filter(product=rice).update(limit_amount=0)
    buyer.refused(Err.stock_insufficient, actionGoods=promoted(promotion, (rice, 3)))


def test_the_limit_of_a_customer_counts_all_orders_and_is_returned_once(buyer: Buyer) -> None:
    rice = make_stocked(50)
    promotion = offer(rice, limit_amount=3)
    orders = [ordered(buyer.order(actionGoods=promoted(promotion, (rice, n)))) for n in (2, 1)]
    products = promoted(promotion, (rice, 1))
    assert reason(buyer.order(actionGoods=products)) == "amount_above_limit"
    ordered(Buyer().order(actionGoods=products))

    cancel_order(customer=buyer.customer, order_no=orders[0].order_no)
    with pytest.raises(ShopError):
        cancel_order(customer=buyer.customer, order_no=orders[0].order_no)
    Order.objects.filter(pk=orders[1].pk).update(expires_at=timezone.now())
    assert [expire_orders(order_ids=[orders[1].pk]) for _ in range(2)] == [True, False]

    assert taken() == [1]
    assert PromotionUse.objects.get(customer=buyer.customer).amount == 0
    audit()
    ordered(buyer.order(actionGoods=promoted(promotion, (rice, 3))))


def test_a_canceled_order_gives_back_its_own_products_of_a_promotion_and_no_others(buyer: Buyer) -> None:
    rice, tea = make_stocked(), make_stocked()
    promotion = make_promotion((rice, "1.00"), (tea, "2.00"))
    of_rice = ordered(buyer.order(actionGoods=promoted(promotion, (rice, 2))))
    ordered(buyer.order(actionGoods=promoted(promotion, (tea, 3))))
    assert (taken(), shares()) == ([2, 3], [2, 3])
    cancel_order(customer=buyer.customer, order_no=of_rice.order_no)
    assert (taken(), shares()) == ([0, 3], [0, 3])


def test_a_share_that_is_smaller_than_what_is_given_back_keeps_no_order_from_ending(buyer: Buyer) -> None:
    rice = make_stocked()
    order = ordered(buyer.order(actionGoods=promoted(make_promotion((rice, "1.00")), (rice, 2))))
    PromotionUse.objects.update(amount=1)
    cancel_order(customer=buyer.customer, order_no=order.order_no)
    assert (taken(), shares()) == ([0], [1])


def test_a_late_payment_reopens_an_order_only_while_quota_is_left(buyer: Buyer) -> None:
    rice = make_stocked(50)
    promotion = offer(rice, quota=2)
    products = promoted(promotion, (rice, 2))
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
    order = ordered(buyer.order(actionGoods=promoted(promotion, (rice, 2))))
    cancel_order(customer=buyer.customer, order_no=order.order_no)
    promotion.items.all().delete()
    order.refresh_from_db()
    with nothing_changes():
        assert not mark_paid(order=order, pay_type="0")


def test_the_audit_reports_taken_quota_without_an_order() -> None:
    promote(make_promotion(), make_stocked(), "3.50", taken=1)
    assert len(list(differences())) == 1


def shares() -> list[int]:
    return list(PromotionUse.objects.order_by("item_id").values_list("amount", flat=True))


@pytest.fixture
def limited() -> PromotionItem:
    """A product of which a customer may buy five units in a promotion."""
    return promote(make_promotion(), make_stocked(50), "3.50", limit_amount=5)


def lower_limit(item: PromotionItem, limit: int, language: str = "en") -> str:
    """Save a limit in the back office; returns the page's text, empty once it is saved."""
    editor, _ = User.objects.get_or_create(username="manager", is_superuser=True)
    profile = UserProfile.get_for_user(editor)
    profile.preferred_language = language
    profile.save()
    client = Client()
    client.force_login(editor)
    row = {"id": item.pk, "product": item.product_id, "limit_amount": limit}
    return client.post(
        reverse("promotions:edit", args=[item.promotion_id]), form(row, initial=1)
    ).content.decode()


def test_a_limit_below_what_a_customer_has_ordered_is_refused(buyer: Buyer, limited: PromotionItem) -> None:
    assert promotion_units.largest_share(limited.pk) == 0
    for units in (2, 1):
        ordered(buyer.order(actionGoods=promoted(limited.promotion, (limited.product, units))))
    ordered(Buyer().order(actionGoods=promoted(limited.promotion, (limited.product, 1))))
    with nothing_changes():
        shown = lower_limit(limited, 2)
        assert "This cannot be lower than what one customer has already ordered: 3." in shown
        assert "不能少于某位顾客已购的数量：3。" in lower_limit(limited, 2, "zh-hans")
    for limit in (3, 0):
        assert not lower_limit(limited, limit)
        assert PromotionItem.objects.get().limit_amount == limit
        audit()


def test_a_promotion_with_orders_is_not_deleted_and_the_editor_reads_why(
    buyer: Buyer, limited: PromotionItem, subtests: pytest.Subtests
) -> None:
    ordered(buyer.order(actionGoods=promoted(limited.promotion, (limited.product, 2))))
    client = Client()
    editor = User.objects.create_superuser("manager")
    for language, reason in (
        ("en", "This cannot be deleted while it is used: order lines."),
        ("zh-hans", "仍在使用中，无法删除：订单明细。"),
    ):
        with subtests.test(language=language, reason=reason), rolled_back():
            UserProfile.objects.create(user=editor, preferred_language=language)
            client.force_login(editor)
            with nothing_changes():
                shown = client.post(reverse("promotions:delete", args=[limited.promotion_id]), follow=True)
            assert reason in shown.content.decode()


def outcomes_of_24_buyers_of_6() -> Counter[object]:
    """Let 24 buyers order a unit each of a promotion's six concurrently."""
    rice = make_stocked(500)
    products = promoted(offer(rice, quota=6), (rice, 1))
    shoppers = [Shopper() for _ in range(24)]
    return Counter(concurrently(lambda shopper: shopper.buy(actionGoods=products), shoppers))


@pytest.mark.django_db(transaction=True)
def test_of_24_buyers_at_the_same_time_no_more_than_the_quota_succeed() -> None:
    assert outcomes_of_24_buyers_of_6() == {"ok": 6, "stock_insufficient": 18}
    assert taken() == [6]
    audit()


@pytest.mark.django_db(transaction=True)
def test_one_customers_concurrent_orders_do_not_exceed_the_limit() -> None:
    rice, buyer = make_stocked(500), Buyer()
    products = promoted(offer(rice, quota=400, limit_amount=4), (rice, 1))
    shoppers = [Shopper(buyer.customer) for _ in range(16)]
    found = Counter(concurrently(lambda shopper: shopper.buy(actionGoods=products), shoppers))
    assert found == {"ok": 4, "amount_above_limit": 12}
    assert PromotionUse.objects.get().amount == 4
    audit()


def set_limit_to_two(item: PromotionItem) -> None:
    """Lower the limit of a customer."""
    PromotionItem.objects.filter(pk=item.pk).update(limit_amount=2)


def end_promotion(item: PromotionItem) -> None:
    """End a promotion as an editor does, who locks its rows."""
    with services.locking_promotion(item.promotion_id):
        Promotion.objects.filter(pk=item.promotion_id).update(ends_at=timezone.now())


def switch_off(item: PromotionItem) -> None:
    """Switch a promotion off."""
    Promotion.objects.filter(pk=item.promotion_id).update(is_active=False)


def test_what_an_editor_changes_while_an_order_waits_for_the_items_row_holds_for_it(
    monkeypatch: pytest.MonkeyPatch, limited: PromotionItem, subtests: pytest.Subtests
) -> None:
    shopper = Shopper()

    def take_after(edit: Callable[[PromotionItem], None], units_by_item: Mapping[int, int]) -> dict[int, int]:
        edit(limited)
        return services.take_quota(units_by_item)

    for edit, refusal in (
        (set_limit_to_two, "amount_above_limit"),
        (end_promotion, "parameter_error"),
        (switch_off, "parameter_error"),
    ):
        with subtests.test(edit=edit), monkeypatch.context() as patched:
            patched.setattr(promotion_units, "take_quota", partial(take_after, edit))
            with nothing_changes():
                outcome = shopper.buy(actionGoods=promoted(limited.promotion, (limited.product, 3)))
            assert outcome == refusal


@pytest.mark.django_db(transaction=True)
def test_an_order_that_waited_for_the_editor_who_ends_its_promotion_is_refused(
    limited: PromotionItem,
) -> None:
    shopper = Shopper()
    outcomes = before_commit(
        lambda: end_promotion(limited),
        lambda: shopper.buy(actionGoods=promoted(limited.promotion, (limited.product, 3))),
    )
    assert outcomes == [None, "parameter_error"]
    assert taken() == [0]
    assert not Order.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_a_limit_that_is_lowered_while_customers_order_is_kept_by_all_or_refused(
    limited: PromotionItem,
) -> None:
    products = promoted(limited.promotion, (limited.product, 3))
    shoppers = [Shopper() for _ in range(4)]
    works: list[Callable[[], str]] = [partial(shopper.buy, actionGoods=products) for shopper in shoppers]
    works[2:2] = [lambda: lower_limit(limited, 2)]
    outcomes = concurrently(lambda work: work(), works)
    assert set(outcomes) <= {"ok", "amount_above_limit", "", outcomes[2]}
    assert (PromotionItem.objects.get().limit_amount == 2) == ("ok" not in outcomes)
    audit()


@pytest.mark.django_db(transaction=True)
def test_control_without_locking_the_promotion_a_customer_exceeds_the_lowered_limit(
    monkeypatch: pytest.MonkeyPatch, limited: PromotionItem
) -> None:
    shopper = Shopper()
    monkeypatch.setattr(wagtail_hooks, "locking_promotion", lambda _pk: nullcontext())
    buy = between_check_and_save(
        monkeypatch,
        PromotionForm,
        lambda: shopper.buy(actionGoods=promoted(limited.promotion, (limited.product, 3))),
    )
    assert concurrently(lambda work: work(), [lambda: lower_limit(limited, 2), buy]) == ["", "ok"]
    assert [each.rule for each in differences()] == ["share-of-a-customer"]


@pytest.mark.django_db(transaction=True)
def test_a_promotion_is_deleted_or_ordered_from_and_never_both(limited: PromotionItem, boss: Client) -> None:
    delete = reverse("promotions:delete", args=[limited.promotion_id])
    products = promoted(limited.promotion, (limited.product, 1))
    first, second = (partial(Shopper().buy, actionGoods=products) for _ in range(2))
    works: list[Callable[[], object]] = [first, lambda: boss.post(delete).status_code, second]
    outcomes = concurrently(lambda work: work(), works)
    assert outcomes[1] == 302
    assert set(outcomes[::2]) <= {"ok", "parameter_error", "goods_error", "stock_insufficient"}
    assert Promotion.objects.exists() == ("ok" in outcomes)
    audit()


def read_check_save(units_by_item: Mapping[int, int]) -> dict[int, int]:
    """Take units of quotas by reading, checking and saving."""
    for pk, units in units_by_item.items():
        item = PromotionItem.objects.get(pk=pk)
        if item.left < units:
            raise ShopError(Err.stock_insufficient)
        PromotionItem.objects.filter(pk=pk).update(taken=item.taken + units)
    return dict.fromkeys(units_by_item, 0)


@pytest.mark.django_db(transaction=True)
def test_control_without_the_condition_postgresql_sells_more_than_the_quota(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(promotion_units, "take_quota", read_check_save)
    sold = outcomes_of_24_buyers_of_6()["ok"]
    assert sold > 6 if SHOWS_RACES else sold == 6


@pytest.mark.django_db(transaction=True)
def test_a_share_that_is_waited_for_is_compared_with_the_limit_as_it_is_then() -> None:
    item, customer = promote(make_promotion(), make_stocked(), "3.50", limit_amount=2), Buyer().customer
    PromotionUse.objects.create(customer=customer, item=item)

    def use() -> None:
        with transaction.atomic():
            promotion_units._take_shares(customer, {item.pk: 2}, {item.pk: 2})

    assert before_commit(use, use) == [None, Err.amount_above_limit]
    assert PromotionUse.objects.get().amount == 2


@pytest.mark.django_db(transaction=True)
@only_where_races_show
def test_control_without_lock_and_condition_postgresql_sells_one_customer_more_than_their_share(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    both_have_read = Barrier(2, timeout=10)

    def read_check_save(
        customer: Customer, units_by_item: Mapping[int, int], limits: Mapping[int, int]
    ) -> None:
        [(pk, units)] = units_by_item.items()
        use = PromotionUse.objects.get(customer=customer, item=pk)
        if use.amount + units > limits[pk]:
            raise ShopError(Err.amount_above_limit)
        both_have_read.wait()
        PromotionUse.objects.filter(pk=use.pk).update(amount=use.amount + units)

    monkeypatch.setattr(promotion_units, "_take_shares", read_check_save)
    # Locks that are taken for another reason keep one customer's orders apart as well.
    monkeypatch.setattr(promotion_units, "take_quota", lambda units: dict.fromkeys(units, 1))
    monkeypatch.setattr(place, "lock_customer", lambda _customer: None)
    monkeypatch.setattr(place, "remove_ordered_items", lambda **_units: None)
    rice, buyer = make_stocked(500), Buyer()
    item = promote(make_promotion(), rice, "3.50", limit_amount=1)
    PromotionUse.objects.create(customer=buyer.customer, item=item)
    products = promoted(item.promotion, (rice, 1))
    shoppers = [Shopper(buyer.customer) for _ in range(2)]
    found = concurrently(lambda shopper: shopper.buy(actionGoods=products), shoppers)
    assert found == ["ok", "ok"]


def claim_concurrently(item: PromotionItem) -> Counter[str]:
    """Take a unit two hundred times, each in a transaction of its own, in ten threads of a customer each."""
    outcomes: Counter[str] = Counter()

    def claim(customer: Customer) -> None:
        for _ in range(20):
            try:
                with transaction.atomic():
                    promotion_units.take_promotion_units(customer=customer, units_by_item={item.pk: 1})
                outcomes["ok"] += 1
            except ShopError as error:
                outcomes[error.err.name] += 1

    concurrently(claim, [make_customer() for _ in range(10)])
    return outcomes


@pytest.mark.django_db(transaction=True)
def test_of_200_claims_at_the_same_time_a_quota_of_10_gives_10() -> None:
    item = promote(make_promotion(), make_product(), "3.50", quota=10)
    assert claim_concurrently(item) == {"ok": 10, "stock_insufficient": 190}
    assert (taken(), sum(PromotionUse.objects.values_list("amount", flat=True))) == ([10], 10)


@pytest.mark.django_db(transaction=True)
def test_control_without_the_condition_200_claims_of_10_units_give_more_on_postgresql(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(promotion_units, "take_quota", read_check_save)
    item = promote(make_promotion(), make_product(), "3.50", quota=10)
    given = claim_concurrently(item)["ok"]
    assert given > 10 if SHOWS_RACES else given == 10
