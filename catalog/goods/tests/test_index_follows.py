"""The search index is updated with products, brands and categories, whichever function writes them."""

from decimal import Decimal
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from catalog.goods.models import Category, Product
from catalog.goods.reindexing import differences
from catalog.goods.tests.builders import make_brand, make_category, make_product
from catalog.goods.writing import (
    create_products,
    delete_rows,
    save_brand,
    save_brands,
    save_category,
    save_product,
    save_products,
    update_products,
)
from catalog.search import index
from catalog.search.finding import find
from catalog.search.models import Posting, Word
from core.tests.rows import rolled_back
from core.update_only import UpdateOnlyError

pytestmark = pytest.mark.django_db


def found(word: str) -> set[int]:
    return {pk for tier in find(word).tiers for pk in tier}


def changed(product: Product, values: dict[str, Any]) -> Product:
    for name, value in values.items():
        setattr(product, name, value)
    return product


def save(product: Product, **kw: Any) -> None:
    save_product(changed(product, kw))


def save_fields(product: Product, **kw: Any) -> None:
    save_product(changed(product, kw), list(kw))


def update(product: Product, **kw: Any) -> None:
    update_products(Product.objects.filter(pk=product.pk), **kw)


def update_through_the_brand(product: Product, **kw: Any) -> None:
    update_products(product.brand.products.all(), **kw)


def save_together(product: Product, **kw: Any) -> None:
    save_products([changed(product, kw)], list(kw))


WAYS = [save, save_fields, update, update_through_the_brand, save_together]


def test_a_new_name_is_found_and_the_old_one_is_not(subtests: pytest.Subtests) -> None:
    for write in WAYS:
        with subtests.test(write=write), rolled_back():
            product = make_product(name_en="Oyster Sauce", name_zh="蚝油")
            assert found("oyster") == found("蚝油") == {product.pk}
            write(product, name_en="Fish Sauce", name_zh="鱼露")
            assert found("oyster") == found("蚝油") == set()
            assert found("fish") == found("鱼露") == {product.pk}
            assert list(differences()) == []


def test_products_not_on_sale_are_not_found(subtests: pytest.Subtests) -> None:
    for write in WAYS:
        with subtests.test(write=write), rolled_back():
            product = make_product(name_en="Oyster Sauce")
            write(product, on_sale=False)
            assert found("oyster") == set()
            assert index.labels("") == {}
            write(product, on_sale=True)
            assert found("oyster") == {product.pk}
            assert list(differences()) == []


def test_index_labels_follow_flags_of_products_and_sales(subtests: pytest.Subtests) -> None:
    for write in WAYS:
        with subtests.test(write=write), rolled_back():
            product = make_product(units_sold=0, is_bulk=False)
            category = make_category(parent=make_category())
            write(product, category=category, is_bulk=True, price=Decimal("7.00"))
            counts = write in (update, update_through_the_brand)
            if counts:
                write(product, units_sold=9)
            elif write is not save:
                with pytest.raises(UpdateOnlyError):
                    write(product, units_sold=9)
            labels = {label for label, ids in index.labels("").items() if product.pk in ids}
            assert {f"category:{category.pk}", f"top:{category.parent_id}", "bulk", "all"} <= labels
            assert ("sold:4" in labels) == counts
            assert list(differences()) == []


def test_products_created_together_and_deleted_together_are_reindexed() -> None:
    category, brand = make_category(parent=make_category()), make_brand()
    made = [
        Product(
            sku=f"B{number}",
            name_en=f"Rice {number}",
            name_zh="大米",
            category=category,
            brand=brand,
            pack="1 kg",
            net_weight=1000,
            unit_en="bag",
            unit_zh="袋",
            price=Decimal(1),
            origin="AU",
        )
        for number in range(5)
    ]
    create_products(made)
    assert found("rice") == {product.pk for product in made}
    delete_rows(Product.objects.filter(pk=made[0].pk))
    assert found("rice") == {product.pk for product in made[1:]}
    delete_rows(Product.objects.filter(sku__in=["B1", "B2"]))
    assert found("大米") == {product.pk for product in made[3:]}
    assert list(differences()) == []


def test_a_renamed_brand_is_found_immediately_and_no_product_is_written() -> None:
    product = make_product(name_en="Soba", brand=make_brand(name_en="Harvest", name_zh="丰收"))
    before = dict(Posting.objects.filter(term__startswith="g").values_list("term", "ids"))
    product.brand.name_en = "Pantry"
    save_brand(product.brand)
    product.brand.name_zh = "厨房"
    save_brands([product.brand], ["name_zh"])
    assert found("pantry soba") == found("厨房") == {product.pk}
    assert found("harvest") == found("丰收") == set()
    assert dict(Posting.objects.filter(term__startswith="g").values_list("term", "ids")) == before


def test_a_category_is_found_by_its_new_name_and_its_products_move_with_it() -> None:
    product = make_product(name_en="Mantou", category=make_category(parent=make_category(), name_en="Buns"))
    category = product.category
    assert found("buns") == {product.pk}
    other = make_category(name_en="Frozen Food")
    category.name_en, category.parent = "Pastry", other
    save_category(category)
    assert found("buns") == set()
    assert found("pastry") == found("frozen food") == {product.pk}
    assert list(differences()) == []


def test_a_change_that_fails_leaves_the_index_as_it_was() -> None:
    product = make_product(name_en="Oyster Sauce")

    def fail() -> None:
        with transaction.atomic():
            save(product, name_en="Fish Sauce")
            delete_rows(Product.objects.filter(pk=product.pk))
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert found("oyster") == {product.pk}
    assert found("fish") == set()
    assert list(differences()) == []


def test_fields_outside_the_search_leave_the_index_alone() -> None:
    product = make_product()
    with CaptureQueriesContext(connection) as queries:
        update_products(Product.objects.filter(pk=product.pk), description_en="New")
    assert not [query for query in queries if "search_" in query["sql"]]


def test_reindex_rebuilds_the_index_and_the_audit_names_what_is_wrong() -> None:
    product = make_product(name_en="Oyster Sauce")
    Posting.objects.all().delete()
    Word.objects.all().delete()
    delete_rows(Category.objects.exclude(pk__in=[product.category_id, product.top_category_id]))
    assert found("oyster") == set()
    reports = [str(difference) for difference in differences()]
    assert f"search term gwoyster: lacks 1 ({product.pk}), holds 0 too much" in reports
    call_command("reindex", verbosity=0)
    assert found("oyster") == found("oystr") == {product.pk}
    assert list(differences()) == []
