"""The scan of the shop's log, which every run of these walks ends with, finds what may not be there."""

import time

import pytest

from tests.browser import secrets_used
from tests.browser.shops import Shop
from tests.browser.wire import DEMO, PASSWORD, Wire

pytestmark = pytest.mark.browser

REQUEST = '{"path":"%s","status":200,"ms":123456.0,"event":"%s","timestamp":"2026-11-26T01:02:03.123456Z"}'


def test_a_secret_is_found_in_paths_messages_and_plain_lines_but_not_in_other_numbers() -> None:
    secrets = {"123456", "0412999888", "t0ken-of-a-customer", "11010519491231002X"}
    found = [
        REQUEST % ("/reset/123456", "request"),
        REQUEST % ("/home", "SMS to 0412999888 failed"),
        "GET /home?token=t0ken-of-a-customer",
        '{"event":"refused","fields":{"idCard":"11010519491231002X"}}',
    ]
    fine = [REQUEST % ("/home", "request"), REQUEST % ("/media/1234567.webp", "x123456y"), "port 51234567"]
    assert secrets_used.leaks("\n".join([*found, *fine]), secrets) == found
    assert secrets_used.leaks("\n".join(fine), set()) == []


def test_what_walks_send_is_noted() -> None:
    before = set(secrets_used.used)
    try:
        secrets_used.note({"account": "+61412999777", "password": "a long one", "list": [{"code": "424242"}]})
        secrets_used.note({"account": "noone@example.com", "code": "1", "goodsId": "777777"})
        assert secrets_used.used - before == {"+61412999777", "a long one", "424242"}
    finally:
        secrets_used.used.intersection_update(before)


def test_the_scan_reads_the_log_that_the_walks_write(shop: Shop) -> None:
    wire = Wire(shop.url).log_in(DEMO)
    assert {wire.token, PASSWORD} <= secrets_used.used
    # Were a token ever part of an address, it would be found.
    wire.send("GET", "/spec/1412999666")
    deadline = time.monotonic() + 10
    while not (found := secrets_used.leaks(shop.output, {"1412999666"})) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert len(found) == 1
