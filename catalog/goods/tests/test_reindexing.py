import pytest
from pytest_django import DjangoAssertNumQueries

from catalog.goods import reindexing
from catalog.goods.models import Product
from catalog.goods.reindexing import differences, parts, repair
from catalog.goods.tests.builders import make_product
from catalog.search.models import Posting

pytestmark = pytest.mark.django_db

# In chunks of the index that have nothing between them.
FAR_APART = (1, 70_000, 9_000_000, 4_000_000_000)


def test_products_whose_ids_lie_far_apart_are_compared_together(
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    for pk in FAR_APART:
        make_product(id=pk)
    ranges = [ids for model, _kind, ids in parts() if model is Product]
    assert len(ranges) == 1
    assert all(pk in ranges[0] for pk in FAR_APART)
    with django_assert_max_num_queries(20):
        assert not list(differences())


def test_what_the_index_lacks_of_products_far_apart_is_found_and_fixed() -> None:
    for pk in FAR_APART:
        make_product(id=pk)
    Posting.objects.filter(term="glall", chunk=9_000_000 >> 16).delete()
    [found] = differences()
    assert found.found == "lacks 1 (9000000), holds 0 too much"
    assert sum(repair(*part) for part in parts()) == 1
    assert not list(differences())


def test_a_chunk_of_many_products_is_compared_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reindexing, "MAX_ROWS", 2)
    for pk in (1, 2, 3, 70_000, 140_000, 210_000):
        make_product(id=pk)
    batches = list(reindexing._batches({0: 3, 1: 1, 2: 1, 3: 1, 5: 0}))
    assert batches[0] == range(2)
    assert batches[-2:] == [range(1 << 16, 3 << 16), range(3 << 16, 6 << 16)]
