import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from pyroaring import BitMap

from catalog.search import index
from catalog.search.index import CHUNK_BITS
from catalog.search.models import Posting
from catalog.search.terms import BRAND, Entry
from catalog.search.tests.builders import found, make, put

pytestmark = [pytest.mark.both_databases, pytest.mark.django_db]


def stored() -> dict[tuple[str, int], list[int]]:
    return {(row.term, row.chunk): list(BitMap.deserialize(bytes(row.ids))) for row in Posting.objects.all()}


def test_ids_of_any_size_are_stored_in_their_chunk() -> None:
    far = put("Rice", id=70_000)
    near = put("Rice", id=3)
    assert index.labelled("all") == BitMap([near, far])
    assert set(Posting.objects.filter(term="glall").values_list("chunk", flat=True)) == {0, 1}


def test_a_change_removes_the_terms_of_the_old_entry_and_no_others() -> None:
    rice = put("Rice")
    old = make("Rice Noodles", labels=frozenset({"all", "brand:1"}))
    index.write([old])
    new = make("Rice Paper", id=old.id, labels=frozenset({"all", "brand:2"}))
    index.write([new], [old])
    assert found("noodles") == []
    assert found("paper") == [[old.id]]
    assert found("rice") == [[rice], [old.id]]
    assert index.labels("brand:") == {"brand:2": BitMap([old.id])}


def test_a_removed_product_leaves_nothing_in_the_index() -> None:
    entry = make("Rice", "大米", codes=("X1",), notes=("5 kg",))
    index.write([entry])
    index.remove([entry])
    assert found("rice") == found("大米") == []
    assert not any(stored().values())


def test_a_transaction_that_fails_leaves_the_index_as_it_was() -> None:
    put("Rice")
    before = stored()

    def fail() -> None:
        with transaction.atomic():
            put("Noodles")
            assert found("noodles")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert stored() == before
    assert found("noodles") == []


def test_differences_from_the_products_are_found_and_repaired() -> None:
    entry = make("Rice")
    index.write([entry])
    Posting.objects.filter(term="gwrice").update(ids=BitMap([entry.id + 1]).serialize())
    changes = index.difference("g", range(8192), [entry])
    assert changes == {(0, "gwrice"): (BitMap([entry.id]), BitMap([entry.id + 1]))}
    index.apply(changes)
    assert index.difference("g", range(8192), [entry]) == {}


def labelled_entry(pk: int, *labels: str) -> Entry:
    return Entry(pk, ("Rice",), labels=frozenset(labels))


def test_labels_in_memory_are_updated_by_what_has_changed() -> None:
    far = 1 << CHUNK_BITS
    first = [labelled_entry(1, "all", "brand:1"), labelled_entry(far, "all", "brand:1")]
    index.write(first)
    before = index.all_labels()
    assert before.products == {"all": BitMap([1, far]), "brand:1": BitMap([1, far])}
    with CaptureQueriesContext(connection) as queries:
        assert index.all_labels(before).products == before.products
    assert len(queries) == 1
    now = [labelled_entry(1, "all", "brand:2"), labelled_entry(far + 1, "all", "brand:1")]
    index.write(now, first)
    after = index.all_labels(before)
    assert after.products == {
        "all": BitMap([1, far + 1]),
        "brand:1": BitMap([far + 1]),
        "brand:2": BitMap([1]),
    }
    assert after == index.all_labels()
    # A thread that still reads the old labels sees no part of the change.
    assert before.products["all"] == BitMap([1, far])
    Posting.objects.all().delete()
    assert index.all_labels(after).products == {}


def test_a_brand_whose_name_has_no_words_can_be_written() -> None:
    brand = put("!!!", "★", kind=BRAND)
    stored_ids = [ids for (term, _), ids in stored().items() if term == f"{BRAND}lall"]
    assert stored_ids == [[brand]]
