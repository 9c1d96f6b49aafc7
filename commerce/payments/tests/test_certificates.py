"""Certificates: how many pictures a customer may upload, and the readers of each.

Files that are no pictures are in `site/core/tests/test_uploads.py`.
See docs/guarantees/customers.md#uploaded-pictures.
"""

import io
import re
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from dataclasses import replace
from datetime import timedelta
from html import unescape
from http import HTTPStatus
from pathlib import Path
from threading import Barrier
from typing import Any
from unittest.mock import Mock

import pytest
import time_machine
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from PIL import Image as Pillow

from commerce.accounts.models import Customer
from commerce.accounts.tests.builders import auth_headers, make_customer
from commerce.payments.models import Certificate
from commerce.payments.services import certificates
from commerce.payments.services.certificates import (
    CONCURRENT_PER_CUSTOMER,
    LOCKED_FOR,
    PER_CUSTOMER,
    REFUSED_PER_CUSTOMER,
    REFUSED_PER_NETWORK,
)
from commerce.rate_limits.models import RateLimitCounter
from commerce.rate_limits.services import Count, consume, refund
from core.pictures.uploads import DecoderBusyError, NoPictureError, Reencoded, reencode
from core.tests.failing import refuse_as_busy
from core.tests.rows import rolled_back
from core.tests.threads import concurrently

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("quick_decoder")]
CALL = "/api/v1/upload/oss/image"
SCRIPT = b"<script>alert(1)</script>"


def picture(format: str = "JPEG", size: tuple[int, int] = (60, 40), mode: str = "RGB", **kw: Any) -> bytes:
    out = io.BytesIO()
    Pillow.new(mode, size).save(out, format, **kw)
    return out.getvalue()


@pytest.fixture
def decoder(quick_decoder: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Decode the pictures after all, in a test of what becomes of them."""
    monkeypatch.setattr(certificates, "reencode", reencode)


def send(
    customer: Customer | None, data: bytes, name: str = "slip.jpg", type: str = "image/jpeg", **environ: Any
) -> Any:
    headers = auth_headers(customer) if customer else {}
    file = SimpleUploadedFile(name, data, type)
    return Client(**environ).post(CALL, {"file": file}, headers=headers)


def stored_files(folder: Path) -> list[Path]:
    return list(folder.iterdir()) if folder.exists() else []


@pytest.mark.usefixtures("decoder")
def test_a_picture_is_stored_and_shown_to_everyone_who_has_its_link(
    customer: Customer, folder: Path, subtests: pytest.Subtests
) -> None:
    for format in ("JPEG", "PNG", "WEBP"):
        with subtests.test(format=format), rolled_back():
            for file in stored_files(folder):
                file.unlink()
            body = send(customer, picture(format)).json()
            assert (body["code"], list(body["result"])) == (0, ["imgUrl"])
            shown = Client().get(body["result"]["imgUrl"])
            data = b"".join(shown.streaming_content)  # type: ignore[attr-defined]
            assert (shown.status_code, shown["Content-Type"]) == (200, "image/jpeg")
            assert "no-store" in shown["Cache-Control"]
            assert shown["X-Content-Type-Options"] == "nosniff"
            with Pillow.open(io.BytesIO(data)) as opened:
                assert (opened.format, opened.size) == ("JPEG", (60, 40))
            (file,) = stored_files(folder)
            assert file.stat().st_mode & 0o077 == folder.stat().st_mode & 0o077 == 0


def test_a_certificate_is_not_shown_without_its_key(customer: Customer) -> None:
    url = send(customer, picture()).json()["result"]["imgUrl"]
    path, _, key = url.partition("?key=")
    other = send(make_customer(), picture()).json()["result"]["imgUrl"].partition("?key=")[2]
    for address in (path, f"{path}?key=", f"{path}?key={key[:-1]}", f"{path}?key={other}", f"{path}?key=%00"):
        assert Client().get(address).status_code == 404
        assert Client().get(address, headers=auth_headers(customer)).status_code == 404
    for hours, status in [(23, 200), (25, 404)]:
        with time_machine.travel(timezone.now() + timedelta(hours=hours)):
            assert Client().get(url).status_code == status
    for way_out in ("..%2f..%2fshop.sqlite3", "a", "%00", "x" * 500):
        assert Client().get(f"/pay/certificate/{way_out}?key={key}").status_code == 404


@pytest.mark.usefixtures("decoder")
def test_a_file_that_is_no_picture_is_refused(
    customer: Customer, folder: Path, subtests: pytest.Subtests
) -> None:
    for data in (SCRIPT, picture("GIF"), picture()[:300]):
        with subtests.test(data=data), rolled_back():
            answer = send(customer, data)
            body = answer.json()
            assert (answer.status_code, body["code"], body["result"]) == (200, 1002, None)
            assert (body["reason"], body["fields"]) == ("picture_error", {"file": "picture_error"})
            assert not stored_files(folder)
            assert not Certificate.objects.exists()


@pytest.mark.usefixtures("decoder")
def test_only_the_picture_is_stored(customer: Customer, folder: Path) -> None:
    assert send(customer, picture(comment=SCRIPT) + SCRIPT).json()["code"] == 0
    (file,) = stored_files(folder)
    assert SCRIPT not in file.read_bytes()


def test_a_stored_file_never_has_the_senders_file_name(
    customer: Customer, folder: Path, subtests: pytest.Subtests
) -> None:
    for name in (
        "../../etc/passwd",
        "..\\..\\x.php",
        "a.php",
        "a.svg",
        "a\0.jpg",
        "x" * 300 + ".jpg",
        "付款.jpg",
        ".htaccess",
        " ",
        "a;b.jpg",
    ):
        with subtests.test(name=name), rolled_back():
            answer = send(customer, picture(), name, "text/html")
            assert answer.status_code == 200
            for file in stored_files(folder):
                assert len(file.name) == 47
                assert file.suffix == ".jpg"


@pytest.mark.usefixtures("decoder")
def test_five_megabytes_are_the_maximum(customer: Customer, folder: Path) -> None:
    at_most = picture() + b"\0" * (5 * 1024 * 1024 - len(picture()))
    assert send(customer, at_most).json()["code"] == 0
    for more in (1, 60_000, 200_000, 3_000_000):
        answer = send(customer, at_most + b"\0" * more)
        assert (answer.status_code, answer.json()["reason"]) == (413, "body_too_large")
    assert len(stored_files(folder)) == 1


def bodies() -> Iterator[tuple[str, str]]:
    yield "", "multipart/form-data"
    yield "--x\r\n", "multipart/form-data; boundary=x"
    yield "--x\r\n\r\n\r\n--x--", "multipart/form-data; boundary=x"
    yield "junk", "multipart/form-data; boundary=\x7f"
    for named in ('name="file"', 'name="other"; filename="a"'):
        part = f"--x\r\nContent-Disposition: form-data; {named}\r\n\r\na\r\n--x--"
        yield part, "multipart/form-data; boundary=x"
    yield '{"file": "a"}', "application/json"
    yield "file=a", "application/x-www-form-urlencoded"
    # More than Django reads.
    yield "&".join(["file=a"] * 10_001), "application/x-www-form-urlencoded"
    yield "a", "image/jpeg"


def test_a_request_without_a_file_is_refused(customer: Customer, subtests: pytest.Subtests) -> None:
    for body, type in list(bodies()):
        with subtests.test(body=body, type=type), rolled_back():
            answer = Client().generic("POST", CALL, body, type, headers=auth_headers(customer))
            assert (answer.status_code, answer.json()["reason"]) == (200, "parameter_error")


def test_too_many_parts_are_refused(customer: Customer) -> None:
    part = '--x\r\nContent-Disposition: form-data; name="a{}"; filename="a"\r\n\r\na\r\n'
    body = "".join(part.format(number) for number in range(200)) + "--x--"
    answer = Client().generic(
        "POST", CALL, body, "multipart/form-data; boundary=x", headers=auth_headers(customer)
    )
    assert answer.json()["reason"] == "parameter_error"


def test_other_calls_still_refuse_large_bodies(customer: Customer) -> None:
    body = b"x" * 2_000_000
    for path in ("/api/v1/pc/order", CALL):
        answer = Client().generic("POST", path, body, "application/json", headers=auth_headers(customer))
        assert answer.status_code == 413


def test_only_customers_upload(folder: Path) -> None:
    assert send(None, picture()).status_code == 401
    answer = Client().post(CALL, {"file": SimpleUploadedFile("a", picture())}, headers={"token": "junk"})
    assert answer.json()["code"] == 1001
    assert not stored_files(folder)


def counts() -> dict[str, int]:
    """Return how often each limit was counted; one upload at a time is not counted for long."""
    found = dict(RateLimitCounter.objects.values_list("limit", "count"))
    assert found.pop(CONCURRENT_PER_CUSTOMER.name, 0) == 0
    return found


@pytest.fixture
def small_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(certificates, "PER_CUSTOMER", replace(PER_CUSTOMER, maximum=3))
    monkeypatch.setattr(certificates, "REFUSED_PER_CUSTOMER", replace(REFUSED_PER_CUSTOMER, maximum=6))


def test_a_picture_that_is_refused_as_busy_does_not_count(
    customer: Customer, monkeypatch: pytest.MonkeyPatch, subtests: pytest.Subtests
) -> None:
    def refund_in_vain(*counts: Count) -> None:
        (refund if counts[0][0] == CONCURRENT_PER_CUSTOMER else refuse_as_busy)(*counts)

    for owner, name, busy in (
        (Certificate.objects, "create", refuse_as_busy),
        (certificates, "refund", refund_in_vain),
    ):
        with subtests.test(name=name), rolled_back(), monkeypatch.context() as patched:
            patched.setattr(owner, name, busy)
            answer = send(customer, picture())
            assert (answer.status_code, answer.json()["reason"]) == (429, "shop_busy")
            assert not any(counts().values())


@pytest.mark.usefixtures("small_limits")
def test_one_customer_has_a_daily_limit_of_uploads(customer: Customer, folder: Path) -> None:
    for _ in range(3):
        assert send(customer, picture()).json()["code"] == 0
    before = counts()
    answer = send(customer, picture())
    assert (answer.status_code, answer.json()["reason"]) == (429, "too_frequent")
    assert int(answer["Retry-After"]) > 60
    assert counts() == before
    assert len(stored_files(folder)) == Certificate.objects.count() == 3
    assert send(make_customer(), picture()).json()["code"] == 0


@pytest.mark.usefixtures("small_limits")
def test_refused_pictures_do_not_count_towards_the_days_maximum(customer: Customer, folder: Path) -> None:
    for _ in range(4):
        assert send(customer, b"junk").json()["reason"] == "picture_error"
    assert not stored_files(folder)
    assert counts()[PER_CUSTOMER.name] == 0
    for _ in range(3):
        assert send(customer, picture()).json()["code"] == 0
    assert send(customer, picture()).status_code == 429
    assert len(stored_files(folder)) == 3


@pytest.mark.usefixtures("small_limits")
def test_refused_pictures_have_a_limit(customer: Customer, folder: Path) -> None:
    for _ in range(6):
        assert send(customer, b"junk").json()["reason"] == "picture_error"
    for data in (b"junk", picture()):
        answer = send(customer, data)
        assert (answer.status_code, answer.json()["reason"]) == (429, "too_frequent")
    assert not stored_files(folder)
    assert send(make_customer(), picture()).json()["code"] == 0
    with time_machine.travel(timezone.now() + REFUSED_PER_CUSTOMER.window * 1.1):
        assert send(customer, picture()).json()["code"] == 0


def test_customers_of_one_network_share_the_limit_of_refused_pictures(
    monkeypatch: pytest.MonkeyPatch, folder: Path
) -> None:
    monkeypatch.setattr(certificates, "REFUSED_PER_NETWORK", replace(REFUSED_PER_NETWORK, maximum=3))
    reasons = [send(make_customer(), b"junk").json()["reason"] for _ in range(4)]
    assert reasons == ["picture_error"] * 3 + ["too_frequent"]
    assert not stored_files(folder)
    elsewhere = send(make_customer(), b"junk", REMOTE_ADDR="203.0.113.9")
    assert elsewhere.json()["reason"] == "picture_error"


@pytest.mark.django_db(transaction=True)
def test_concurrent_uploads_of_many_customers_stay_within_the_limit_of_their_network(
    monkeypatch: pytest.MonkeyPatch, folder: Path
) -> None:
    monkeypatch.setattr(certificates, "REFUSED_PER_NETWORK", replace(REFUSED_PER_NETWORK, maximum=5))

    monkeypatch.setattr(certificates, "reencode", Mock(side_effect=NoPictureError))
    customers = [make_customer() for _ in range(16)]
    reasons = Counter(concurrently(lambda each: send(each, b"junk").json()["reason"], customers))
    assert reasons == {"picture_error": 5, "too_frequent": 11}
    assert counts()[REFUSED_PER_NETWORK.name] == 5


def twenty_concurrently(
    monkeypatch: pytest.MonkeyPatch, customer: Customer, decode: Callable[[bytes], Reencoded]
) -> list[Any]:
    """Send twenty pictures of one customer; none is decoded before each is being decoded or refused."""
    all_there = Barrier(20)

    def decode_then(data: bytes) -> Reencoded:
        all_there.wait(60)
        return decode(data)

    def upload(_: int) -> Any:
        answer = send(customer, picture())
        if answer.status_code == HTTPStatus.TOO_MANY_REQUESTS:
            all_there.wait(60)
        return answer

    monkeypatch.setattr(certificates, "reencode", decode_then)
    return concurrently(upload, range(20))


@pytest.mark.django_db(transaction=True)
def test_of_twenty_uploads_at_the_same_time_of_one_customer_one_is_decoded(
    monkeypatch: pytest.MonkeyPatch, customer: Customer, folder: Path
) -> None:
    answers = twenty_concurrently(monkeypatch, customer, reencode)
    refused = [answer for answer in answers if answer.status_code != HTTPStatus.OK]
    assert {(answer.status_code, answer.json()["reason"]) for answer in refused} == {(429, "too_frequent")}
    assert {answer["Retry-After"] for answer in refused} == {"2"}
    assert len(refused) == 19
    assert len(stored_files(folder)) == Certificate.objects.count() == 1
    assert counts() == {PER_CUSTOMER.name: 1, REFUSED_PER_CUSTOMER.name: 0, REFUSED_PER_NETWORK.name: 0}
    monkeypatch.setattr(certificates, "reencode", reencode)
    assert send(customer, b"junk").json()["reason"] == "picture_error"


@pytest.mark.django_db(transaction=True)
def test_control_without_the_lock_all_twenty_are_decoded(
    monkeypatch: pytest.MonkeyPatch, customer: Customer
) -> None:
    monkeypatch.setattr(certificates, "_only_upload", lambda _: nullcontext())
    answers = twenty_concurrently(monkeypatch, customer, lambda data: Reencoded(data, ""))
    assert {answer.status_code for answer in answers} == {200}


def test_an_upload_whose_process_was_killed_delays_the_customer_for_seconds_only(
    customer: Customer, folder: Path
) -> None:
    consume((CONCURRENT_PER_CUSTOMER, str(customer.pk)))
    answer = send(customer, picture())
    assert (answer.status_code, answer["Retry-After"]) == (429, "2")
    assert not stored_files(folder)
    with time_machine.travel(timezone.now() + LOCKED_FOR * 1.01):
        assert send(customer, picture()).json()["code"] == 0
        assert send(customer, picture()).json()["code"] == 0


def test_an_upload_that_soon_follows_another_keeps_others_out_as_long(customer: Customer) -> None:
    start = timezone.now()
    with time_machine.travel(start):
        assert send(customer, picture()).json()["code"] == 0
    with time_machine.travel(start + LOCKED_FOR * 0.9):
        consume((CONCURRENT_PER_CUSTOMER, str(customer.pk)))
    with time_machine.travel(start + LOCKED_FOR * 1.8):
        assert send(customer, picture()).status_code == 429


def test_an_upload_that_finds_the_decoder_busy_counts_for_nothing(
    monkeypatch: pytest.MonkeyPatch, customer: Customer, folder: Path
) -> None:
    monkeypatch.setattr(certificates, "reencode", Mock(side_effect=DecoderBusyError))
    answer = send(customer, picture())
    assert (answer.status_code, answer.json()["reason"]) == (429, "too_frequent")
    assert answer["Retry-After"] == "2"
    assert set(counts().values()) == {0}
    assert not stored_files(folder)
    assert not Certificate.objects.exists()


def test_staff_see_a_certificate_in_the_back_office(boss: Client, customer: Customer) -> None:
    send(customer, picture())
    assert customer.account in boss.get(reverse("payment_certificates:index")).content.decode()
    page = boss.get(reverse("payment_certificates:inspect", args=[Certificate.objects.get().pk]))
    found = re.search(r'<img src="(/pay/certificate/[^"]+)"', page.content.decode())
    assert found
    assert Client().get(unescape(found[1])).status_code == 200
