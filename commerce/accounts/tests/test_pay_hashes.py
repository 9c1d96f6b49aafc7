"""How pay passwords are stored, and how what was stored before is taken over."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.conf import LazySettings
from django.db import connection
from django.test.utils import CaptureQueriesContext

from commerce.accounts import pay_hashes
from commerce.accounts.models import Customer
from commerce.accounts.passwords import hash_password
from commerce.accounts.pay_hashes import hash_pay_password, is_up_to_date, pays_with
from commerce.accounts.services import change_pay_password, check_pay_password, pay_password
from commerce.accounts.tests.api_client import ApiClient
from commerce.accounts.tests.builders import PASSWORD, auth_headers, make_customer
from commerce.rate_limits.models import RateLimitCounter
from core.errors import Err, ShopError
from core.tests.refusals import refusal
from core.tests.rows import rolled_back

pytestmark = pytest.mark.django_db
OTHER = "314159"


def former_hash() -> str:
    """Return a pay password as the release before stored it."""
    return hash_password(PASSWORD)


def hash_under_an_older_key() -> str:
    return hash_pay_password(PASSWORD)


@pytest.fixture
def rotated(settings: LazySettings) -> Callable[[], None]:
    """Put a new key in front of those there are."""

    def rotate() -> None:
        settings.PAY_PASSWORD_KEYS = {"new": "a newer key"} | settings.PAY_PASSWORD_KEYS

    return rotate


def stored(customer: Customer) -> str:
    customer.refresh_from_db()
    return customer.pay_password


def statements(work: Callable[[], Any]) -> list[str]:
    """Return the verb and the table of each statement."""
    with CaptureQueriesContext(connection) as done:
        work()
    asked = [each["sql"] for each in done if "SAVEPOINT" not in each["sql"]]
    return [
        " ".join([sql.split()[0], *re.findall(r"accounts_customer|rate_limits_\w+", sql)[:1]])
        for sql in asked
    ]


def test_a_pay_password_is_stored_with_a_salt_and_the_version_of_its_key(settings: LazySettings) -> None:
    settings.PAY_PASSWORD_KEYS = {"7": "a key"}
    one, other = hash_pay_password(PASSWORD), hash_pay_password(PASSWORD)
    assert one != other
    assert re.fullmatch(r"hmac_sha256\$7\$[0-9A-Za-z]{22}\$[0-9a-f]{64}", one)
    assert pays_with(PASSWORD, one)
    assert not pays_with(OTHER, one)
    settings.PAY_PASSWORD_KEYS = {"7": "another key"}
    assert not pays_with(PASSWORD, one)


def test_nothing_pays_where_there_is_no_pay_password_and_it_takes_the_same_work(
    monkeypatch: pytest.MonkeyPatch, subtests: pytest.Subtests
) -> None:
    digests: list[str] = []
    digest = pay_hashes._digest

    def count(key: str, salt: str, password: str) -> str:
        digests.append(password)
        return digest(key, salt, password)

    monkeypatch.setattr(pay_hashes, "_digest", count)
    for nothing in ("", "x", "hmac_md5$1$a$b", "hmac_sha256", "hmac_sha256$1$a", "!unusable"):
        digests.clear()
        with subtests.test(nothing=nothing):
            assert not pays_with(PASSWORD, nothing)
            assert not pays_with("", nothing)
            assert digests == [PASSWORD, ""]


def test_a_right_entry_takes_two_statements_and_hashes_nothing_slowly(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("commerce.accounts.passwords.matches", None)
    customer = make_customer()
    done = statements(lambda: check_pay_password(customer=customer, password=PASSWORD))
    assert done == ["INSERT rate_limits_ratelimitcounter", "UPDATE rate_limits_ratelimitcounter"]


def test_a_right_entry_takes_over_a_hash_of_the_release_before() -> None:
    customer = make_customer(pay_password=former_hash())
    check_pay_password(customer=customer, password=PASSWORD)
    assert is_up_to_date(stored(customer))
    check_pay_password(customer=customer, password=PASSWORD)


def test_a_right_entry_moves_a_hash_to_the_newest_key(rotated: Callable[[], None]) -> None:
    customer = make_customer(pay_password=hash_under_an_older_key())
    rotated()
    check_pay_password(customer=customer, password=PASSWORD)
    assert stored(customer).startswith("hmac_sha256$new$")
    check_pay_password(customer=customer, password=PASSWORD)


def test_a_wrong_entry_counts_and_takes_nothing_over(
    rotated: Callable[[], None], subtests: pytest.Subtests
) -> None:
    for older in (former_hash, hash_under_an_older_key):
        with subtests.test(older=older), rolled_back():
            customer = make_customer(pay_password=older())
            rotated()
            before = customer.pay_password
            with refusal(Err.password_wrong):
                check_pay_password(customer=customer, password=OTHER)
            assert stored(customer) == before
            assert RateLimitCounter.objects.get().count == 1


def test_without_its_key_a_pay_password_is_refused_and_a_code_sets_another(
    api: ApiClient, settings: LazySettings, caplog: pytest.LogCaptureFixture
) -> None:
    customer = make_customer()
    settings.PAY_PASSWORD_KEYS = {"new": "another key"}
    with refusal(Err.password_wrong):
        check_pay_password(customer=customer, password=PASSWORD)
    assert "PAY_PASSWORD_KEYS has no version 1" in caplog.text
    api.token = auth_headers(customer)["token"]
    body = {"code": api.code(customer.account, "pay"), "password": OTHER}
    assert api.call("PUT", "setting/pay/password", body).body["code"] == 0
    customer.refresh_from_db()
    check_pay_password(customer=customer, password=OTHER)


def test_a_former_pay_password_is_replaced_by_a_customer_who_knows_it() -> None:
    customer = make_customer(pay_password=former_hash())
    change_pay_password(customer=customer, old_password=PASSWORD, password=OTHER)
    assert is_up_to_date(stored(customer))
    check_pay_password(customer=customer, password=OTHER)


def test_a_former_pay_password_that_cannot_be_compared_now_costs_no_guess(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(*_: str) -> None:
        raise ShopError(Err.too_frequent, retry_after=1)

    customer = make_customer(pay_password=former_hash())
    monkeypatch.setattr("commerce.accounts.passwords.matches", refuse)
    for _ in range(6):
        with pytest.raises(ShopError) as refusal:
            check_pay_password(customer=customer, password=PASSWORD)
        assert (refusal.value.err, refusal.value.retry_after) == (Err.too_frequent, 1)
    assert RateLimitCounter.objects.get().count == 0


def pay_while(monkeypatch: pytest.MonkeyPatch, act: Callable[[Customer], object]) -> Customer:
    """Enter the right pay password of the release before; something happens once it was compared."""
    customer = make_customer(pay_password=former_hash())

    def compare(password: str, stored: str) -> bool:
        is_right = pays_with(password, stored)
        monkeypatch.setattr(pay_password, "pays_with", pays_with)
        act(Customer.objects.get(pk=customer.pk))
        return is_right

    monkeypatch.setattr(pay_password, "pays_with", compare)
    check_pay_password(customer=customer, password=PASSWORD)
    return customer


def test_two_concurrent_right_entries_both_pay_and_one_replaces_the_hash(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    taken_over: list[str] = []

    def pay(same: Customer) -> None:
        check_pay_password(customer=same, password=PASSWORD)
        taken_over.append(stored(same))

    assert [stored(pay_while(monkeypatch, pay))] == taken_over


def change_to_other(same: Customer) -> None:
    change_pay_password(customer=same, old_password=PASSWORD, password=OTHER)


def test_a_pay_password_that_changes_while_the_former_is_compared_stays(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert pays_with(OTHER, stored(pay_while(monkeypatch, change_to_other)))


def test_control_taking_over_whatever_is_stored_undoes_the_change(monkeypatch: pytest.MonkeyPatch) -> None:
    filter_rows = Customer.objects.filter

    def filter_by_key(**which: Any) -> Any:
        return filter_rows(pk=which["pk"])

    def change(same: Customer) -> None:
        change_to_other(same)
        monkeypatch.setattr(Customer.objects, "filter", filter_by_key)

    assert pays_with(PASSWORD, stored(pay_while(monkeypatch, change)))
