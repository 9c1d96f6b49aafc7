"""A member's level in the prices of special areas."""

from decimal import Decimal

import pytest
from django.test import Client

from catalog.goods.tests.builders import make_product, price_for_level
from commerce.accounts.services import issue_token
from commerce.accounts.tests.builders import make_customer
from content.tests.builders import make_area

GOLD = 3


@pytest.mark.django_db
def test_a_special_area_has_the_price_of_the_callers_level() -> None:
    rice = make_product(price=Decimal("10.00"))
    price_for_level(rice, GOLD, "8.00")
    area = make_area(rice)
    member = Client(headers={"token": issue_token(make_customer(level_id=GOLD))})
    for client, price in ((member, 8), (Client(), 10)):
        page = client.get(f"/api/v1/pc/home/specialArea/goods/{area.pk}").json()["result"]
        assert [product["memberPrice"] for product in page["list"]] == [price]
