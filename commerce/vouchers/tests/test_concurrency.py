"""Editors save a voucher while orders take it."""

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from commerce.accounts.tests.builders import make_customer
from commerce.vouchers.models import Voucher
from commerce.vouchers.services import take_voucher
from commerce.vouchers.tests.builders import make_voucher
from commerce.vouchers.tests.test_backoffice import form
from core.tests.threads import before_commit

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_limit_is_compared_with_the_orders_that_took_the_voucher_just_before() -> None:
    voucher, customers = make_voucher(total_limit=5), [make_customer() for _ in range(2)]
    editor = User.objects.create_superuser("manager")
    client = Client()
    client.force_login(editor)

    def take() -> None:
        for customer in customers:
            take_voucher(customer=customer, voucher_id=voucher.pk)

    def save() -> list[str]:
        address = reverse("vouchers:edit", args=[voucher.pk])
        errors = client.post(address, form(code=voucher.code, total_limit="1")).context["form"].errors
        return list(errors["total_limit"])

    found = before_commit(take, save)
    assert found == [None, ["This cannot be lower than the orders that already have it: 2."]]
    assert Voucher.objects.values_list("total_limit", "taken").get() == (5, 2)
