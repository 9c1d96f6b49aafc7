"""Requests that no browser sends: each is answered, none with a server error."""

import pytest
from django.test import Client, RequestFactory

from commerce.accounts.tests.builders import auth_headers, make_customer
from commerce.orders.models import Trade
from commerce.orders.tests.builders import books
from config.api import api
from config.wsgi import application
from core.tests.pages import html_of
from tests.hostile_requests import (
    Request,
    in_fields,
    in_headers,
    in_pages,
    in_urls,
    notices,
    odd_methods,
    whole_bodies,
)
from tests.valid_requests import Known

pytestmark = pytest.mark.django_db

NINES = "9" * 30


def test_a_charset_of_the_clients_own_changes_nothing(subtests: pytest.Subtests) -> None:
    environ = RequestFactory().get("/shop?word=%5Cud800&brandName=%E9%A3%B2").environ
    for charset in ["hex", "unicode_escape", "utf-16", "none-at-all"]:
        with subtests.test(charset=charset):
            request = application.request_class(environ | {"CONTENT_TYPE": f"text/html; charset={charset}"})
            assert request.GET.dict() == {"word": r"\ud800", "brandName": "飲"}


def test_a_content_type_that_cannot_be_read_counts_as_none() -> None:
    environ = RequestFactory().post("/shop?word=tea", b"a=1", content_type="text/plain").environ
    for kind in ("text/html; charset*=none-at-all''x", "multipart/form-data; boundary*=x''y"):
        request = application.request_class(environ | {"CONTENT_TYPE": kind})
        found = (request.content_type, request.GET.dict(), request.POST.dict())
        assert found == ("", {"word": "tea"}, {}), kind


def test_impossible_numbers_in_a_url_are_not_found_or_ignored(
    client: Client, subtests: pytest.Subtests
) -> None:
    for digits in [f"000000001{NINES}", "0" * 19 + f"1{NINES}", "1" * 5000, "0", "²", "-1"]:
        with subtests.test(digits=digits):
            assert client.get(f"/shop?page={digits}").status_code == 404
            assert client.get(f"/shop/shopdetails/{digits}").status_code == 404
            for name in ("firstCategoryId", "goodsTypeId"):
                assert client.get(f"/shop?{name}={digits}").status_code == 200


def test_a_form_that_cannot_be_read_is_refused_in_the_readers_language(
    client: Client, subtests: pytest.Subtests
) -> None:
    for prefix, text in [("", "This request could not be read"), ("/zh-hans", "无法读取此请求")]:
        with subtests.test(prefix=prefix, text=text):
            answer = client.post(
                f"{prefix}/shop/shopdetails/1/notice", b"a", content_type="multipart/form-data"
            )
            assert answer.status_code == 400
            assert f"<h1>{text}</h1>" in html_of(answer)


def test_an_impossible_file_name_is_not_found(client: Client) -> None:
    for name in ("a" * 5000, "é" * 200, "%00", "a/" * 2500):
        assert client.get(f"/media/{name}").status_code == 404, name[:20]


def test_a_body_is_read_before_it_is_refused(client: Client) -> None:
    for path in ("/api/v1/pc/toTrade", "/api/v1/pc/logout", "/api/nothing"):
        environ = RequestFactory().post(path, b'{"a": 1}', content_type="application/json").environ
        assert client.request(**environ).status_code in (401, 404), path
        assert len(environ["wsgi.input"]) == 0, path


def test_answers_to_customers_are_not_cached(client: Client) -> None:
    headers = auth_headers(make_customer())
    assert client.get("/api/v1/pc/user/userInfo", headers=headers)["Cache-Control"] == "no-store"
    assert "Cache-Control" not in client.get("/api/v1/pc/exchangeRate")


def hostile_requests() -> list[Request]:
    """Return every hundred and fiftieth hostile request."""
    known = Known(api.get_openapi_schema(), {"goodsId": 1, "shippingType": "2"}, "")
    kinds = (in_fields, in_urls, whole_bodies, in_pages, in_headers, odd_methods, notices)
    inputs = [request for kind in kinds for request in kind(known)]
    return inputs[::150]


def test_hostile_values_anywhere_are_no_fault_and_change_nothing() -> None:
    token, before = auth_headers(make_customer())["token"], books(but=[Trade])
    client = Client(raise_request_exception=False)
    for request in hostile_requests():
        headers = dict(request.headers) | ({"token": token} if request.is_call else {})
        kind = headers.pop("Content-Type", "")
        try:
            answer = client.generic(request.method, request.target, request.body, kind, headers=headers)
        except UnicodeError:
            # Django's client cannot send it.
            continue
        assert answer.status_code < 500, request.why
        if request.is_call:
            assert {"code", "msg", "result"} <= answer.json().keys(), request.why
    # An empty body asks for the code of an order, in whatever encoding of JSON; it holds nothing.
    assert books(but=[Trade]) == before
