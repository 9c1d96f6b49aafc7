"""RoyalPay answers late, wrongly or not at all."""

from urllib.parse import urlsplit

import httpx
import pytest
from django.conf import LazySettings

from commerce.payments.models import Payment
from commerce.payments.providers.base import UnavailableError
from commerce.payments.providers.royalpay import client, provider
from commerce.payments.providers.slots import gateway_slot
from core.gateways import MAX_FAILURES
from tools.fake_providers.royalpay import FakeRoyalPay
from tools.fake_providers.server import Answer, Trouble
from tools.fake_providers.tests.royalpay.builders import a_payment, change_answers, query, start


@pytest.mark.parametrize("trouble", [Trouble.slow, Trouble.drip])
def test_an_answer_that_does_not_end_is_waited_for_no_longer_than_the_bound(
    fake: FakeRoyalPay, monkeypatch: pytest.MonkeyPatch, trouble: Trouble
) -> None:
    # Each byte comes in time, all of them never do.
    fake.slow_seconds, fake.drip_seconds = 3600, 0.1
    fake.cause(trouble)
    with monkeypatch.context() as bounded:
        bounded.setattr(provider, "WORK_SECONDS", 1)
        with pytest.raises(UnavailableError):
            start(a_payment())
    # The order was made; the next try finds it.
    assert start(a_payment()).provider_ref == fake.orders["S1-1"].number
    assert len(fake.orders) == 1


def test_the_bounds_are_those_that_customers_wait() -> None:
    assert (client.QUESTION_SECONDS, client.WORK_SECONDS) == (4, 6)
    assert (client.TIMEOUT.connect, client.TIMEOUT.read) == (2, 4)


@pytest.mark.parametrize("trouble", [Trouble.error, Trouble.garbage])
def test_a_failure_is_nothing_known_and_the_next_answer_counts(fake: FakeRoyalPay, trouble: Trouble) -> None:
    fake.cause(trouble)
    with pytest.raises(UnavailableError):
        start(a_payment())
    assert start(a_payment()).provider_ref == fake.orders["S1-1"].number


def test_a_lost_answer_is_asked_for_once_more(fake: FakeRoyalPay) -> None:
    fake.cause(Trouble.lost)
    started = start(a_payment())
    assert [order.number for order in fake.orders.values()] == [started.provider_ref]
    fake.pay("S1-1")
    fake.cause(Trouble.lost)
    outcome = query(a_payment())
    assert outcome
    assert outcome.state == Payment.State.paid
    fake.cause(Trouble.lost, times=2)
    with pytest.raises(UnavailableError):
        query(a_payment())


def test_a_server_that_is_not_there_is_nothing_known_and_the_address_stays_secret(
    settings: LazySettings,
) -> None:
    settings.ROYALPAY_URL = "http://127.0.0.1:1/api/v1.0"
    settings.ROYALPAY_PARTNER_CODE, settings.ROYALPAY_CREDENTIAL = "DEMO", "x"
    with pytest.raises(UnavailableError, match=r"^ConnectError$") as failed:
        query(a_payment())
    assert failed.value.__suppress_context__


@pytest.mark.parametrize(
    "answer",
    [
        Answer.redirect("https://elsewhere.example/"),
        Answer(b"x" * (client.MAX_BYTES + 1)),
        Answer(b"[]"),
        Answer(b'{"return_code": "SUCCESS", "price": NaN}'),
        Answer(b"[" * 100_000),
        Answer(b'{"return_code": "SUCCESS", "rate": 1e99999999999999999999}'),
        Answer.of({"return_code": "SYSTEMERROR"}, 503),
        Answer.of({"return_code": "SYSTEMERROR"}),
        Answer.of({"return_code": "SIGN_TIMEOUT"}),
    ],
)
def test_what_cannot_be_read_is_nothing_known(
    fake: FakeRoyalPay, monkeypatch: pytest.MonkeyPatch, answer: Answer
) -> None:
    monkeypatch.setattr(fake, "answer", lambda _request: answer)
    with pytest.raises(UnavailableError):
        query(a_payment())


def test_refusals_leave_the_provider_to_everyone_else_and_failures_do_not(
    fake: FakeRoyalPay, monkeypatch: pytest.MonkeyPatch
) -> None:
    refusals = [({"return_code": "PARAM_INVALID"}, 200), ({"return_code": "INVALID_CHANNEL"}, 400)]
    refusals += [({"return_code": "INVALID_SIGN"}, 401), ({"error": "no such path"}, 404)]
    with monkeypatch.context() as refusing:
        for answer in [Answer.of(*refusal) for refusal in refusals] * MAX_FAILURES:
            refusing.setattr(fake, "answer", lambda _request, answer=answer: answer)
            with pytest.raises(UnavailableError), gateway_slot("royalpay"):
                start(a_payment())
    with gateway_slot("royalpay"):
        assert start(a_payment()).provider_ref
    fake.cause(Trouble.error, times=MAX_FAILURES)
    for _ in range(MAX_FAILURES):
        with pytest.raises(UnavailableError), gateway_slot("royalpay"):
            start(a_payment())
    with pytest.raises(UnavailableError, match="too often"), gateway_slot("royalpay"):
        start(a_payment())


def test_a_picture_of_a_code_fits_into_an_answer(fake: FakeRoyalPay, monkeypatch: pytest.MonkeyPatch) -> None:
    picture = "data:image/png;base64," + "A" * 100_000
    change_answers(fake, monkeypatch, "_created", {"qrcode_img": picture})
    assert start(a_payment("2")).provider_ref


def test_the_conversation_of_a_test_can_be_read_without_secrets(fake: FakeRoyalPay) -> None:
    url = start(a_payment()).jump_url
    httpx.post(url, data={"outcome": "paid"})
    query(a_payment())
    conversation = str(fake.conversation)
    assert "→ PUT /api/v1.0/gateway/partners/DEMO/pre_card_orders/S1-1?time=" in conversation
    assert '"price": 1230' in conversation
    assert f"→ POST {urlsplit(url).path}?time=" in conversation
    assert "outcome=paid" in conversation
    assert '"result_code": "PAY_SUCCESS"' in conversation
    assert "sign=•••" in conversation
    for secret in ("sign", "nonce_str"):
        assert httpx.URL(url).params[secret] not in conversation
