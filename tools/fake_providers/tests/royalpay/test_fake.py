"""The fake itself: what developers see of it, and that its notices reach the shop."""

import re
from unittest.mock import Mock

import httpx
import pytest

from tools.fake_providers import royalpay
from tools.fake_providers.__main__ import main as run_fake
from tools.fake_providers.royalpay import FakeRoyalPay
from tools.fake_providers.tests.royalpay.builders import a_payment, start


def test_a_notice_that_is_not_taken_is_sent_three_times_more(
    fake: FakeRoyalPay, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(royalpay, "NOTICE_SECONDS", 0)
    start(a_payment())
    fake.pay("S1-1")
    for refusals, tries, is_taken in ((2, 3, True), (9, 4, False)):
        send = Mock(side_effect=[False] * refusals + [True])
        monkeypatch.setattr(fake, "send", send)
        assert fake.notify("S1-1") is is_taken
        assert send.call_count == tries
        # Each time the same notice.
        assert len({call.args for call in send.call_args_list}) == 1
    assert fake.orders["S1-1"].status == "PAY_SUCCESS"


def buttons(url: str) -> list[str]:
    return re.findall(r'name="outcome" value="(\w+)"', httpx.get(url).text)


def test_the_page_pays_declines_or_links_back(fake: FakeRoyalPay) -> None:
    url = start(a_payment("2")).jump_url
    text = httpx.get(url).text
    assert "这是演示，不会动用任何资金。" in text
    assert "This is a fake. No money moves." in text
    assert "AUD 12.30" in text
    assert buttons(url) == ["paid", "declined", "left"]
    for outcome, status in (("left", "PAYING"), ("declined", "PAY_FAIL"), ("paid", "PAY_FAIL")):
        answer = httpx.post(url, data={"outcome": outcome})
        assert answer.headers["Location"] == "https://shop.example/pay/return/S1-1"
        assert fake.orders["S1-1"].status == status
    assert buttons(url) == ["left"]


def test_who_was_declined_by_card_may_try_again(fake: FakeRoyalPay) -> None:
    url = start(a_payment()).jump_url
    httpx.post(url, data={"outcome": "declined"})
    assert buttons(url) == ["paid", "declined", "left"]
    httpx.post(url, data={"outcome": "paid"})
    assert fake.orders["S1-1"].status == "PAY_SUCCESS"


def test_a_page_whose_address_is_not_signed_is_refused(fake: FakeRoyalPay) -> None:
    url = httpx.URL(start(a_payment()).jump_url)
    assert httpx.get(url.copy_set_param("sign", "0" * 64)).status_code == 400
    assert httpx.get(url.copy_with(query=None)).status_code == 400


def test_a_developer_pays_and_breaks_things_on_the_page_of_controls(fake: FakeRoyalPay) -> None:
    start(a_payment())
    control = f"{fake.url}/control"
    for action in ("pay", "error"):
        assert httpx.post(control, data={"action": action, "reference": "S1-1"}).status_code == 303
    assert fake.orders["S1-1"].status == "PAY_SUCCESS"
    assert [*fake._troubles] == ["error"]
    assert "PAY_SUCCESS" in httpx.get(control).text
    assert httpx.post(control, data={"action": "pay", "reference": "no"}).status_code == 404


def test_the_command_prints_the_settings_that_lead_a_shop_to_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def end(_fake: FakeRoyalPay) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(FakeRoyalPay, "serve_forever", end)
    monkeypatch.setattr("sys.argv", ["fake_providers", "royalpay", "--port", "0"])
    run_fake()
    printed = capsys.readouterr().out
    assert re.search(r"^ROYALPAY_URL=http://127\.0\.0\.1:\d+/api/v1\.0$", printed, re.MULTILINE)
    assert f"ROYALPAY_PARTNER_CODE={royalpay.PARTNER}\nROYALPAY_CREDENTIAL={royalpay.CREDENTIAL}\n" in printed
