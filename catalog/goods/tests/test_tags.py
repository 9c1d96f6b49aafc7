"""Tags of products, as staff put them in the form of a product."""

import pytest
from django.test import Client
from django.urls import reverse

from catalog.goods.models import Product, ProductTag
from catalog.goods.tests.builders import make_product
from catalog.goods.tests.test_backoffice import save
from catalog.goods.writing import save_product

pytestmark = pytest.mark.django_db


def tags_of(product: Product) -> set[str]:
    return set(product.tags.names())


def test_staff_add_and_remove_tags_of_a_product(staff: Client) -> None:
    product = make_product()
    assert save(staff, product, tags="hotpot, 年货").status_code == 302
    assert tags_of(product) == {"hotpot", "年货"}
    assert save(staff, product, tags="年货").status_code == 302
    assert tags_of(product) == {"年货"}


def test_the_form_shows_the_tags_that_a_product_has(staff: Client) -> None:
    product = make_product()
    product.tags.add("年货")
    assert "年货" in staff.get(reverse("goods:edit", args=[product.pk])).content.decode()


def test_a_word_is_one_tag_however_many_products_have_it(staff: Client) -> None:
    for product in (make_product(), make_product()):
        save(staff, product, tags="hotpot")
    assert ProductTag.objects.get().tagged_products.count() == 2


def test_a_refused_form_keeps_the_tags_that_were_typed_and_changes_nothing(staff: Client) -> None:
    product = make_product()
    product.tags.add("hotpot")
    answer = save(staff, product, tags="winter", name_en="")
    assert answer.status_code == 200
    assert "winter" in answer.content.decode()
    assert tags_of(product) == {"hotpot"}


def test_saving_a_product_elsewhere_leaves_its_tags(staff: Client) -> None:
    product = make_product()
    product.tags.add("hotpot")
    save_product(Product.objects.get(pk=product.pk))
    assert tags_of(product) == {"hotpot"}
