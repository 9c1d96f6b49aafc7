"""What a full disk is answered with (docs/guarantees/operation.md#full-disks)."""

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO

import pytest
from django.core.files.storage import FileSystemStorage
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from PIL import Image

from commerce.orders.tests.builders import Buyer, audit, books, make_stocked
from commerce.payments.models import Certificate
from config.tests.test_busy import refused_as
from core.errors import Err

pytestmark = pytest.mark.both_databases

BUYERS = 30


@contextmanager
def no_new_pages() -> Iterator[None]:
    """Let SQLite's file grow no more, nor reuse the pages of rows that other tests have deleted."""
    with connection.cursor() as cursor:
        cursor.execute("VACUUM")
        before = cursor.execute("PRAGMA max_page_count").fetchone()[0]
        pages = cursor.execute("PRAGMA page_count").fetchone()[0]
        cursor.execute(f"PRAGMA max_page_count = {pages}")
        yield
        cursor.execute(f"PRAGMA max_page_count = {before}")


@pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL cannot be made full")
@pytest.mark.django_db(transaction=True)
def test_an_order_that_finds_no_space_changes_nothing_and_succeeds_when_there_is_some() -> None:
    rice = make_stocked(10 * BUYERS)
    orders = [(buyer, buyer.body((rice, 1), remark="x" * 500)) for buyer in (Buyer() for _ in range(BUYERS))]

    with no_new_pages():
        for buyer, body in orders:
            before = books()
            response = buyer.client.post("/api/v1/pc/order", body, "application/json")
            if response.status_code != 200:
                break
        assert refused_as(response, Err.shop_unavailable)
        assert books() == before
        assert Client().get("/shop").status_code == 200
        audit()

    assert buyer.send("POST", "/order", body)["code"] == 0
    audit()


@pytest.mark.django_db
def test_a_picture_that_finds_no_space_is_asked_for_later(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_arguments: object) -> str:
        raise OSError(errno.ENOSPC, "No space left on device")

    buyer, picture = Buyer(), BytesIO()
    Image.new("RGB", (20, 20)).save(picture, "JPEG")
    monkeypatch.setattr(FileSystemStorage, "_save", fail)
    file = SimpleUploadedFile("receipt.jpg", picture.getvalue(), "image/jpeg")
    response = buyer.client.post("/api/v1/upload/oss/image", {"file": file})
    assert refused_as(response, Err.shop_unavailable)
    assert not Certificate.objects.exists()
