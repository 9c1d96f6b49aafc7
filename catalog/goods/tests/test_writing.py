"""Products, brands and categories are written by `catalog.goods.writing` only; any other way is refused."""

import subprocess
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from django.db import models, transaction
from django.test import Client
from django.urls import reverse
from wagtail.images.models import Image
from wagtail.images.tests.utils import get_test_image_file

from catalog.goods import audit, indexing
from catalog.goods.models import Brand, Category, PriceChange, Product, ProductGroup
from catalog.goods.reindexing import differences
from catalog.goods.tests.builders import form_values, make_brand, make_category, make_product
from catalog.goods.writing import (
    create_products,
    save_categories,
    save_category,
    save_product,
    save_products,
    update_products,
    writing_catalogue,
)
from catalog.search import index
from catalog.search.finding import find
from core.protected import DirectWriteError
from core.tests.rows import rolled_back, stored

pytestmark = pytest.mark.django_db

WRITTEN: list[type[Any]] = [Product, Brand, Category]


def found(word: str) -> set[int]:
    return {pk for tier in find(word).tiers for pk in tier}


def state() -> list[Any]:
    models: list[type[Any]] = [*WRITTEN, PriceChange]
    return [list(model.objects.order_by("pk").values()) for model in models]


WAYS: dict[str, Callable[[Any], object]] = {
    "save": lambda row: row.save(),
    "some fields": lambda row: row.save(update_fields=["name_en"]),
    "update": lambda row: type(row).objects.filter(pk=row.pk).update(name_en="Other"),
    "update or create": lambda row: type(row).objects.update_or_create(
        pk=row.pk, defaults={"name_en": "Other"}
    ),
    "bulk update": lambda row: type(row).objects.bulk_update([row], ["name_en"]),
    "create": lambda row: type(row).objects.create(name_en="Other", name_zh="另一个"),
    "get or create": lambda row: type(row).objects.get_or_create(name_en="Other"),
    "bulk create": lambda row: type(row).objects.bulk_create([type(row)(name_en="Other")]),
    "delete": lambda row: row.delete(),
    "delete a query": lambda row: type(row).objects.filter(pk=row.pk).delete(),
}


def test_any_other_way_of_writing_is_refused_and_changes_nothing(subtests: pytest.Subtests) -> None:
    rows = [make(name_en="Oyster") for make in (make_product, make_brand, make_category)]
    before = state()
    for row in rows:
        row.name_en = "Other"
        for way, write in WAYS.items():
            with subtests.test(msg=way, model=type(row)), rolled_back():
                with (
                    pytest.raises(DirectWriteError, match=r"catalog\.goods\.writing") as refusal,
                    transaction.atomic(),
                ):
                    write(row)
                assert type(row).__name__ in str(refusal.value)
                assert state() == before
                assert list(differences()) == []


WAYS_OF_A_BRAND: dict[str, Callable[[Product, Brand], object]] = {
    "add": lambda product, other: other.products.add(product),
    "add one": lambda product, other: other.products.add(product, bulk=False),
    "by the base manager": lambda product, other: Product._base_manager.filter(pk=product.pk).update(
        brand=other
    ),
    "update": lambda product, other: other.products.update(price=1),
    "create": lambda product, other: other.products.create(sku="X"),
    "delete": lambda product, other: product.brand.products.all().delete(),
}


def test_the_brands_own_products_are_refused_too(subtests: pytest.Subtests) -> None:
    product, other = make_product(), make_brand()
    before = state()
    for way, write in WAYS_OF_A_BRAND.items():
        with subtests.test(msg=way):
            with pytest.raises(DirectWriteError), transaction.atomic():
                write(product, other)
            assert state() == before


def test_only_the_functions_named_by_the_models_may_write() -> None:
    root = Path(__file__).resolve().parents[3]
    names = "writable|write_row|save_base|_raw_delete"
    folders = ["catalog", "commerce", "site"]
    grep = ["git", "grep", "-lwE", names, "--", *(f"{folder}/*.py" for folder in folders)]
    files = set(subprocess.run(grep, cwd=root, capture_output=True, text=True, check=True).stdout.split())
    writing = {"site/core/protected.py", "catalog/goods/writing.py", "catalog/stock/services.py"}
    assert {file for file in files if "/tests/" not in file} == writing


def test_cascades_of_the_database_change_no_dependent_column() -> None:
    for model in WRITTEN:
        for column in model._meta.local_concrete_fields:
            if not isinstance(column, models.ForeignKey):
                continue
            if column.remote_field.on_delete is not models.PROTECT:
                assert column.remote_field.on_delete is models.SET_NULL
                assert column.name not in indexing.columns(model)


def test_a_picture_that_rows_use_is_not_deleted() -> None:
    image = Image.objects.create(title="dish", file=get_test_image_file())
    rows: list[Any] = [
        make_product(name_en="Noodles", picture=image),
        make_brand(picture=image),
        make_category(picture=image),
    ]
    with pytest.raises(models.ProtectedError), transaction.atomic():
        image.delete()
    for row in rows:
        assert stored(row, "picture") == image
    assert found("noodles") == {rows[0].pk}
    assert list(differences()) == []


def test_a_group_that_is_deleted_leaves_its_products() -> None:
    product = make_product(group=ProductGroup.objects.create(code="g", name_en="Size", name_zh="规格"))
    ProductGroup.objects.all().delete()
    assert stored(product, "group") is None


def test_joined_writes_write_the_index_once(monkeypatch: pytest.MonkeyPatch) -> None:
    product = make_product(name_en="Oyster Sauce", price=Decimal("4.00"))
    category = make_category(parent=make_category())
    calls: list[int] = []
    write = index.write

    def count(*args: Any) -> None:
        calls.append(1)
        write(*args)

    monkeypatch.setattr(index, "write", count)
    columns = ("name_zh", "category", "brand", "price", "pack", "net_weight", "unit_en", "unit_zh", "origin")
    alike = {column: getattr(product, column) for column in columns}
    with writing_catalogue():
        product.name_en, product.category = "Fish Sauce", category
        save_product(product)
        update_products(Product.objects.filter(pk=product.pk), name_en="Plum Sauce", price=Decimal("5.00"))
        save_category(category)
        other = Product(sku="OTHER", name_en="Bean Sauce", **alike)
        create_products([other])
    assert len(calls) == 1
    assert found("plum") == {product.pk}
    assert found("bean") == {other.pk}
    assert found("oyster") == found("fish") == set()
    assert list(product.price_changes.values_list("price", flat=True)) == [Decimal("5.00"), Decimal("4.00")]
    assert list(differences()) == []


def test_a_joined_write_that_fails_changes_nothing() -> None:
    product = make_product(name_en="Oyster Sauce")
    before = state()

    def fail() -> None:
        with writing_catalogue():
            product.name_en, product.price = "Fish Sauce", Decimal("9.00")
            save_product(product)
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert state() == before
    # The next write works again.
    save_product(product)
    assert found("fish") == {product.pk}
    assert list(differences()) == []


def test_products_follow_categories_that_are_written_together() -> None:
    old, new = make_category(), make_category()
    category = make_category(parent=old)
    product = make_product(category=category)
    category.parent = new
    save_categories([category], ["parent"])
    assert stored(product, "top_category_id") == new.pk
    assert list(differences()) == []


def test_products_that_are_written_together_follow_their_new_category() -> None:
    product, category = make_product(), make_category(parent=make_category())
    product.category = category
    save_products([product], ["category"])
    assert stored(product, "top_category_id") == category.parent_id
    assert list(differences()) == []


def test_the_audit_names_a_product_with_another_top_category() -> None:
    product, other = make_product(), make_category()
    assert list(audit.differences()) == []
    models.QuerySet(Product).update(top_category=other)
    [found] = audit.differences()
    assert str(found).startswith(f"product {product.pk}: top category {other.pk}, ")


def test_a_price_that_is_not_written_is_not_recorded() -> None:
    product = make_product(price=Decimal("4.00"))
    product.price, product.name_en = Decimal("5.00"), "Other"
    save_product(product, ["name_en"])
    assert [change.price for change in product.price_changes.all()] == [Decimal("4.00")]


class TestBackOffice:
    """What staff save and delete is written the same way."""

    def test_products_are_made_and_deleted(self, staff: Client) -> None:
        category = make_category(parent=make_category())
        changes = {"sku": "NEW", "name_en": "Oyster Sauce", "category": category.pk, "price": "3.50"}
        values = form_values(make_product(), **changes)
        assert staff.post(reverse("goods:add"), values).status_code == 302
        product = Product.objects.get(sku="NEW")
        assert product.top_category_id == category.parent_id
        assert found("oyster") == {product.pk}
        assert [change.price for change in product.price_changes.all()] == [Decimal("3.50")]
        assert staff.post(reverse("goods:delete", args=[product.pk])).status_code == 302
        assert not Product.objects.filter(sku="NEW").exists()
        assert found("oyster") == set()
        assert list(differences()) == []

    def test_brands_are_made_changed_and_deleted(self, staff: Client) -> None:
        names = {"name_en": "Harvest", "name_zh": "丰收"}
        assert staff.post(reverse("brands:add"), names).status_code == 302
        brand = Brand.objects.get(name_en="Harvest")
        assert brand.pinyin == "feng shou"
        product = make_product(brand=brand)
        assert found("harvest") == {product.pk}
        names["name_en"] = "Pantry"
        assert staff.post(reverse("brands:edit", args=[brand.pk]), names).status_code == 302
        assert found("harvest") == set()
        assert found("pantry") == {product.pk}
        # A brand with products is not deleted.
        staff.post(reverse("brands:delete", args=[brand.pk]))
        assert Brand.objects.filter(pk=brand.pk).exists()
        other = make_brand()
        assert staff.post(reverse("brands:delete", args=[other.pk])).status_code == 302
        assert not Brand.objects.filter(pk=other.pk).exists()
        assert list(differences()) == []

    def test_categories_are_made_changed_and_deleted(self, staff: Client) -> None:
        top = make_category()
        values = {"name_en": "Buns", "name_zh": "包子", "tint": "#F6F7FB", "sort": 1, "parent": top.pk}
        assert staff.post(reverse("categories:add"), values).status_code == 302
        category = Category.objects.get(name_en="Buns")
        product = make_product(category=category)
        other = make_category()
        values |= {"name_en": "Pastry", "parent": other.pk}
        assert staff.post(reverse("categories:edit", args=[category.pk]), values).status_code == 302
        assert stored(product, "top_category_id") == other.pk
        assert found("buns") == set()
        assert found("pastry") == {product.pk}
        empty = make_category()
        assert staff.post(reverse("categories:delete", args=[empty.pk])).status_code == 302
        assert not Category.objects.filter(pk=empty.pk).exists()
        assert list(differences()) == []
