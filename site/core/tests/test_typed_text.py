"""Typed and pasted texts (docs/wire.md#typed-texts); the islands' tests read the same cases."""

import json

import pytest
from django.conf import settings
from django.http import QueryDict

from core.typed_text import clean_query, clean_text, clean_values

CASES = json.loads((settings.BASE_DIR / "islands" / "typed-texts.json").read_text("utf-8"))


def test_typed_texts_are_cleaned_once_and_for_all(subtests: pytest.Subtests) -> None:
    for case in CASES:
        with subtests.test(why=case["why"]):
            assert clean_text(case["typed"]) == case["cleaned"]
            assert clean_text(case["cleaned"]) == case["cleaned"]


def test_all_values_but_passwords_are_cleaned() -> None:
    sent = {"a": ["１", {"b": "２"}], "oldPassword": "３", "password": "４", "n": 5, "none": None}
    assert clean_values(sent) == {
        "a": ["1", {"b": "2"}],
        "oldPassword": "３",
        "password": "４",
        "n": 5,
        "none": None,
    }
    query = QueryDict(mutable=True)
    query.setlist("word", ["米\u3000", "\u200b５"])
    query["new_password1"] = "１"
    cleaned = clean_query(query)
    assert (cleaned.getlist("word"), cleaned["new_password1"]) == (["米 ", "5"], "１")
