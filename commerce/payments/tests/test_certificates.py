"""Certificates: uploaded pictures, malicious ones above all.

See docs/guarantees.md#pictures-from-strangers.
"""

import io
import re
import struct
import zlib
from collections.abc import Iterator
from dataclasses import replace
from html import unescape
from pathlib import Path
from typing import Any

import pytest
import time_machine
from django.conf import LazySettings
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from PIL import Image as Pillow
from PIL.PngImagePlugin import PngInfo

from commerce.accounts.models import Customer
from commerce.accounts.tests.builders import auth_headers, make_customer
from commerce.payments.models import Certificate
from commerce.payments.services import certificates
from commerce.payments.services.certificates import (
    LINK_VALID_FOR,
    PER_CUSTOMER,
    REFUSED_PER_CUSTOMER,
    REFUSED_PER_NETWORK,
)
from commerce.rate_limits.models import RateLimitCounter
from core.tests.threads import at_once

pytestmark = pytest.mark.django_db
CALL = "/api/v1/upload/oss/image"
SCRIPT = b"<script>alert(1)</script>"


def picture(format: str = "JPEG", size: tuple[int, int] = (60, 40), mode: str = "RGB", **kw: Any) -> bytes:
    out = io.BytesIO()
    Pillow.new(mode, size).save(out, format, **kw)
    return out.getvalue()


@pytest.fixture
def customer() -> Customer:
    return make_customer()


@pytest.fixture(autouse=True)
def folder(settings: LazySettings, tmp_path: Path) -> Path:
    settings.DATA_DIR = tmp_path
    return tmp_path / "certificates"


def send(customer: Customer | None, data: bytes, name: str = "slip.jpg", type: str = "image/jpeg") -> Any:
    headers = auth_headers(customer) if customer else {}
    file = SimpleUploadedFile(name, data, type)
    return Client().post(CALL, {"file": file}, headers=headers)


def stored_files(folder: Path) -> list[Path]:
    return list(folder.iterdir()) if folder.exists() else []


@pytest.mark.parametrize("format", ["JPEG", "PNG", "WEBP"])
def test_a_picture_is_stored_and_shown_to_whoever_has_its_link(
    customer: Customer, folder: Path, format: str
) -> None:
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
    assert file.stat().st_mode & 0o077 == 0


def test_without_its_key_nobody_sees_a_certificate(customer: Customer) -> None:
    url = send(customer, picture()).json()["result"]["imgUrl"]
    path, _, key = url.partition("?key=")
    other = send(make_customer(), picture()).json()["result"]["imgUrl"].partition("?key=")[2]
    for address in (path, f"{path}?key=", f"{path}?key={key[:-1]}", f"{path}?key={other}", f"{path}?key=%00"):
        assert Client().get(address).status_code == 404
        assert Client().get(address, headers=auth_headers(customer)).status_code == 404
    with time_machine.travel(timezone.now() + LINK_VALID_FOR * 1.1):
        assert Client().get(url).status_code == 404
    for way_out in ("..%2f..%2fshop.sqlite3", "a", "%00", "x" * 500):
        assert Client().get(f"/pay/certificate/{way_out}?key={key}").status_code == 404


def with_exif() -> bytes:
    exif = Pillow.Exif()
    exif[0x0112] = 6
    exif[0x010E] = "SECRET place"
    exif.get_ifd(0x8825)[2] = (31.0, 57.0, 0.0)
    return picture("JPEG", exif=exif, comment=b"SECRET comment", size=(80, 20))


def test_only_the_pixels_are_stored(customer: Customer, folder: Path) -> None:
    send(customer, with_exif())
    (file,) = stored_files(folder)
    assert b"SECRET" not in file.read_bytes()
    with Pillow.open(file) as opened:
        # It is upright without its EXIF orientation.
        assert opened.size == (20, 80)
        assert not opened.getexif()
        assert not {"comment", "icc_profile", "xmp"} & opened.info.keys()


def test_a_large_picture_is_made_smaller(customer: Customer, folder: Path) -> None:
    send(customer, picture("PNG", (5000, 3000), "L"), "a.png", "image/png")
    (file,) = stored_files(folder)
    with Pillow.open(file) as opened:
        assert opened.size == (1667, 1000)


def test_transparent_areas_become_white(customer: Customer, folder: Path) -> None:
    send(customer, picture("PNG", mode="RGBA"))
    with Pillow.open(stored_files(folder)[0]) as opened:
        assert opened.getpixel((5, 5)) == (255, 255, 255)


def png_of(width: int, height: int, data: bytes = b"\0" * 64) -> bytes:
    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    tail = chunk(b"IDAT", zlib.compress(data)) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + tail


def text_bomb() -> bytes:
    info = PngInfo()
    info.add_text("a", "x" * 3_000_000, zip=True)
    return picture("PNG", pnginfo=info)


def truncated(format: str) -> bytes:
    whole = picture(format, (300, 300), "RGB")
    return whole[: len(whole) * 2 // 3]


SVG = b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
HOSTILE: dict[str, bytes] = {
    "nothing": b"",
    "one byte": b"\xff",
    "head of a JPEG": b"\xff\xd8\xff\xe0",
    "head of a PNG": b"\x89PNG\r\n\x1a\n",
    "head of a WebP": b"RIFF\x24\0\0\0WEBPVP8 ",
    "zeros": b"\0" * 5000,
    "text": b"hello",
    "HTML": b"<!doctype html>" + SCRIPT,
    "HTML after spaces": b" \n" * 100 + SCRIPT,
    "SVG": SVG,
    "SVG with a head": b'<?xml version="1.0"?>' + SVG,
    "SVG with entities": b'<!DOCTYPE s [<!ENTITY a SYSTEM "file:///etc/passwd">]><s>&a;</s>',
    "PDF": b"%PDF-1.7\n1 0 obj <<>> endobj",
    "ZIP": b"PK\x03\x04" + b"\0" * 100,
    "program": b"\x7fELF" + b"\0" * 200,
    "PHP": b"GIF89a<?php system($_GET[0]); ?>",
    "GIF": picture("GIF", mode="P"),
    "BMP": picture("BMP"),
    "TIFF": picture("TIFF"),
    "ICO": picture("ICO", (32, 32)),
    "AVIF": picture("AVIF"),
    "PPM": b"P6 2 2 255\n" + b"\0" * 12,
    "PostScript": b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n",
    "PCX": picture("PCX"),
    "TGA": picture("TGA"),
    "JPEG 2000": picture("JPEG2000"),
    "13000 squared": png_of(13_000, 13_000),
    "16000 by 1600": png_of(16_000, 1_600),
    "25 million and more": png_of(5_001, 5_000),
    "2 to 31": png_of(2**31 - 1, 2**31 - 1),
    "no width": png_of(0, 10),
    "no height": png_of(10, 0),
    "too little in it": png_of(4_000, 4_000),
    "bomb of 25 million": png_of(5_000, 5_000, b""),
    "WebP of 16 million": picture("WEBP", (4_000, 4_000)),
    "text bomb": text_bomb(),
    "truncated JPEG": truncated("JPEG")[:700],
    "truncated PNG": truncated("PNG"),
    "truncated WebP": truncated("WEBP"),
    "wrong sums": picture("PNG").replace(b"IDAT", b"IDAX"),
    "PNG without end": picture("PNG")[:-30],
    "JPEG without body": picture("JPEG")[:200],
    "JPEG of 65535 squared": picture("JPEG").replace(b"\x00\x28\x00\x3c\x03", b"\xff\xff\xff\xff\x03"),
    "script before a JPEG": SCRIPT + picture("JPEG"),
    "HTML before a PNG": b"<html>" + picture("PNG"),
    "newline before a JPEG": b"\n" + picture("JPEG"),
    "base64": b"data:image/png;base64,iVBORw0KGgo=",
    "URL": b"https://169.254.169.254/latest/meta-data",
    "MVG": b"push graphic-context\nfill 'url(https://example.com/)'\npop graphic-context",
}
# Each of these is a valid picture; the other data in it must not be stored.
POLYGLOTS: dict[str, bytes] = {
    "script after a JPEG": picture("JPEG") + SCRIPT,
    "script after a PNG": picture("PNG") + SCRIPT,
    "script after a WebP": picture("WEBP") + SCRIPT,
    "script in a comment": picture("JPEG", comment=SCRIPT),
    "script in the profile": picture("JPEG", icc_profile=SCRIPT * 20),
    "script in EXIF": picture("WEBP", exif=b"Exif\0\0" + SCRIPT),
    "script in XMP": picture("WEBP", xmp=SCRIPT),
    "ZIP after a JPEG": picture("JPEG") + b"PK\x05\x06" + SCRIPT + b"\0" * 18,
    "palette": picture("PNG", mode="P") + SCRIPT,
    "greys": picture("JPEG", mode="L") + SCRIPT,
    "inks": picture("JPEG", mode="CMYK") + SCRIPT,
    "bits": picture("PNG", mode="1") + SCRIPT,
    "16 bits": picture("PNG", mode="I;16") + SCRIPT,
    "one pixel": picture("PNG", (1, 1)) + SCRIPT,
    "thin": picture("PNG", (9_000, 1)) + SCRIPT,
}


@pytest.mark.parametrize("data", HOSTILE.values(), ids=HOSTILE)
@pytest.mark.parametrize("name", ["slip.jpg"])
def test_a_file_that_is_no_picture_is_refused(
    customer: Customer, folder: Path, data: bytes, name: str
) -> None:
    answer = send(customer, data, name)
    body = answer.json()
    assert answer.status_code == 200
    assert (body["code"], body["result"]) == (1002, None)
    assert body["reason"] in ("picture_error", "parameter_error")
    assert not stored_files(folder)
    assert not Certificate.objects.exists()


@pytest.mark.parametrize("data", POLYGLOTS.values(), ids=POLYGLOTS)
def test_of_a_picture_with_other_data_in_it_only_the_picture_is_stored(
    customer: Customer, folder: Path, data: bytes
) -> None:
    assert send(customer, data).json()["code"] == 0
    (file,) = stored_files(folder)
    assert SCRIPT not in file.read_bytes()
    with Pillow.open(file) as opened:
        assert opened.format == "JPEG"


@pytest.mark.parametrize(
    "name",
    [
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
    ],
)
def test_a_stored_file_never_has_the_senders_file_name(customer: Customer, folder: Path, name: str) -> None:
    answer = send(customer, picture(), name, "text/html")
    assert answer.status_code == 200
    for file in stored_files(folder):
        assert len(file.name) == 47
        assert file.suffix == ".jpg"


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
    yield "a", "image/jpeg"


@pytest.mark.parametrize(("body", "type"), list(bodies()))
def test_a_request_without_a_file_is_refused(customer: Customer, body: str, type: str) -> None:
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
    return dict(RateLimitCounter.objects.values_list("limit", "count"))


def test_one_customer_has_a_daily_limit_of_uploads(customer: Customer, folder: Path) -> None:
    for _ in range(PER_CUSTOMER.maximum):
        assert send(customer, picture()).json()["code"] == 0
    before = counts()
    answer = send(customer, picture())
    assert (answer.status_code, answer.json()["reason"]) == (429, "too_frequent")
    assert int(answer["Retry-After"]) > 0
    assert counts() == before
    assert len(stored_files(folder)) == Certificate.objects.count() == PER_CUSTOMER.maximum
    assert send(make_customer(), picture()).json()["code"] == 0


def test_refused_pictures_do_not_count_towards_the_days_twenty(customer: Customer, folder: Path) -> None:
    for _ in range(PER_CUSTOMER.maximum + 5):
        assert send(customer, b"junk").json()["reason"] == "picture_error"
    assert not stored_files(folder)
    assert counts()[PER_CUSTOMER.name] == 0
    for number in range(PER_CUSTOMER.maximum):
        assert send(customer, picture()).json()["code"] == 0
        if number % 5 == 0:
            assert send(customer, picture("PNG")[:-30]).json()["reason"] == "picture_error"
    assert send(customer, picture()).status_code == 429
    assert len(stored_files(folder)) == PER_CUSTOMER.maximum


def test_stored_pictures_do_not_count_as_refused(customer: Customer) -> None:
    assert send(customer, picture()).json()["code"] == 0
    assert counts() == {PER_CUSTOMER.name: 1, REFUSED_PER_CUSTOMER.name: 0, REFUSED_PER_NETWORK.name: 0}


def test_refused_pictures_have_a_limit(customer: Customer, folder: Path) -> None:
    for _ in range(REFUSED_PER_CUSTOMER.maximum):
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


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("is_junk", [False, True])
def test_concurrent_uploads_stay_within_the_limits(
    monkeypatch: pytest.MonkeyPatch, customer: Customer, folder: Path, is_junk: bool
) -> None:
    monkeypatch.setattr(certificates, "PER_CUSTOMER", replace(PER_CUSTOMER, maximum=5))
    monkeypatch.setattr(certificates, "REFUSED_PER_CUSTOMER", replace(REFUSED_PER_CUSTOMER, maximum=5))
    data = b"junk" if is_junk else picture()
    for _ in range(4):
        at_once(lambda _: send(customer, data).json()["code"], list(range(6)))
    if is_junk:
        assert counts()[REFUSED_PER_CUSTOMER.name] == 5
        assert counts()[PER_CUSTOMER.name] == 0
        assert not stored_files(folder)
    else:
        assert counts()[PER_CUSTOMER.name] == len(stored_files(folder)) == Certificate.objects.count() == 5
        assert counts()[REFUSED_PER_CUSTOMER.name] == 0


def test_five_megabytes_decode_within_the_memory_limit(customer: Customer) -> None:
    grown = memory_after(picture("PNG", (5_000, 5_000), "RGBA"))
    assert grown < 200


def memory_after(data: bytes) -> float:
    """Return by how many MiB a process grows that re-encodes a picture."""
    import subprocess
    import sys

    code = (
        "import resource, sys; from core.pictures.uploads import reencode; data = sys.stdin.buffer.read();"
        "peak = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024;"
        "before = peak(); reencode(data); print(peak() - before)"
    )
    out = subprocess.run([sys.executable, "-c", code], input=data, capture_output=True, check=True)
    return float(out.stdout)


def test_staff_see_a_certificate_in_the_back_office(client: Client, customer: Customer) -> None:
    send(customer, picture())
    client.force_login(User.objects.create_superuser("manager"))
    assert customer.account in client.get(reverse("payment_certificates:index")).content.decode()
    page = client.get(reverse("payment_certificates:inspect", args=[Certificate.objects.get().pk]))
    found = re.search(r'<img src="(/pay/certificate/[^"]+)"', page.content.decode())
    assert found
    assert Client().get(unescape(found[1])).status_code == 200
