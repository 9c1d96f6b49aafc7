"""Points: what they pay, what staff adjust, and that spending never goes below zero."""

from decimal import Decimal

import pytest
from django.conf import LazySettings
from django.contrib.auth.models import Permission, User
from django.test import Client

from commerce.accounts.tests.builders import auth_headers, make_customer
from commerce.ledger.models import LedgerEntry, PointsAdjustment
from commerce.ledger.points import adjust_points, most_points, points_earned, points_worth, post_points
from commerce.ledger.tests.builders import points_of
from core.errors import Err, ShopError

pytestmark = [pytest.mark.both_databases, pytest.mark.django_db]
Reason = LedgerEntry.Reason


@pytest.fixture
def staff() -> User:
    return User.objects.create_user("anna")


def test_points_earned_are_rounded_down(subtests: pytest.Subtests) -> None:
    for rate, paid, expected in (
        ("1.25", "19.99", 24),
        ("1.00", "0.99", 0),
        ("0.10", "10.00", 1),
        ("1.10", "10.00", 11),
        ("2", "-5", 0),
    ):
        with subtests.test(rate=rate, paid=paid, expected=expected):
            assert points_earned(rate=Decimal(rate), paid=Decimal(paid)) == expected


def test_points_pay_whole_cents(settings: LazySettings, subtests: pytest.Subtests) -> None:
    for per_dollar, usable, unusable, most in (
        (100, {1: "0.01", 250: "2.50"}, [-1], 1_000),
        (200, {2: "0.01", 500: "2.50"}, [1, 3], 1_234),
        (30, {3: "0.10", 30: "1.00"}, [1, 2, 10], 300),
        (0, {}, [0, 100], 0),
    ):
        with subtests.test(per_dollar=per_dollar):
            settings.POINTS_PER_DOLLAR = per_dollar
            assert {number: points_worth(number) for number in usable} == {
                number: Decimal(dollars) for number, dollars in usable.items()
            }
            for number in unusable:
                with pytest.raises(ShopError, match="points_unusable"):
                    points_worth(number)
            assert most_points(balance=Decimal(1_235), dollars=Decimal("10.00")) == most
            assert most_points(balance=Decimal(-5), dollars=Decimal("10.00")) == 0


def test_only_taking_back_goes_below_zero() -> None:
    customer = make_customer()
    post_points(customer=customer, points=10, reason=Reason.earned, order_no="S1")
    for reason in (Reason.spent, Reason.adjustment):
        with pytest.raises(ShopError, match="points_insufficient"):
            post_points(customer=customer, points=-11, reason=reason, order_no="S2")
    assert points_of(customer) == 10
    post_points(customer=customer, points=-10, reason=Reason.spent, order_no="S2")
    post_points(customer=customer, points=-10, reason=Reason.returned, order_no="S1", detail="R1")
    assert points_of(customer) == -10
    # A debt grows less by what is earned.
    post_points(customer=customer, points=4, reason=Reason.earned, order_no="S3")
    assert points_of(customer) == -6


def test_staff_adjust_points_with_a_reason_that_is_kept(staff: User) -> None:
    customer = make_customer()
    adjust_points(customer=customer, points=40, staff=staff, note=" Sorry for the broken eggs ", seen=0)
    adjust_points(customer=customer, points=-15, staff=staff, note="Entered twice", seen=1)
    assert points_of(customer) == 25
    rows = PointsAdjustment.objects.order_by("pk").values_list("points", "note", "staff__username")
    assert list(rows) == [(40, "Sorry for the broken eggs", "anna"), (-15, "Entered twice", "anna")]


def test_an_adjustment_that_is_refused_changes_nothing(staff: User, subtests: pytest.Subtests) -> None:
    customer = make_customer()
    for number, note, err in (
        (5, "  ", Err.note_missing),
        (0, "none", Err.points_unusable),
        (1_000_001, "a slip", Err.points_unusable),
        (-1, "more than there are", Err.points_insufficient),
    ):
        with subtests.test(number=number, note=note, err=err):
            with pytest.raises(ShopError) as refusal:
                adjust_points(customer=customer, points=number, staff=staff, note=note, seen=0)
            assert refusal.value.err is err
            found = (points_of(customer), PointsAdjustment.objects.count(), LedgerEntry.objects.count())
            assert found == (0, 0, 0)


def test_the_form_of_points_is_for_staff_who_may_use_it(client: Client, staff: User) -> None:
    customer = make_customer()
    page, form = f"/admin/customers/inspect/{customer.pk}/", f"/admin/customers/{customer.pk}/points/"
    names = ["access_admin", "view_customer", "adjust_points"]
    staff.user_permissions.set(Permission.objects.filter(codename__in=names))
    client.force_login(staff)
    assert form in client.get(page).content.decode()
    welcome = {"points": "30", "note": "Welcome", "seen": "0"}
    answer = client.post(form, welcome, follow=True).content.decode()
    assert "The points were adjusted." in answer
    assert "Welcome" in answer
    assert '<input type="hidden" name="seen" value="1"' in answer
    # The same page pressed again.
    assert "adjusted in the meantime" in client.post(form, welcome, follow=True).content.decode()
    for values in ({"points": "30", "note": ""}, {"points": "1", "seen": ""}, {"points": "-31", "note": "x"}):
        refused = client.post(form, {"seen": "1"} | values, follow=True).content.decode()
        assert points_of(customer) == 30
    assert "The customer does not have enough points." in refused
    staff.user_permissions.set(Permission.objects.filter(codename__in=names[:2]))
    shown = client.get(page).content.decode()
    assert form not in shown
    assert "Welcome" not in shown
    client.post(form, {"points": "30", "note": "again", "seen": "1"})
    assert points_of(customer) == 30
    staff.user_permissions.set(Permission.objects.filter(codename__in=[*names[:2], "view_ledgerentry"]))
    shown = client.get(page).content.decode()
    assert form not in shown
    assert "Welcome" in shown


def test_the_history_of_points_names_the_order_and_none_for_an_adjustment(
    client: Client, staff: User
) -> None:
    customer = make_customer()
    post_points(customer=customer, points=10, reason=Reason.earned, order_no="S1")
    post_points(customer=customer, points=-4, reason=Reason.returned, order_no="S1", detail="R1")
    adjust_points(customer=customer, points=3, staff=staff, note="gift", seen=0)
    answer = client.get("/api/v1/pc/user/integral/detailed", headers=auth_headers(customer)).json()
    rows = [
        (row["reason"], row["integral"], row["balance"], row["orderNo"]) for row in answer["result"]["list"]
    ]
    assert rows == [
        ("管理员调整", 3, 9, ""),
        ("退货扣回积分", -4, 6, "S1"),
        ("订单金额赠送积分", 10, 10, "S1"),
    ]
