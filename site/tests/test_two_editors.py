"""Two editors who open the same form: no form of the back office undoes unseen what the other has saved.

See docs/guarantees/back-office.md#forms.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.db import connections
from django.db.models import Model
from django.forms import BaseForm
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, resolve, reverse
from django.views.generic.edit import BaseUpdateView
from wagtail.contrib.settings.registry import registry
from wagtail.contrib.settings.views import get_setting_edit_handler
from wagtail.models import DraftStateMixin

from catalog.goods.models import Brand, Category, Product, ProductGroup, ProductTag
from catalog.goods.tests.builders import make_product
from catalog.promotions.models import Promotion, PromotionItem
from catalog.promotions.services import take_quota
from catalog.promotions.tests.builders import make_promotion
from catalog.search.models import Synonym
from catalog.stock.models import Location
from commerce.delivery.models import FreightRule, PickupHours, PickupShop
from commerce.delivery.tests.builders import make_freight_rule, make_shop
from commerce.payments.models import PayType
from commerce.vouchers.models import Voucher
from commerce.vouchers.tests.builders import make_voucher
from content.models import ShopSettings
from content.tests.staff import in_each_language
from core.backoffice import ProtectedEditView, ProtectedForm, ReadOnlyPolicy
from core.tests.threads import between_check_and_save, concurrently
from core.update_only import UpdateOnlyModel

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("_without_markup")]
OWN_PACKAGES = {"catalog", "commerce", "config", "content", "core"}
# Editors type minutes.
WHEN = {"starts_at": datetime(2027, 1, 1, tzinfo=UTC), "ends_at": datetime(2027, 1, 8, tzinfo=UTC)}


@dataclass
class EditForm:
    """What changes one row in the back office."""

    model: type[Model]
    view: type[Any]
    form: type[Any]

    @property
    def is_protected(self) -> bool:
        return issubclass(self.view, ProtectedEditView) and issubclass(self.form, ProtectedForm)

    def fields(self) -> Iterator[tuple[type[Model], set[str]]]:
        """Give the fields of each model that it shows."""
        yield self.model, set(self.form.base_fields)
        for formset in self.form.formsets.values():
            yield formset.model, set(formset.form.base_fields)


def patterns(within: URLResolver | None = None, before: str = "") -> Iterator[URLPattern]:
    """Give the patterns of the back office's URLs."""
    for pattern in (within or get_resolver()).url_patterns:
        path = before + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from patterns(pattern, path)
        elif path.startswith("admin/"):
            yield pattern


def edit_forms() -> list[EditForm]:
    """Return the forms of the shop's own models without drafts."""
    found = []
    for pattern in patterns():
        callback: Any = pattern.callback
        view_class = getattr(callback, "view_class", None)
        if view_class is None or not issubclass(view_class, BaseUpdateView):
            continue
        options = callback.view_initkwargs
        model = options.get("model", view_class.model)
        if not is_own(model) or issubclass(model, DraftStateMixin):
            continue
        view = view_class(**options)
        if not isinstance(view.permission_policy, ReadOnlyPolicy):
            found.append(EditForm(model, view_class, view.get_form_class()))
    for model in filter(is_own, registry):
        shown: Any = resolve(settings_url(model, 1)).func
        found.append(EditForm(model, shown.view_class, get_setting_edit_handler(model).get_form_class()))
    return found


def is_own(model: Any) -> bool:
    return isinstance(model, type) and model.__module__.partition(".")[0] in {
        "catalog",
        "commerce",
        "config",
        "content",
        "core",
    }


def settings_url(model: type[Model], pk: int) -> str:
    return reverse("wagtailsettings:edit", args=[model._meta.app_label, model._meta.model_name, pk])


def test_no_form_of_the_back_office_can_overwrite_unseen() -> None:
    found = edit_forms()
    assert {each.model for each in found} >= {Product, Brand, Category, Location, ShopSettings, *CASES}
    assert [each.model for each in found if not each.is_protected] == []


def test_no_form_shows_what_services_count() -> None:
    counted = [
        (model, names & model.UPDATE_ONLY)
        for each in edit_forms()
        for model, names in each.fields()
        if issubclass(model, UpdateOnlyModel)
    ]
    assert counted
    assert not [(model, names) for model, names in counted if names]


def make_settings() -> ShopSettings:
    return ShopSettings.objects.create(name_en="Old shop", name_zh="旧店")


# For each model a row, and two fields with the values that the editors change them to.
CASES: dict[type[Model], tuple[Callable[[], Any], dict[str, Any], dict[str, Any]]] = {
    Promotion: (lambda: make_promotion((make_product(), "3.50")), {"is_active": ""}, {"name_en": "Tea week"}),
    PickupShop: (make_shop, {"address": "2 New Road"}, {"name_en": "City"}),
    Voucher: (lambda: make_voucher(from_amount=20), {"is_active": ""}, {"name_en": "Welcome"}),
    FreightRule: (make_freight_rule, {"first_price": "12.50"}, {"step_price": "3.25"}),
    PayType: (
        lambda: PayType.objects.create(
            code="card", name_en="Card", name_zh="卡", provider="royalpay", enabled=True
        ),
        {"enabled": ""},
        {"sort": "3"},
    ),
    Synonym: (
        lambda: Synonym.objects.create(words="tea, chai"),
        {"words": "tea, cha"},
        {"words": "chai, te"},
    ),
    ProductGroup: (
        lambda: ProductGroup.objects.create(code="rice", name_en="Size", name_zh="大小"),
        {"name_en": "Weight"},
        {"name_zh": "重量"},
    ),
    ProductTag: (lambda: ProductTag.objects.create(name="new"), {"name": "fresh"}, {"name": "newest"}),
    ShopSettings: (make_settings, {"phone": "+61 8 1111 1111"}, {"legal_name": "Eastbowl Pty Ltd"}),
}


def url_of(row: Any) -> str:
    if isinstance(row, ShopSettings):
        return settings_url(ShopSettings, row.pk)
    names = {
        Promotion: "promotions",
        PickupShop: "pickup_shops",
        Voucher: "vouchers",
        FreightRule: "freight_rules",
        PayType: "pay_types",
        Synonym: "synonyms",
        ProductGroup: "spec_groups",
        ProductTag: "goods_tags",
    }
    return reverse(f"{names[type(row)]}:edit", args=[row.pk])


def sent_by(page: Any) -> dict[str, Any]:
    """Return what the browser sends of an unchanged form."""
    form = page.context_data["form"]
    forms: list[BaseForm] = [form]
    for formset in form.formsets.values():
        forms += [formset.management_form, *formset.forms]
    values = {field.html_name: field.value() for each in forms for field in each}
    return {name: "" if value is None else value for name, value in values.items() if value is not False}


def open_and_change(staff: Client, url: str, changes: dict[str, Any]) -> dict[str, Any]:
    """Open a form twice and save changes in one of them; returns what the other sends."""
    older = sent_by(staff.get(url))
    assert staff.post(url, older | changes).status_code == 302
    return older


def refusals(answer: Any) -> list[str]:
    assert answer.status_code == 200
    return list(answer.context_data["form"].non_field_errors())


def held(row: Any, names: dict[str, Any]) -> dict[str, str]:
    row.refresh_from_db()
    return {name: str(getattr(row, name) or "") for name in names}


def test_of_two_editors_the_second_is_notified_once_of_the_first(
    staff: Client, subtests: pytest.Subtests
) -> None:
    for model in CASES:
        with subtests.test(model=model):
            make, first, second = CASES[model]
            row = make()
            older = open_and_change(staff, url_of(row), first)
            saved = held(row, first | second)
            assert {name: saved[name] for name in first} == first

            answer = staff.post(url_of(row), older | second)
            [shown] = refusals(answer)
            assert shown.startswith("Another user or an import has changed this: ")
            assert held(row, first | second) == saved

            again = sent_by(answer)
            assert {name: str(again[name]) for name in second} == second
            assert staff.post(url_of(row), again).status_code == 302
            assert held(row, second) == second


def test_a_promotion_that_was_ended_in_the_meantime_does_not_run_again(staff: Client) -> None:
    texts = {
        "en": "Ends: 2027-01-08 09:00; Switched on: no; Products of a promotion.",
        "zh-hans": "结束时间：2027-01-08 09:00；启用：否；活动商品。",
    }
    promotion = make_promotion((make_product(), "3.50"))
    ended = {"is_active": "", "starts_at": "2027-01-01 09:00", "ends_at": "2027-01-08 09:00"}
    older = open_and_change(staff, url_of(promotion), ended | {"items-0-price": "3.95"})
    for language in in_each_language(staff):
        answer = staff.post(url_of(promotion), older | {"name_en": "Hotpot week"})
        [error] = refusals(answer)
        assert texts[language] in error
        promotion.refresh_from_db()
        assert not promotion.is_active
        assert str(promotion.items.get().price) == "3.95"


def test_seconds_that_no_form_shows_are_no_change(staff: Client) -> None:
    seconds = {name: time + timedelta(seconds=30) for name, time in WHEN.items()}
    promotion = make_promotion((make_product(), "3.50"), **seconds)
    older = open_and_change(staff, url_of(promotion), {"name_zh": "火锅周"})
    [shown] = refusals(staff.post(url_of(promotion), older | {"name_en": "Hotpot week"}))
    assert shown.startswith("Another user or an import has changed this: Chinese name: 火锅周. ")


def test_hours_of_a_pick_up_shop_that_were_changed_in_the_meantime_are_named(staff: Client) -> None:
    shop = make_shop()
    older = open_and_change(staff, url_of(shop), {"hours-0-closes": "12:00"})
    [shown] = refusals(staff.post(url_of(shop), older | {"address": "2 New Road"}))
    assert "changed this: Hours of a pick-up shop. Save again" in shown
    assert PickupHours.objects.filter(closes="12:00").count() == 1


def saved_concurrently(staff: Client) -> Counter[Any]:
    """Let two editors save what both opened at the same time; returns the statuses of the answers."""
    rule = make_freight_rule()
    older = sent_by(staff.get(url_of(rule)))

    def save(price: str) -> int:
        try:
            return staff.post(url_of(rule), older | {"first_price": price}).status_code
        finally:
            connections.close_all()

    return Counter(concurrently(save, ["10.50", "11.50"]))


@pytest.mark.django_db(transaction=True)
def test_of_two_saves_at_the_same_time_one_is_refused(staff: Client) -> None:
    assert saved_concurrently(staff) == {200: 1, 302: 1}


@pytest.mark.django_db(transaction=True)
def test_control_without_the_comparison_both_are_saved(
    staff: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ProtectedForm, "_refuse_changed", lambda _: None)
    assert saved_concurrently(staff) == {302: 2}


@pytest.mark.django_db(transaction=True)
def test_a_row_that_is_deleted_while_it_is_saved_stays_deleted(
    staff: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    synonym = Synonym.objects.create(words="tea, chai")
    older = sent_by(staff.get(url_of(synonym)))

    def save() -> int:
        return staff.post(url_of(synonym), older | {"words": "tea, cha"}).status_code

    def delete() -> None:
        Synonym.objects.all().delete()

    delete_then = between_check_and_save(monkeypatch, Synonym, delete)
    assert concurrently(lambda work: work(), [save, delete_then]) == [404, None]
    assert not Synonym.objects.exists()


def test_units_taken_in_the_meantime_keep_no_promotion_from_being_saved(staff: Client) -> None:
    promotion = make_promotion((make_product(), "3.50"))
    older = sent_by(staff.get(url_of(promotion)))
    take_quota({promotion.items.get().pk: 7})
    assert staff.post(url_of(promotion), older | {"name_en": "Tea week"}).status_code == 302
    assert list(PromotionItem.objects.values_list("taken", flat=True)) == [7]


def row_of(place: int, product: Product, **kw: Any) -> dict[str, Any]:
    """Return what a promotion's form sends for a new row."""
    fields = {"id": "", "product": product.pk, "price": "3.25", "quota": 9, "limit_amount": 0}
    fields |= {"units": 1, "ORDER": place}
    return {f"items-{place}-{name}": value for name, value in (fields | kw).items()} | {
        "items-TOTAL_FORMS": place + 1
    }


def items() -> list[tuple[Any, ...]]:
    return list(PromotionItem.objects.values_list("product", "price"))


def test_a_row_that_was_deleted_in_the_meantime_is_back_only_after_the_second_press(staff: Client) -> None:
    rice = make_product()
    url = url_of(make_promotion((rice, "3.50"), is_active=False, **WHEN))
    older = open_and_change(staff, url, {"items-0-DELETE": "on"})
    answer = staff.post(url, older | {"name_en": "Tea week"})
    assert "changed this: Products of a promotion." in refusals(answer)[0]
    assert items() == []
    assert staff.post(url, sent_by(answer)).status_code == 302
    assert items() == [(rice.pk, Decimal("3.50"))]


def test_a_row_that_was_added_in_the_meantime_stays(staff: Client) -> None:
    rice, tea = make_product(), make_product()
    url = url_of(make_promotion((rice, "3.50"), **WHEN))
    older = open_and_change(staff, url, row_of(1, tea))
    answer = staff.post(url, older | {"items-0-price": "3.95"})
    assert "changed this: Products of a promotion." in refusals(answer)[0]
    assert staff.post(url, sent_by(answer)).status_code == 302
    assert items() == [(rice.pk, Decimal("3.95")), (tea.pk, Decimal("3.25"))]


def test_what_both_have_added_is_there_once(staff: Client) -> None:
    rice, tea = make_product(), make_product()
    url = url_of(make_promotion((rice, "3.50"), **WHEN))
    older = open_and_change(staff, url, row_of(1, tea))
    before = items()
    answer = staff.post(url, older | row_of(1, tea, price="3.10"))
    assert "changed this: Products of a promotion." in refusals(answer)[0]
    answer = staff.post(url, sent_by(answer))
    assert refusals(answer) == ["Product of a promotion with this Promotion and Product already exists."]
    assert items() == before
