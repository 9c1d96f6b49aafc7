"""The tracking provider that the settings select."""

from django.conf import settings

from commerce.shipments.providers.base import TrackingProvider
from commerce.shipments.providers.kuaidi100 import Kuaidi100


def tracking_provider() -> TrackingProvider | None:
    """Return the tracking provider; None if the shop has no key for one."""
    return Kuaidi100() if settings.KUAIDI_KEY and settings.KUAIDI_CUSTOMER else None
