"""No address that a user sends is ever asked for anything."""

import json
import socket
from itertools import cycle, islice
from typing import Any

import pytest
from django.test import Client

from commerce.accounts.services import issue_token
from commerce.orders.tests.builders import Buyer
from tests.test_authorisation import known_of, rolled_back
from tests.valid_requests import JSON, calls

pytestmark = pytest.mark.django_db

ADDRESSES = (
    "http://127.0.0.1:1/",
    "http://localhost:1/",
    "http://127.1:1/",
    "http://0:1/",
    "http://0.0.0.0:1/",
    "http://2130706433:1/",
    "http://0x7f000001:1/",
    "http://0177.0.0.1:1/",
    "http://[::1]:1/",
    "http://[::ffff:127.0.0.1]:1/",
    "http://[::ffff:7f00:1]:1/",
    "http://①②⑦.0.0.1:1/",
    "http://127。0。0。1:1/",
    "http://169.254.169.254/latest/meta-data/iam/security-credentials/",
    "http://[fd00:ec2::254]/latest/meta-data/",
    "http://metadata.google.internal/computeMetadata/v1/",
    "http://10.0.0.1/admin",
    "http://192.168.0.1:8080/",
    "http://example.com@127.0.0.1:1/",
    "http://127.0.0.1:1#@example.com/",
    "http://127.0.0.1:1\\@example.com/",
    "http://127.0.0.1.nip.io:1/",
    "https://127.0.0.1:1/a.jpg",
    "//127.0.0.1:1/a.jpg",
    "ftp://127.0.0.1:1/a",
    "gopher://127.0.0.1:1/_FLUSHALL",
    "dict://127.0.0.1:1/info",
    "ldap://127.0.0.1:1/a",
    "file:///etc/passwd",
    "jar:http://127.0.0.1:1/a!/b",
    "${jndi:ldap://127.0.0.1:1/a}",
    "noone@[127.0.0.1]",
)


@pytest.fixture
def asked_for(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Note every name that is looked up and every connection that is opened, and let none through."""
    asked: list[Any] = []

    def refuse(*values: Any, **_more: Any) -> Any:
        asked.append(values)
        raise OSError("no network in this test")

    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    monkeypatch.setattr(socket.socket, "connect", refuse)
    return asked


def test_no_address_that_a_customer_sends_is_asked_for(asked_for: list[Any]) -> None:
    buyer = Buyer()
    known, token = known_of(buyer, buyer.trade()), issue_token(buyer.customer)
    addresses, sent = cycle(ADDRESSES), 0
    headers = ("X-Forwarded-Host", "Referer", "Origin", "X-Original-URL", "X-Forwarded-For")
    for call in calls(known):
        # Each third place, so that all addresses come twice or so.
        for place in islice(call.places(), 1, None, 3):
            body = call.with_value(place, json.dumps(next(addresses)))
            more = {name: next(addresses) for name in headers}
            with rolled_back():
                answer = Client().generic(
                    call.method, call.target(), body, JSON, headers={"token": token, **more}
                )
            assert answer.status_code in (200, 429), call
            sent += 1
        for name in call.queries:
            target = f"{call.target()}?{name}={next(addresses)}"
            Client().generic(call.method, target, headers={"token": token})
    assert sent > len(ADDRESSES)
    assert asked_for == []


def test_no_address_in_place_of_a_picture_is_asked_for(asked_for: list[Any]) -> None:
    buyer = Buyer()
    for address, field in zip(ADDRESSES, cycle(("file", "url", "imgUrl"))):
        part = f'--x\r\nContent-Disposition: form-data; name="{field}"\r\n\r\n{address}\r\n--x--\r\n'
        answer = buyer.client.generic(
            "POST", "/api/v1/upload/oss/image", part.encode(), "multipart/form-data; boundary=x"
        )
        assert answer.json()["reason"] == "parameter_error"
    assert asked_for == []


def test_control_a_request_to_an_address_is_noticed(asked_for: list[Any]) -> None:
    with pytest.raises(OSError, match="no network"):
        socket.create_connection(("127.0.0.1", 1))
    assert asked_for
