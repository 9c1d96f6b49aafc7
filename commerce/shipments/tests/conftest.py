from collections.abc import Iterator
from threading import Thread

import pytest
from django.conf import LazySettings
from django.contrib.auth.models import User
from django.db.models import QuerySet

from commerce.shipments.tests.fake_kuaidi100 import Provider
from core.gateways import gateway


@pytest.fixture
def without_row_locks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no row be locked before it is written."""
    monkeypatch.setattr(QuerySet, "select_for_update", lambda rows, **_: rows)


@pytest.fixture
def li(db: None) -> User:
    """A member of staff."""
    return User.objects.create(username="li")


@pytest.fixture
def provider(settings: LazySettings) -> Iterator[Provider]:
    """The fake of Kuaidi100, as the one that the shop asks."""
    gateway.cache_clear()
    with Provider() as server:
        address = f"http://127.0.0.1:{server.server_port}/poll"
        settings.KUAIDI_URL, settings.KUAIDI_REGISTER_URL = f"{address}/query.do", address
        settings.KUAIDI_KEY, settings.KUAIDI_CUSTOMER = "KEY", "CUST"
        Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        yield server
        server.shutdown()
    gateway.cache_clear()
