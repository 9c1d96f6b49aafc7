"""Customers and their levels in the back office."""

import pytest
from django.test import Client

from commerce.accounts.models import Customer, MemberLevel
from commerce.accounts.services import customer_of_token, issue_token
from commerce.accounts.services.closing import close_account
from commerce.accounts.tests.builders import make_customer
from core.tests.pages import html_of
from core.tests.rows import rolled_back
from core.tests.screens import set_language
from core.tests.threads import before_commit

pytestmark = pytest.mark.django_db


def test_a_level_given_by_staff_applies_immediately_and_a_refusal_changes_nothing(
    admin_client: Client,
) -> None:
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


def test_a_customer_who_was_inactive_for_a_time_logs_in_again(admin_client: Client) -> None:
    customer, other = make_customer(), make_customer()
    token, of_other = issue_token(customer), issue_token(other)
    form = f"/admin/customers/edit/{customer.pk}/"
    for is_active in ({}, {"is_active": "on"}):
        assert admin_client.post(form, {"fixed_level": "", **is_active}).status_code == 302
        assert customer_of_token(token) is None
    assert Customer.objects.get(pk=customer.pk).is_active
    assert customer_of_token(of_other) == other


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


def test_staff_cannot_add_customers_or_delete_customers_and_levels(admin_client: Client) -> None:
    customer = make_customer()
    for path in ("customers/new", f"customers/delete/{customer.pk}", "member_levels/delete/3"):
        assert admin_client.post(f"/admin/{path}/").status_code in {302, 403, 404}, path
    assert Customer.objects.count() == 1
    assert MemberLevel.objects.filter(pk=3).exists()


def test_no_form_revives_a_deleted_account_and_the_form_explains_why(
    admin_client: Client, subtests: pytest.Subtests
) -> None:
    for language, expected in (("en", "so it stays inactive"), ("zh-hans", "账户保持停用")):
        with subtests.test(language=language, expected=expected), rolled_back():
            set_language(admin_client, language)
            customer = make_customer()
            form = f"/admin/customers/edit/{customer.pk}/"
            assert expected not in html_of(admin_client.get(form))
            close_account(customer=customer)
            assert expected in html_of(admin_client.get(form))
            assert admin_client.post(form, {"fixed_level": "3", "is_active": "on"}).status_code == 302
            deleted = Customer.objects.get()
            assert (deleted.is_active, deleted.is_deleted, deleted.level_number) == (False, True, 3)


@pytest.mark.django_db(transaction=True)
def test_a_form_that_waits_for_the_end_of_the_account_revives_nothing(staff: Client) -> None:
    customer = make_customer()

    def save() -> int:
        form = f"/admin/customers/edit/{customer.pk}/"
        return staff.post(form, {"fixed_level": "", "is_active": "on"}).status_code

    assert before_commit(lambda: close_account(customer=customer), save) == [None, 302]
    deleted = Customer.objects.get()
    assert (deleted.is_active, deleted.is_deleted) == (False, True)
