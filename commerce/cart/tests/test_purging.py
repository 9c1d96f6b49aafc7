from datetime import timedelta

import pytest
from django.utils import timezone

from catalog.goods.tests.builders import make_product
from commerce.accounts.models import Customer
from commerce.accounts.tests.builders import make_customer
from commerce.cart.models import CartItem
from commerce.cart.tasks import delete_abandoned_items

pytestmark = pytest.mark.django_db


def test_carts_of_customers_who_were_away_for_a_year_are_emptied() -> None:
    long_ago = timezone.now() - timedelta(days=366)
    gone = make_customer(last_login_at=long_ago)
    never_back = make_customer()
    regular = make_customer(last_login_at=timezone.now())
    Customer.objects.filter(pk__in=[never_back.pk, regular.pk]).update(created_at=long_ago)
    for customer in (gone, never_back, regular, make_customer()):
        CartItem.objects.create(customer=customer, product=make_product(), amount=1)
    delete_abandoned_items()
    assert not CartItem.objects.filter(customer__in=[gone, never_back]).exists()
    assert CartItem.objects.count() == 2
