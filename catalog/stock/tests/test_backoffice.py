"""The pages of catalogue and stock in the back office."""

from decimal import Decimal
from typing import Any

import pytest
from django.contrib.auth.models import Group, Permission, User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import NoReverseMatch, reverse
from wagtail.models import ReferenceIndex

from catalog.goods.models import Category, Product, ProductGroup
from catalog.goods.tests.builders import make_brand, make_category, make_product
from catalog.goods.tests.test_backoffice import save
from catalog.stock.models import Location, StockLevel, StockMovement
from catalog.stock.tests.builders import make_location, stock
from core.tests.pages import html_of
from core.tests.rows import stored
from core.tests.screens import only_refusals, set_language

pytestmark = pytest.mark.django_db


def page(staff: Client, name: str, *args: Any, query: str = "") -> str:
    response = staff.get(reverse(name, args=args) + query)
    assert response.status_code == 200
    return html_of(response)


def test_products_are_found_by_name_brand_and_sku(staff: Client) -> None:
    make_product(name_en="Oyster Sauce", name_zh="蚝油", sku="G1", brand=make_brand(name_zh="李锦记"))
    make_product(name_en="Bok Choy", name_zh="小白菜", sku="G2")
    for word in ("oyster", "蚝", "G1", "李锦记"):
        found = page(staff, "goods:index", query=f"?q={word}")
        assert "Oyster Sauce" in found
        assert "Bok Choy" not in found


def test_a_price_is_changed_by_staff(staff: Client) -> None:
    product = make_product()
    save(staff, product, price="5.20", is_advance="on")
    assert stored(product, "price", "is_advance") == (Decimal("5.20"), True)


def test_an_invalid_product_is_refused_next_to_its_field(staff: Client, subtests: pytest.Subtests) -> None:
    make_product(sku="TAKEN")
    product = make_product()
    before = Product.objects.values().get(pk=product.pk)
    changes: list[dict[str, Any]] = [
        {"price": "0"},
        {"price": "-1"},
        {"net_weight": 0},
        {"min_amount": 0},
        {"name_zh": ""},
        {"sku": "TAKEN"},
    ]
    for change in changes:
        with subtests.test(change=change):
            with only_refusals():
                answer = save(staff, product, **change)
            assert set(answer.context_data["form"].errors) == set(change)
            assert Product.objects.values().get(pk=product.pk) == before


def test_a_category_never_gets_a_third_level(staff: Client) -> None:
    top, other = make_category(), make_category()
    child = make_category(parent=top)

    def errors(category: Category, parent: Category) -> set[str]:
        form = {"name_en": "A", "name_zh": "甲", "tint": "#FFFFFF", "sort": 0, "parent": parent.pk}
        with only_refusals():
            answer: Any = staff.post(reverse("categories:edit", args=[category.pk]), form)
        return set(answer.context_data["form"].errors) if answer.status_code == 200 else set()

    assert errors(top, other) == {"parent"}
    assert errors(top, top) == {"parent"}
    assert errors(other, child) == {"parent"}
    assert errors(child, other) == set()
    assert Category.objects.get(pk=child.pk).parent == other


def test_stock_is_read_only(staff: Client) -> None:
    level = stock(make_product(name_en="Rice", sku="G1"), 7)
    listed = page(staff, "stock_levels:index", query="?q=G1")
    assert "Rice" in listed
    assert "7" in page(staff, "stock_levels:inspect", level.pk)
    assert "Rice" in page(staff, "stock_movements:index")
    for name, row in (("stock_levels", level), ("stock_movements", StockMovement.objects.get())):
        for action in ("add", "edit", "delete"):
            try:
                address = reverse(f"{name}:{action}", args=[row.pk] if action != "add" else [])
            except NoReverseMatch:
                continue
            response = staff.post(address, {"on_hand": 99})
            assert response.status_code in (302, 403)
    assert StockLevel.objects.values_list("on_hand", flat=True).get() == 7


def test_locations_brands_and_product_groups_are_edited_by_staff(staff: Client) -> None:
    make_location(code="north")
    names = {"name_en": "East", "name_zh": "东"}
    staff.post(reverse("stock_locations:add"), {"code": "east", **names})
    staff.post(reverse("brands:add"), {**names, "origin": "AU"})
    staff.post(reverse("spec_groups:add"), {"code": "size", **names})
    assert set(Location.objects.values_list("code", flat=True)) == {"north", "east"}
    assert ProductGroup.objects.filter(code="size").exists()
    assert "East" in page(staff, "brands:index")


def test_staff_without_the_permission_are_refused(client: Client) -> None:
    user = User.objects.create_user("editor")
    group = Group.objects.create(name="Writers")
    group.permissions.add(Permission.objects.get(codename="access_admin"))
    user.groups.add(group)
    client.force_login(user)
    product = make_product()
    for address in (
        reverse("goods:index"),
        reverse("goods:edit", args=[product.pk]),
        reverse("stock_levels:index"),
    ):
        assert client.get(address).status_code == 302


def test_lists_take_as_many_queries_for_many_rows(staff: Client, subtests: pytest.Subtests) -> None:
    def queries(name: str) -> int:
        with CaptureQueriesContext(connection) as captured:
            page(staff, f"{name}:index")
        return len(captured)

    lists = ["goods", "categories", "stock_levels", "stock_movements"]
    stock(make_product(), 1)
    queries(lists[0])
    few = {name: queries(name) for name in lists}
    for _ in range(8):
        stock(make_product(), 1)
    for name in lists:
        with subtests.test(msg=name):
            assert queries(name) <= few[name] + 1


USED = {"en": "This cannot be deleted while it is used: products.", "zh-hans": "仍在使用中，无法删除：商品。"}


def test_what_products_depend_on_is_not_deleted(staff: Client, subtests: pytest.Subtests) -> None:
    product = make_product()
    # The state after an import.
    ReferenceIndex.objects.all().delete()
    for language, text in USED.items():
        set_language(staff, language)
        for name, row in (("brands", product.brand), ("categories", product.category)):
            with subtests.test(language=language, name=name):
                answer = staff.post(reverse(f"{name}:delete", args=[row.pk]), follow=True)
                assert answer.status_code == 200
                assert text in answer.content.decode()
                assert type(row).objects.filter(pk=row.pk).exists()
                assert Product.objects.filter(pk=product.pk).exists()
