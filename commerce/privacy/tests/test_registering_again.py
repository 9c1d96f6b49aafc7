"""Vouchers and promotion shares of customers who delete an account and register the same name again."""

from collections import Counter
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.db import transaction
from django.test import Client
from django.utils import timezone

from catalog.promotions.tests.builders import make_promotion, promote
from commerce.accounts import audit as accounts_audit
from commerce.accounts.models import Customer, FormerAccount
from commerce.accounts.services import purge_expired
from commerce.accounts.services.former import REMEMBERED_FOR
from commerce.accounts.tests.api_client import ApiClient
from commerce.accounts.tests.builders import PASSWORD, make_customer
from commerce.orders import audit as orders_audit
from commerce.orders import personal
from commerce.orders.models import Order
from commerce.orders.services import cancel_order, mark_paid
from commerce.orders.services.promotion_units import take_promotion_units
from commerce.orders.status import OrderStatus
from commerce.orders.tests.builders import Buyer, make_stocked, ordered, promoted
from commerce.privacy.services import delete_account
from commerce.privacy.tests.builders import receive
from commerce.vouchers import services
from commerce.vouchers.models import Voucher, VoucherUse
from commerce.vouchers.services import take_voucher
from commerce.vouchers.tests.builders import make_voucher
from core.errors import Err, ShopError
from core.tests.races import only_where_races_show
from core.tests.threads import before_commit, concurrently

pytestmark = [pytest.mark.both_databases, pytest.mark.django_db]


def use_up(buyer: Buyer, *vouchers: Voucher) -> None:
    """Complete an order with each voucher."""
    rice = make_stocked()
    for voucher in vouchers:
        order = ordered(buyer.order((rice, 1), voucherCode=voucher.code))
        mark_paid(order=order, pay_type="5")
        receive(buyer, order)


def delete(customer: Customer) -> None:
    delete_account(customer=Customer.objects.get(pk=customer.pk), language="en")


def returned(customer: Customer) -> Buyer:
    """Delete a customer's account; return the customer who registers the same name again."""
    delete(customer)
    return Buyer(make_customer(account=customer.account))


def refused(buyer: Buyer, err: Err, voucher: Voucher) -> None:
    """Assert that order and preview refuse a voucher, and that nothing changes."""
    rice = make_stocked()
    body = buyer.body((rice, 1), voucherCode=voucher.code)
    assert buyer.send("POST", "/order/preview", body)["reason"] == err.name
    answer = buyer.refused(err, (rice, 1), voucherCode=voucher.code)
    assert answer["fields"] == {"voucherCode": err.name}


@pytest.mark.parametrize(
    ("first", "again", "other"),
    [
        ("Wei@Example.com", " wei@EXAMPLE.com", "wei+2@example.com"),
        ("0412 345 678", "+61 412 345 678", "0412 345 679"),
    ],
)
def test_a_voucher_is_not_used_again_by_the_same_name_however_it_is_written(
    client: Client, django_capture_on_commit_callbacks: Any, first: str, again: str, other: str
) -> None:
    api = ApiClient(client, django_capture_on_commit_callbacks)
    voucher, for_first_orders = (
        make_voucher("1.00"),
        make_voucher("1.00", first_order_only=True, customer_limit=0),
    )

    def register(account: str) -> Buyer:
        body = {"account": account, "password": PASSWORD, "code": api.code(account, "register")}
        named = api.call("POST", "register", body).body["result"]["account"]
        return Buyer(Customer.objects.get(account=named))

    make_customer()
    customer = register(first)
    use_up(customer, for_first_orders, voucher)
    delete(customer.customer)
    with time_machine.travel(timezone.now() + timedelta(minutes=10)):
        buyer = register(again)
        refused(buyer, Err.voucher_used_up, voucher)
        refused(buyer, Err.voucher_first_order, for_first_orders)
        use_up(register(other), for_first_orders, voucher)
    assert not list(orders_audit.differences())


def test_a_customers_share_of_a_promotion_stays_used() -> None:
    rice = make_stocked()
    promotion = make_promotion()
    promote(promotion, rice, "3.50", limit_amount=3)
    buyer = Buyer()
    order = ordered(buyer.order(actionGoods=promoted(promotion, (rice, 2))))
    mark_paid(order=order, pay_type="5")
    receive(buyer, order)
    again = returned(buyer.customer)
    body = {"orderGoods": [], "actionGoods": promoted(promotion, (rice, 2))}
    assert again.send("POST", "/order/preview", body)["reason"] == "amount_above_limit"
    again.refused(Err.amount_above_limit, actionGoods=promoted(promotion, (rice, 2)))
    assert ordered(again.order(actionGoods=promoted(promotion, (rice, 1))))
    assert not list(orders_audit.differences())


def test_after_a_second_deletion_both_accounts_count_together() -> None:
    buyer, voucher = Buyer(), make_voucher("1.00", customer_limit=2)
    use_up(buyer, voucher)
    again = returned(buyer.customer)
    use_up(again, voucher)
    refused(returned(again.customer), Err.voucher_used_up, voucher)


def test_a_late_payment_takes_a_voucher_only_if_the_former_account_left_one() -> None:
    rice, voucher = make_stocked(), make_voucher("1.00", first_order_only=True, customer_limit=0)
    first, later = Buyer(), Buyer()
    late = ordered(later.order((rice, 1), voucherCode=voucher.code))
    cancel_order(customer=later.customer, order_no=late.order_no)
    use_up(first, voucher)
    delete(first.customer)
    Customer.objects.filter(pk=later.customer.pk).update(account=first.customer.account)
    late.refresh_from_db()
    assert not mark_paid(order=late, pay_type="5")
    assert Order.objects.get(pk=late.pk).status == OrderStatus.canceled


def test_a_hash_is_stored_only_for_orders_that_count_and_deleted_after_a_year() -> None:
    unused, canceled, used = Buyer(), Buyer(), Buyer()
    order = ordered(canceled.order((make_stocked(), 1)))
    cancel_order(customer=canceled.customer, order_no=order.order_no)
    voucher = make_voucher("1.00", ends_at=timezone.now() + timedelta(days=500))
    use_up(used, voucher)
    for buyer in (unused, canceled):
        delete(buyer.customer)
    buyer = returned(used.customer)
    [former] = FormerAccount.objects.all()
    assert former.customer_id == used.customer.pk
    assert abs(former.expires_at - timezone.now() - REMEMBERED_FOR) < timedelta(minutes=1)
    assert used.customer.account not in former.account_hash
    with time_machine.travel(former.expires_at - timedelta(minutes=1)):
        purge_expired()
        assert not list(accounts_audit.differences())
        with pytest.raises(ShopError), transaction.atomic():
            take_voucher(customer=buyer.customer, voucher_id=voucher.pk)
    with time_machine.travel(former.expires_at + timedelta(days=4)):
        assert [each.rule for each in accounts_audit.differences()] == ["secret-deleted"]
        purge_expired()
        assert not FormerAccount.objects.exists()
        with transaction.atomic():
            take_voucher(customer=buyer.customer, voucher_id=voucher.pk)


def registered_during_the_deletion() -> str:
    """Register a name while its deletion has written and not yet committed; return what its voucher does."""
    buyer, voucher = Buyer(), make_voucher("1.00")
    use_up(buyer, voucher)

    def register_and_use() -> None:
        again = make_customer(account=buyer.customer.account)
        with transaction.atomic():
            take_voucher(customer=again, voucher_id=voucher.pk)

    outcome = before_commit(lambda: delete(buyer.customer), register_and_use)[1]
    return outcome.name if isinstance(outcome, Err) else "ok"


@pytest.mark.django_db(transaction=True)
def test_an_account_that_waits_for_the_deletion_of_its_name_uses_no_voucher_again() -> None:
    assert registered_during_the_deletion() == "voucher_used_up"
    assert VoucherUse.objects.get().orders == Voucher.objects.get().taken == 1


@pytest.mark.django_db(transaction=True)
def test_control_without_the_hash_of_the_deletion_the_voucher_is_used_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(personal, "remember_account", lambda _customer: None)
    assert registered_during_the_deletion() == "ok"


def claims_after_one_use(voucher: Voucher) -> Counter[str]:
    """Use a voucher thirty times concurrently, by a customer whose deleted account used it once."""
    buyer = Buyer()
    use_up(buyer, voucher)
    again = returned(buyer.customer).customer

    def claim(_number: int) -> str:
        with transaction.atomic():
            services.take_voucher(customer=again, voucher_id=voucher.pk)
        return "ok"

    return Counter(each.name if isinstance(each, Err) else each for each in concurrently(claim, range(30)))


@pytest.mark.django_db(transaction=True)
def test_concurrent_uses_of_two_accounts_of_one_name_keep_to_the_limit() -> None:
    voucher = make_voucher("1.00", customer_limit=3)
    assert claims_after_one_use(voucher) == {"ok": 2, "voucher_used_up": 28}
    assert list(VoucherUse.objects.order_by("pk").values_list("orders", flat=True)) == [1, 2]


@pytest.mark.django_db(transaction=True)
@only_where_races_show
def test_control_without_the_vouchers_lock_the_limit_is_exceeded(monkeypatch: pytest.MonkeyPatch) -> None:
    def read_check_save(*, customer: Customer, voucher_id: int) -> None:
        voucher = Voucher.objects.annotate(mine=services._orders_of(customer)).get(pk=voucher_id)
        if voucher.mine >= voucher.customer_limit:
            raise ShopError(Err.voucher_used_up)
        use, _ = VoucherUse.objects.get_or_create(voucher=voucher, customer=customer)
        VoucherUse.objects.filter(pk=use.pk).update(orders=use.orders + 1)

    voucher = make_voucher("1.00", customer_limit=3)
    customer = Buyer()
    use_up(customer, voucher)
    monkeypatch.setattr(services, "take_voucher", read_check_save)
    again = returned(customer.customer).customer

    def claim(_number: int) -> str:
        with transaction.atomic():
            services.take_voucher(customer=again, voucher_id=voucher.pk)
        return "ok"

    assert concurrently(claim, range(30)).count("ok") > 2


@pytest.mark.django_db(transaction=True)
def test_concurrent_shares_of_two_accounts_of_one_name_keep_to_the_limit() -> None:
    rice = make_stocked(50)
    item = promote(make_promotion(), rice, "3.50", limit_amount=3)
    buyer = Buyer()
    order = ordered(buyer.order(actionGoods=promoted(item.promotion, (rice, 1))))
    mark_paid(order=order, pay_type="5")
    receive(buyer, order)
    again = returned(buyer.customer).customer

    def claim(_number: int) -> str:
        with transaction.atomic():
            take_promotion_units(customer=again, units_by_item={item.pk: 1})
        return "ok"

    outcomes = concurrently(claim, range(20))
    assert (outcomes.count("ok"), outcomes.count(Err.amount_above_limit)) == (2, 18)
