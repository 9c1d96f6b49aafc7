"""Rows that two editors create concurrently, and the database takes once: the second form shows it.

See docs/guarantees/back-office.md#forms.
"""

from collections import Counter
from decimal import Decimal
from threading import Barrier
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db.models import Model
from django.test import Client
from django.urls import reverse
from wagtail.admin.views.generic import CreateView

from catalog.goods.models import ProductGroup, ProductTag
from catalog.goods.tests.builders import make_product
from catalog.stock.models import Location
from commerce.delivery.models import DeliveryDayOff, DeliveryWindow
from commerce.delivery.tests.builders import make_shop
from commerce.shipments.models import Carrier
from commerce.vouchers.models import Voucher
from config.middleware import back_office_conflicts
from core.tests.rows import rolled_back
from core.tests.threads import concurrently
from tests.test_two_editors import sent_by

pytestmark = [
    pytest.mark.both_databases,
    pytest.mark.django_db,
    pytest.mark.usefixtures("_without_markup"),
]

NAMES = {"name_en": "New", "name_zh": "新"}
CARRIER = NAMES | {"code": "post"}
# The form of each model, and what an editor fills in.
NEW: dict[type[Model], tuple[str, dict[str, Any]]] = {
    ProductGroup: ("spec_groups", NAMES | {"code": "rice"}),
    ProductTag: ("goods_tags", {"name": "new"}),
    Location: ("stock_locations", NAMES | {"code": "perth"}),
    DeliveryDayOff: ("delivery_days_off", {"date": "2027-12-25"}),
    DeliveryWindow: (
        "delivery_windows",
        {"weekday": 2, "starts": "09:00", "ends": "12:00", "capacity": 9, "cutoff_hours": 2},
    ),
    Carrier: ("carriers", CARRIER),
    Voucher: (
        "vouchers",
        NAMES
        | {
            "code": "WELCOME",
            "kind": "fixed",
            "value": "5",
            "from_amount": "20",
            "customer_limit": 1,
            "total_limit": 0,
        }
        | {"starts_at": "2027-01-01 09:00", "ends_at": "2027-02-01 09:00"}
        | {"scopes-TOTAL_FORMS": 0, "scopes-INITIAL_FORMS": 0},
    ),
    # Wagtail's own.
    User: (
        "wagtailusers_users",
        {"username": "mei", "email": "mei@example.com", "first_name": "Mei", "last_name": "Li"}
        | {"password1": "bowl-of-rice-88", "password2": "bowl-of-rice-88"},
    ),
}


def test_a_row_that_another_user_has_created_since_the_check_is_named(
    staff: Client, monkeypatch: pytest.MonkeyPatch, subtests: pytest.Subtests
) -> None:
    is_valid = CreateView.is_valid
    others: list[Any] = []

    def checked(view: Any, form: Any) -> bool:
        outcome: bool = is_valid(view, form)
        if not others:
            # The other user's form is checked too.
            others.append(None)
            others[:] = [staff.post(view.request.path, view.request.POST)]
        return outcome

    monkeypatch.setattr(CreateView, "is_valid", checked)
    for model, (name, fields) in NEW.items():
        with subtests.test(msg=name), rolled_back():
            others.clear()
            before = model._default_manager.count()
            answer: Any = staff.post(reverse(f"{name}:add"), fields)
            assert [other.status_code for other in others] == [302], others[0].context_data["form"].errors
            assert answer.status_code == 200
            assert "already" in str(answer.context_data["form"].errors)
            assert model._default_manager.count() == before + 1


def created_concurrently(monkeypatch: pytest.MonkeyPatch) -> Counter[Any]:
    """Let two editors create the same carrier, once both their forms are checked; returns the statuses."""
    is_valid, both, url = CreateView.is_valid, Barrier(2, timeout=20), reverse("carriers:add")
    waiting = [both.wait, both.wait]

    def checked(view: Any, form: Any) -> bool:
        outcome: bool = is_valid(view, form)
        if waiting:
            waiting.pop()()
        return outcome

    def create(editor: Client) -> int:
        return editor.post(url, CARRIER).status_code

    monkeypatch.setattr(CreateView, "is_valid", checked)
    # Else a fault of one is raised by both.
    editors = [Client(raise_request_exception=False) for _ in range(2)]
    for editor in editors:
        editor.force_login(User.objects.get())
    return Counter(concurrently(create, editors))


@pytest.mark.usefixtures("staff")
@pytest.mark.django_db(transaction=True)
def test_of_two_who_create_the_same_at_the_same_time_one_is_notified(monkeypatch: pytest.MonkeyPatch) -> None:
    assert created_concurrently(monkeypatch) == {302: 1, 200: 1}
    assert Carrier.objects.filter(code=CARRIER["code"]).count() == 1


@pytest.mark.usefixtures("staff")
@pytest.mark.django_db(transaction=True)
def test_control_without_a_second_check_the_other_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(back_office_conflicts, "IntegrityError", ())
    assert created_concurrently(monkeypatch) == {302: 1, 500: 1}


def test_hours_of_two_weekdays_change_places(staff: Client) -> None:
    shop = make_shop()
    url = reverse("pickup_shops:edit", args=[shop.pk])
    form = sent_by(staff.get(url))
    form |= {"hours-0-weekday": form["hours-1-weekday"], "hours-1-weekday": form["hours-0-weekday"]}
    before = dict(shop.hours.values_list("pk", "weekday"))
    answer: Any = staff.post(url, form)
    assert answer.status_code == 302, answer.context_data["form"].errors
    first, second, *_ = before
    assert dict(shop.hours.values_list("pk", "weekday")) == before | {
        first: before[second],
        second: before[first],
    }


def test_prices_of_a_product_change_places(staff: Client) -> None:
    product = make_product(price=Decimal(9))
    url = reverse("goods:edit", args=[product.pk])
    for rows, field in (("level_prices", "level"), ("price_tiers", "from_amount")):
        related = getattr(product, rows)
        for place, price in ((2, 8), (3, 7)):
            related.model.objects.create(product=product, price=price, **{field: place})
        form = sent_by(staff.get(url))
        answer: Any = staff.post(url, form | {f"{rows}-0-{field}": 3, f"{rows}-1-{field}": 2})
        assert answer.status_code == 302, answer.context_data["form"].errors
        assert dict(related.model.objects.values_list(field, "price")) == {3: 8, 2: 7}
