import threading
import time

import pytest
from django.db import transaction

from catalog.goods.tests.builders import make_category, make_product
from catalog.goods.writing import save_category, save_product
from core.tests.threads import at_once

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_product_follows_its_category_that_moves_while_the_product_is_written() -> None:
    category, new_parent = make_category(parent=make_category()), make_category()
    product = make_product()
    written = threading.Event()

    def write_product() -> None:
        with transaction.atomic():
            product.category = category
            save_product(product)
            written.set()
            # Long enough for the other to begin; where it does not wait, it has also finished.
            time.sleep(0.3)

    def move_category() -> None:
        assert written.wait(10)
        category.parent = new_parent
        save_category(category)

    at_once(lambda work: work(), [write_product, move_category])
    product.refresh_from_db()
    assert product.top_category_id == new_parent.pk
