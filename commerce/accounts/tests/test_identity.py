import pytest

from commerce.accounts.identity import can_be_reached, normalised
from commerce.messaging.recipients import masked


def test_an_account_name_has_one_normal_form(subtests: pytest.Subtests) -> None:
    for text, account in (
        (" Demo@Example.COM ", "demo@example.com"),
        ("0412 345 678", "+61412345678"),
        ("+61 412 345 678", "+61412345678"),
        ("+86 138 0013 8000", "+8613800138000"),
        ("０４１２３４５６７８", "+61412345678"),
    ):
        with subtests.test(text=text, account=account):
            assert normalised(text) == account


def test_a_local_number_is_read_with_its_country() -> None:
    assert normalised("138 0013 8000", "cn") == "+8613800138000"
    assert normalised("138 0013 8000") is None


def test_an_invalid_account_name_is_refused(subtests: pytest.Subtests) -> None:
    for text in (
        "",
        "x",
        "a@b",
        "a@b@c.com",
        "раураl@example.com",
        "a b@example.com",
        "08 9321 1234",
        "+6141234567",
        "+61412345678 ext 5",
        "+999123456789",
        "0412\n345678@x",
        "1" * 300,
        f"{'a' * 250}@example.com",
    ):
        with subtests.test(text=text):
            assert normalised(text) is None


def test_codes_go_to_a_few_countries_only() -> None:
    assert can_be_reached("demo@example.com")
    assert can_be_reached("+61412345678")
    assert can_be_reached("+886912345678")
    assert not can_be_reached("+447400123456")


def test_a_masked_account_identifies_no_customer() -> None:
    assert masked("+61412345678") == "+61***78"
    assert masked("demo@example.com") == "d***@example.com"
