"""A busy database costs neither a code, a ticket nor a guess (docs/guarantees/customers.md#passwords)."""

from typing import Any

import pytest
from django.db import OperationalError

from commerce.accounts.models import VerificationCode
from commerce.accounts.services import check_pay_password, codes, login, pay_password
from commerce.accounts.tests.api_client import ApiClient
from commerce.accounts.tests.builders import ACCOUNT, PASSWORD, RIGHT, WRONG, auth_headers, make_customer
from commerce.messaging.tests.outbox import messages
from commerce.rate_limits import services as rate_limits
from commerce.rate_limits.models import RateLimitCounter
from core.errors import ShopError
from core.tests.failing import refuse_as_busy
from core.tests.rows import rolled_back

pytestmark = pytest.mark.django_db


def counted(limit: str) -> int:
    """Return how many attempts of a limit count."""
    return RateLimitCounter.objects.get(limit=limit).count


def ticket_after_three_failures(api: ApiClient) -> str:
    """Make a customer whose next login needs a ticket; returns one."""
    make_customer(account=ACCOUNT)
    for _ in range(3):
        assert reason(api.call("POST", "login", WRONG)) == "account_or_password_wrong"
    return api.ticket()


def reason(answer: Any) -> str:
    return str(answer.body.get("reason") or "ok")


def test_a_code_that_is_refused_as_busy_may_be_asked_for_again_with_the_same_ticket(
    api: ApiClient, monkeypatch: pytest.MonkeyPatch, subtests: pytest.Subtests
) -> None:
    wanted = {"account": ACCOUNT, "purpose": "register", "ticket": api.ticket()}
    for step in ("consume_in_transaction", "write_message"):
        with subtests.test(step=step), rolled_back():
            with monkeypatch.context() as busy:
                busy.setattr(codes, step, refuse_as_busy)
                assert reason(api.call("POST", "common/sendCode", wanted)) == "shop_busy"
            assert not VerificationCode.objects.exists()
            assert not RateLimitCounter.objects.exists()
            assert reason(api.call("POST", "common/sendCode", wanted)) == "ok"
            assert counted("code account") == 1


def test_a_code_that_comes_too_soon_spends_no_ticket(api: ApiClient) -> None:
    api.ask_code(ACCOUNT, "register")
    wanted = {"account": ACCOUNT, "purpose": "register", "ticket": api.ticket()}
    assert reason(api.call("POST", "common/sendCode", wanted)) == "too_frequent"
    other = wanted | {"account": "other@example.com"}
    answers = [reason(api.call("POST", "common/sendCode", other)) for _ in range(2)]
    assert answers == ["ok", "captcha_required"]


def test_a_login_that_is_refused_as_busy_before_the_comparison_spends_no_ticket(
    api: ApiClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    ticket = ticket_after_three_failures(api)
    with monkeypatch.context() as busy:
        busy.setattr(login, "consume_in_transaction", refuse_as_busy)
        assert reason(api.call("POST", "login", RIGHT | {"ticket": ticket})) == "shop_busy"
    assert counted("login here") == 3
    assert reason(api.call("POST", "login", RIGHT | {"ticket": ticket})) == "ok"


def test_a_login_counts_where_its_password_is_wrong_though_the_database_is_busy(
    api: ApiClient, monkeypatch: pytest.MonkeyPatch, subtests: pytest.Subtests
) -> None:
    make_customer(account=ACCOUNT)
    monkeypatch.setattr(login, "reset", refuse_as_busy)
    for body, left in ((RIGHT, 0), (WRONG, 1)):
        with subtests.test(body=body, left=left):
            answer = reason(api.call("POST", "login", body))
            assert answer == ("account_or_password_wrong" if left else "shop_busy")
            assert [counted(f"login {limit}") for limit in ("here", "account", "network")] == [left] * 3


def test_a_right_pay_password_that_is_refused_as_busy_does_not_count(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    customer = make_customer()
    monkeypatch.setattr(pay_password, "reset", refuse_as_busy)
    for _ in range(6):
        with pytest.raises(OperationalError):
            check_pay_password(customer=customer, password=PASSWORD)
    with pytest.raises(ShopError):
        check_pay_password(customer=customer, password="000000")
    assert counted("pay password") == 1


def test_an_attempt_that_cannot_be_given_back_stays_counted_and_is_logged(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(pay_password, "reset", refuse_as_busy)
    monkeypatch.setattr(rate_limits, "refund", refuse_as_busy)
    with pytest.raises(OperationalError):
        check_pay_password(customer=make_customer(), password=PASSWORD)
    assert counted("pay password") == 1
    assert "['pay password'] stay counted" in caplog.text


def test_a_code_that_sets_a_password_is_not_spent_where_its_lock_cannot_be_lifted(
    api: ApiClient, monkeypatch: pytest.MonkeyPatch, subtests: pytest.Subtests
) -> None:
    customer = make_customer(account=ACCOUNT)
    for purpose in ("pay", "reset"):
        with subtests.test(purpose=purpose), rolled_back():
            api.ask_code(ACCOUNT, purpose)
            code = messages()[-1]["code"]
            body = {"account": ACCOUNT, "code": code, "password": "271828"}
            method, path, service = {
                "pay": ("PUT", "setting/pay/password", pay_password),
                "reset": ("POST", "resetPassword", login),
            }[purpose]
            api.token = auth_headers(customer)["token"]
            with monkeypatch.context() as busy:
                busy.setattr(service, "reset", refuse_as_busy)
                assert reason(api.call(method, path, body)) == "shop_busy"
            assert reason(api.call(method, path, body)) == "ok"
