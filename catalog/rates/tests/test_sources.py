import gzip
import threading
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from decimal import Decimal

import httpx
import pytest
from django.conf import LazySettings
from django.utils import timezone

from catalog.rates import sources
from catalog.rates.current import rate_now
from catalog.rates.models import ExchangeRate
from catalog.rates.services import fetch_rate
from catalog.rates.sources import SourceError, ask, configured
from catalog.rates.tasks import fetch_exchange_rate
from catalog.rates.tests import banks
from catalog.rates.tests.banks import Answer, Bank, body
from core import gateways
from core.gateways import MAX_FAILURES

pytestmark = pytest.mark.django_db

YESTERDAY = (timezone.now() - timedelta(days=1)).date()
PATTERNS = {"RBA": banks.RBA, "Frankfurter": banks.FRANKFURTER, "ECB": banks.ECB}


def answer_of(name: str, rate: str, day: object = YESTERDAY) -> str:
    return PATTERNS[name].format(rate=rate, day=day)


@pytest.fixture
def bank(settings: LazySettings) -> Iterator[Bank]:
    with banks.open_bank() as bank:
        settings.RATE_SOURCES = {name: bank.url(f"/{name}") for name in PATTERNS}
        bank.answers = {f"/{name}": body("no", 500) for name in PATTERNS}
        yield bank


def test_each_source_is_read(bank: Bank, monkeypatch: pytest.MonkeyPatch, subtests: pytest.Subtests) -> None:
    monkeypatch.setattr(sources, "OLDEST", timedelta(days=36_500))
    for name, text, rate, hour in [
        ("RBA", answer_of("RBA", "4.6312", "2026-11-19"), "4.6312", 5),
        ("Frankfurter", answer_of("Frankfurter", "4.63", "2026-11-19"), "4.63", 0),
        ("ECB", answer_of("ECB", "8.20", "2026-11-19"), "4.632768", 15),
    ]:
        with subtests.test(name=name, text=text, rate=rate, hour=hour):
            bank.answers[f"/{name}"] = body(text)
            quote = ask(name)
            assert (quote.source, quote.rate) == (name, Decimal(rate))
            assert quote.as_of == datetime(2026, 11, 19, hour, tzinfo=UTC)


DEEP = "<a>" * 20_000 + "</a>" * 20_000
BOMB = '<!DOCTYPE a [<!ENTITY b "bb"><!ENTITY c "&b;&b;&b;&b;">]><a>&c;</a>'
OUTSIDE = '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>'
BAD: dict[str, list[tuple[str, Answer]]] = {
    "any": [
        ("status 500", body("no", 500)),
        ("status 404", body("no", 404)),
        ("status 204", body("", 204)),
        ("status 302", body("", 302, Location="/good")),
        ("status 308", body("", 308, Location="https://example.com/")),
        ("too large", banks.trickle(0, 1024, b" " * 65536)),
        (".", banks.hang_up),
        (".", body("")),
        (".", body(b"\x00\xff\xfe" * 50)),
        (".", body(gzip.compress(answer_of("RBA", "4.7").encode()), Content_Encoding="gzip")),
    ],
    "RBA": [
        ("no XML", body("<rdf:RDF>")),
        ("no XML", body(BOMB)),
        ("no XML", body(OUTSIDE)),
        ("no XML", body("<!DOCTYPE a>" + answer_of("RBA", "4.7").partition("?>")[2])),
        ("no XML", body('<?xml version="1.0" encoding="none-such"?><a/>')),
        ("no CNY", body(DEEP)),
        ("no CNY", body(answer_of("RBA", "4.7").replace("CNY", "XXX"))),
        ("base", body(answer_of("RBA", "4.7").replace("baseCurrency>AUD", "baseCurrency>USD"))),
        ("no number", body(answer_of("RBA", "four"))),
        ("bounds", body(answer_of("RBA", ""))),
        ("bounds", body(answer_of("RBA", "0"))),
        ("bounds", body(answer_of("RBA", "-4.7"))),
        ("bounds", body(answer_of("RBA", "NaN"))),
        ("bounds", body(answer_of("RBA", "Infinity"))),
        ("bounds", body(answer_of("RBA", "1e400"))),
        ("day", body(answer_of("RBA", "4.7", "19/11/2026"))),
        ("day", body(answer_of("RBA", "4.7", ""))),
        ("it is of 2020", body(answer_of("RBA", "4.7", "2020-11-19"))),
        ("it is of 2099", body(answer_of("RBA", "4.7", "2099-11-19"))),
    ],
    "Frankfurter": [
        ("no JSON", body("<html>")),
        ("no JSON", body("[" * 100_000)),
        ("other currencies", body("[]")),
        ("other currencies", body(answer_of("Frankfurter", "4.7").replace("CNY", "USD"))),
        ("no number", body(answer_of("Frankfurter", '"x"'))),
        ("no number", body(answer_of("Frankfurter", "{}").replace("{}", '{"a": 1}'))),
        ("bounds", body(answer_of("Frankfurter", "null"))),
        ("bounds", body(answer_of("Frankfurter", "false"))),
        (".", body(answer_of("Frankfurter", "NaN"))),
        ("bounds", body(answer_of("Frankfurter", "1e99999"))),
        ("day", body(answer_of("Frankfurter", "4.7").replace(f'"{YESTERDAY}"', "20261119"))),
    ],
    "ECB": [
        ("no day", body("<Envelope/>")),
        ("bounds", body(answer_of("ECB", "8.2").replace("AUD", "NZD"))),
        ("bounds", body(answer_of("ECB", "8.2").replace("1.77", "0"))),
        ("no number", body(answer_of("ECB", "8.2").replace("1.77", "a lot"))),
    ],
}


def test_an_invalid_answer_is_refused_with_its_reason(bank: Bank, subtests: pytest.Subtests) -> None:
    for only, cases in BAD.items():
        for reason, answer in cases:
            for name in PATTERNS if only == "any" else [only]:
                with subtests.test(name=name, reason=reason):
                    # Repeated failures would open the circuit breaker.
                    gateways.gateway.cache_clear()
                    bank.asked.clear()
                    bank.answers = {f"/{name}": answer, "/good": body(answer_of(name, "4.7"))}
                    with pytest.raises(SourceError, match=reason):
                        ask(name)
                    # No redirect is followed, and the size of an answer is limited.
                    assert bank.asked == [f"/{name}"]


@pytest.mark.parametrize("answer", [banks.silence(3), banks.trickle(0.05, 100)])
def test_a_slow_source_times_out(answer: Answer, bank: Bank, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "TIMEOUT", httpx.Timeout(0.3))
    monkeypatch.setattr(sources, "MAX_SECONDS", 0.5)
    monkeypatch.setattr(gateways, "MAX_BODY_SECONDS", 0.5)
    bank.answers["/RBA"] = answer
    begun = time.monotonic()
    with pytest.raises(SourceError):
        ask("RBA")
    assert time.monotonic() - begun < 1.5
    for thread in threading.enumerate():
        if thread.name == "exchange rate RBA":
            thread.join(1.5)
            assert not thread.is_alive()


def test_the_limits_are_those_of_a_gateway() -> None:
    assert (sources.TIMEOUT.connect, sources.TIMEOUT.read) == (2, 4)


def test_the_next_source_is_asked_where_one_fails_and_no_further(bank: Bank) -> None:
    bank.answers["/RBA"] = banks.hang_up
    bank.answers["/Frankfurter"] = body(answer_of("Frankfurter", "4.69"))
    fetch_rate()
    assert bank.asked == ["/RBA", "/Frankfurter"]
    assert rate_now() == Decimal("4.69")


def test_the_next_source_is_asked_where_reading_one_fails(
    bank: Bank, monkeypatch: pytest.MonkeyPatch
) -> None:
    bank.answers["/RBA"] = body(answer_of("RBA", "4.7"))
    bank.answers["/Frankfurter"] = body(answer_of("Frankfurter", "4.69"))
    monkeypatch.setitem(sources._READERS, "RBA", lambda _body: 1 / 0)
    fetch_rate()
    assert rate_now() == Decimal("4.69")


def test_a_source_that_keeps_failing_is_not_asked_for_a_while(bank: Bank) -> None:
    bank.answers["/RBA"] = banks.hang_up
    for _ in range(MAX_FAILURES + 1):
        with pytest.raises(SourceError):
            ask("RBA")
    assert bank.asked == ["/RBA"] * MAX_FAILURES


def test_the_first_source_is_enough(bank: Bank) -> None:
    bank.answers["/RBA"] = body(answer_of("RBA", "4.7"))
    fetch_rate()
    fetch_rate()
    assert bank.asked == ["/RBA", "/RBA"]
    assert ExchangeRate.objects.get().source == "RBA"


def test_a_source_without_an_address_is_left_out(bank: Bank, settings: LazySettings) -> None:
    settings.RATE_SOURCES = settings.RATE_SOURCES | {"RBA": ""}
    assert list(configured()) == ["Frankfurter", "ECB"]


def test_without_a_network_the_last_valid_rate_stays_and_one_log_line_shows_why(
    bank: Bank, settings: LazySettings, caplog: pytest.LogCaptureFixture
) -> None:
    bank.answers["/RBA"] = body(answer_of("RBA", "4.7"))
    fetch_rate()
    ExchangeRate.objects.update(fetched_at=timezone.now() - timedelta(days=1))
    settings.RATE_SOURCES = {"RBA": "http://127.0.0.1:9/", "Frankfurter": "http://name.invalid/"}
    caplog.clear()
    fetch_exchange_rate.call_local()
    assert rate_now() == Decimal("4.7")
    [record] = [record for record in caplog.records if record.name.startswith("catalog")]
    assert "RBA: " in record.getMessage()
    assert "Frankfurter: " in record.getMessage()
    assert record.exc_info is None


def test_a_large_change_from_a_source_is_not_in_force(bank: Bank) -> None:
    two_days_ago = YESTERDAY - timedelta(days=1)
    bank.answers["/RBA"] = body(answer_of("RBA", "4.7", two_days_ago))
    fetch_rate()
    bank.answers["/RBA"] = body(answer_of("RBA", "47"))
    rate = fetch_rate()
    assert rate is not None
    assert rate.status == ExchangeRate.Status.held
    assert rate_now() == Decimal("4.7")


def test_the_task_asks_a_few_times_a_day_only(bank: Bank) -> None:
    bank.answers["/RBA"] = body(answer_of("RBA", "4.7"))
    fetch_exchange_rate.call_local()
    fetch_exchange_rate.call_local()
    assert bank.asked == ["/RBA"]
