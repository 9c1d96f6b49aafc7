from collections.abc import Iterator
from typing import Any

import pytest
from django.conf import LazySettings

from commerce.accounts.tests.api_client import ApiClient
from commerce.accounts.tests.builders import make_level
from commerce.accounts.tests.fake_geetest import CAPTCHA_ID, KEY, FakeGeetest, open_geetest


@pytest.fixture
def api(db: None, client: Any, django_capture_on_commit_callbacks: Any) -> ApiClient:
    """A client of the API that solves captchas and reads the messages sent."""
    make_level()
    return ApiClient(client, django_capture_on_commit_callbacks)


@pytest.fixture
def geetest(settings: LazySettings) -> Iterator[FakeGeetest]:
    """GeeTest's server side, which the shop asks."""
    with open_geetest() as fake:
        settings.GEETEST_CAPTCHA_ID, settings.GEETEST_CAPTCHA_KEY = CAPTCHA_ID, KEY
        settings.GEETEST_VALIDATE_URL = fake.url
        yield fake
