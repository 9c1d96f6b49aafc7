"""Customers and their levels in the back office."""

import pytest
from django.test import Client

from commerce.accounts.models import Customer, MemberLevel
from commerce.accounts.tests.builders import make_customer

pytestmark = pytest.mark.django_db


def test_a_level_that_staff_give_holds_at_once_and_a_refusal_changes_nothing(admin_client: Client) -> None:
    customer = make_customer()
    form = f"/admin/customers/edit/{customer.pk}/"
    assert admin_client.post(form, {"fixed_level": "77", "is_active": "on"}).status_code == 200
    assert Customer.objects.get(pk=customer.pk).fixed_level is None
    assert admin_client.post(form, {"fixed_level": "3", "is_active": "on"}).status_code == 302
    fresh = Customer.objects.get(pk=customer.pk)
    assert (fresh.level_number, fresh.fixed_level_id) == (3, 3)
    # Left to the night again, it stays until then.
    assert admin_client.post(form, {"fixed_level": "", "is_active": "on"}).status_code == 302
    fresh = Customer.objects.get(pk=customer.pk)
    assert (fresh.level_number, fresh.fixed_level_id) == (3, None)


def test_the_number_of_a_level_stays_and_the_first_one_has_no_spend(admin_client: Client) -> None:
    values = {"number": "9", "name_en": "Silver", "name_zh": "银卡会员", "points_rate": "1.25"}
    answer = admin_client.post("/admin/member_levels/edit/2/", values | {"yearly_spend": "500"})
    assert answer.status_code == 302
    level = MemberLevel.objects.get(pk=2)
    assert (str(level.yearly_spend), str(level.points_rate)) == ("500.00", "1.25")
    assert not MemberLevel.objects.filter(pk=9).exists()
    answer = admin_client.post("/admin/member_levels/edit/1/", values | {"yearly_spend": "5"})
    assert answer.status_code == 200
    assert MemberLevel.objects.get(pk=1).yearly_spend is None


def test_nobody_adds_customers_or_deletes_customers_and_levels(admin_client: Client) -> None:
    customer = make_customer()
    for path in (
        "customers/new",
        f"customers/delete/{customer.pk}",
        "member_levels/delete/3",
    ):
        assert admin_client.post(f"/admin/{path}/").status_code in {302, 403, 404}, path
    assert Customer.objects.count() == 1
    assert MemberLevel.objects.filter(pk=3).exists()
