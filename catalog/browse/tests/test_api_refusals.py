import pytest
from django.test import Client

from catalog.browse.tests.test_api import LIST, ask
from catalog.goods.tests.builders import make_product

pytestmark = pytest.mark.django_db


BAD = [
    ({"page": 0}, "parameter_error"),
    ({"page": -1}, "parameter_error"),
    ({"page": 1.5}, "parameter_error"),
    ({"page": True}, "parameter_error"),
    ({"page": "x"}, "parameter_error"),
    ({"page": 10**30}, "parameter_error"),
    ({"page": "١"}, "parameter_error"),
    ({"size": 0}, "parameter_error"),
    ({"size": 101}, "parameter_error"),
    ({"size": None}, "parameter_error"),
    ({"stockType": "4"}, "parameter_error"),
    ({"stockType": True}, "parameter_error"),
    ({"stockType": ["1"]}, "parameter_error"),
    ({"isAsc": "maybe"}, "parameter_error"),
    ({"brandName": {"a": 1}}, "parameter_error"),
    ({"brandName": [None]}, "parameter_error"),
    ({"brandName": ["x"] * 51}, "parameter_error"),
    ({"brandName": "a\x00"}, "parameter_error"),
    ({"word": "\x00"}, "parameter_error"),
    ({"word": "\ud800"}, "parameter_error"),
    ({"word": "x" * 2001}, "parameter_error"),
    ({"word": ["a"]}, "parameter_error"),
    ({"orderBy": {"$gt": ""}}, "parameter_error"),
    ({"a\x00": 1}, "parameter_error"),
    ({"minPrice": -1}, "parameter_error"),
    ({"minPrice": "NaN"}, "parameter_error"),
    ({"maxPrice": "1e99"}, "parameter_error"),
    ({"maxPrice": 1.999}, "parameter_error"),
    ({"minPrice": [1]}, "parameter_error"),
    ({"storage": "warm"}, "parameter_error"),
    ({"promotion": "x"}, "goods_error"),
    ({"bulk": "maybe"}, "parameter_error"),
    ([], "parameter_error"),
    ("text", "parameter_error"),
    (5, "parameter_error"),
    ({"goodsTypeId": "x"}, "goods_error"),
    ({"goodsTypeId": 0}, "goods_error"),
    ({"goodsTypeId": -3}, "goods_error"),
    ({"goodsTypeId": 999}, "goods_error"),
    ({"goodsTypeId": 2**63}, "goods_error"),
    ({"goodsTypeId": [1]}, "goods_error"),
    ({"firstCategoryId": 10**25}, "goods_error"),
    ({"firstCategoryId": 1.5}, "goods_error"),
]


def test_an_invalid_body_is_refused(client: Client, subtests: pytest.Subtests) -> None:
    for body, reason in BAD:
        with subtests.test(body=body, reason=reason):
            answer = ask(client, body)
            assert (answer["code"], answer["reason"], answer["result"]) == (1002, reason, None)


def test_a_body_that_is_not_json_is_refused(client: Client, subtests: pytest.Subtests) -> None:
    for body in [b"{", b"\xff\xfe", b'{"page": NaN}', b"[" * 1000, b"{'a': 1}"]:
        with subtests.test(body=body):
            response = client.post(LIST, body, content_type="application/json")
            assert (response.status_code, response.json()["code"]) == (200, 1002)


def test_unusual_search_words_find_nothing_and_cause_no_error(
    client: Client, subtests: pytest.Subtests
) -> None:
    make_product()
    for word in ["%", "_", "\\", "'", '"', "\n", "😀", "ﷺ" * 100, "a " * 900, "\u202e", "--"]:
        with subtests.test(word=word):
            answer = ask(client, {"word": word})
            assert answer["code"] == 0
