"""What staff read of a day that is unlike others."""

from datetime import date

import pytest
from django.utils import translation

from commerce.delivery.models import DeliveryDayOff, PickupException


@pytest.mark.parametrize(
    ("language", "day", "everywhere"),
    [
        ("en", "25 Dec 2026", "25 Dec 2026 every shop"),
        ("zh-hans", "2026年12月25日", "2026年12月25日 所有门店"),
    ],
)
def test_a_day_is_named_in_the_readers_language(language: str, day: str, everywhere: str) -> None:
    christmas = date(2026, 12, 25)
    with translation.override(language):
        assert str(DeliveryDayOff(date=christmas)) == day
        assert str(PickupException(date=christmas)) == everywhere
