from pathlib import Path

import pytest
from pytest_django import Settings

from commerce.accounts.models import Customer
from commerce.accounts.tests.builders import make_customer
from commerce.payments.models import PayType
from commerce.payments.services import certificates
from commerce.payments.tests.builders import make_pay_types
from core.pictures.uploads import NoPictureError, Reencoded


@pytest.fixture(autouse=True)
def _pay_types(db: None) -> None:
    """Restore what the migration wrote, where a test that commits has emptied the tables."""
    if not PayType.objects.exists():
        make_pay_types()


@pytest.fixture(autouse=True)
def _unreachable_notice_url(settings: Settings) -> None:
    """Send notices to a closed port, unless a test starts a server."""
    settings.PRODUCTION, settings.SITE_URL = True, "http://127.0.0.1:1"


@pytest.fixture
def customer(db: None) -> Customer:
    return make_customer()


@pytest.fixture(autouse=True)
def folder(settings: Settings, tmp_path: Path) -> Path:
    """Keep the files of each test apart; returns the folder of its certificates."""
    settings.DATA_DIR = tmp_path
    return tmp_path / "certificates"


@pytest.fixture
def quick_decoder(monkeypatch: pytest.MonkeyPatch) -> None:
    """Store all but junk as it was sent, without the process that decodes a picture."""

    def take(data: bytes) -> Reencoded:
        if data == b"junk":
            raise NoPictureError
        return Reencoded(data, "0" * 256)

    monkeypatch.setattr(certificates, "reencode", take)
