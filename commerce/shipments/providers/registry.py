"""Which provider of tracking is asked."""

from django.conf import settings

from commerce.shipments.providers.base import TrackingProvider
from commerce.shipments.providers.kuaidi100 import Kuaidi100


def tracking_provider() -> TrackingProvider | None:
    """Return the provider; None where the shop has no key for one."""
    return Kuaidi100() if settings.KUAIDI_KEY and settings.KUAIDI_CUSTOMER else None
