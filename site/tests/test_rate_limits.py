"""Limits of all packages that count by network."""

from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone

from commerce.accounts.services import codes, login
from commerce.enquiries import services as enquiries
from commerce.payments.services import certificates
from commerce.rate_limits.services import RateLimit, consume
from commerce.stock_alerts import services as stock_alerts
from config import staff_login
from core.errors import ShopError

AN_HOUR = 3600
BY_NETWORK = [
    codes.PER_NETWORK,
    login.LOGIN_HERE,
    login.LOGIN_NETWORK,
    certificates.REFUSED_PER_NETWORK,
    stock_alerts.PER_NETWORK,
    enquiries.PER_NETWORK,
    staff_login.LOGIN_HERE,
    staff_login.LOGIN_NETWORK,
    staff_login.RESET_NETWORK,
]


@pytest.mark.django_db
@pytest.mark.parametrize("limit", BY_NETWORK, ids=lambda limit: limit.name)
def test_one_network_of_64_bits_cannot_lock_its_network_of_48_bits(limit: RateLimit) -> None:
    """However often it tries within a window: a refused attempt counts nowhere."""
    begin, tries = timezone.now(), 0
    with time_machine.travel(begin, tick=False) as clock:
        while timezone.now() < begin + limit.window:
            try:
                consume((limit, "2001:db8:1::/64"))
                tries += 1
            except ShopError as refusal:
                # Without a wait the loop would never end.
                clock.shift(timedelta(seconds=refusal.retry_after or AN_HOUR))
    assert limit.maximum <= tries < limit.maximum * 16
    with time_machine.travel(begin + limit.window - timedelta(seconds=1), tick=False):
        consume((limit, "2001:db8:1:ffff::/64"))
