"""What of an address cannot go together; the form's tests read the same cases (docs/wire.md#addresses)."""

import json
from pathlib import Path

import pytest

from commerce.accounts.regions import Parts, wrong_part
from core.regions import _suburbs, read, suburb_post_codes, tree

CASES = json.loads((Path(__file__).parent / "region_cases.json").read_text("utf-8"))


def test_what_cannot_go_together_is_named_unless_the_customer_can_confirm_it(
    subtests: pytest.Subtests,
) -> None:
    for case in CASES:
        with subtests.test(case=case):
            parts = Parts(*case["address"].values())
            assert wrong_part(parts) == case["wrong"]
            left = None if case.get("canConfirm") else case["wrong"]
            assert wrong_part(parts, is_confirmed=True) == left


def test_suburbs_that_begin_with_any_sign_fill_no_memory() -> None:
    for sign in range(0x4E00, 0x4F00):
        assert suburb_post_codes("WA", chr(sign)) == []
    assert suburb_post_codes("WA", "") == []
    assert _suburbs.cache_info().currsize <= 36


def test_every_suburb_that_can_be_chosen_is_accepted() -> None:
    rows = [
        Parts("Australia", state, council[0] if council else "", suburb, code)
        for letter in "0234567"
        for state, part in read(f"suburbs-{letter}").items()
        for suburb, code, *council in part
    ]
    assert len(rows) > 16_000
    assert [row for row in rows[::7] if wrong_part(row)] == []


def test_every_area_of_a_tree_can_be_chosen() -> None:
    def path(country: str, province: str, city: str, third: str) -> Parts:
        area, code = (third, "") if country == "China" else ("", third)
        return Parts(country, province, city, area, code)

    paths = [
        path(country, province, city, third)
        for country in ("China", "Malaysia", "Taiwan")
        for province, cities in tree(country).items()
        for city, thirds in cities.items()
        for third in thirds
    ]
    # Districts, post codes, those of George Town again, and the districts of Taiwan with one each.
    assert len(paths) == 3062 + 2933 + 88 + 371
    assert [each for each in paths[::7] if wrong_part(each)] == []
