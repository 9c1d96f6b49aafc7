"""The page about delivery fees and times (docs/product.md#fees-and-times)."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _

from catalog.rates.current import rate_now
from commerce.delivery import services
from commerce.delivery.fees import delivery_fees, weekly_windows
from commerce.delivery.freight import MAX_PARCEL_GRAMS
from commerce.delivery.serializers import opening_hours
from core import clock
from core.pages.public import public_page


@public_page()
def fees(request: HttpRequest) -> HttpResponse:
    """Render fees, thresholds, areas and times of delivery and pick-up, from rarely changed rows."""
    windows, days_off = services.van_windows()
    context = {
        "countries": delivery_fees(services.freight_rules(), timezone.localdate(timezone=clock.shop_zone())),
        "windows": weekly_windows(windows),
        "closes": max((window.cutoff_hours for window in windows), default=0),
        "days_off": sorted(days_off),
        "shops": [
            (shop, opening_hours(shop.hours.all(), exceptions)) for shop, exceptions in services.shop_hours()
        ],
        "parcel_kilograms": MAX_PARCEL_GRAMS // 1000,
        "crumbs": [(_("Delivery fees and times"), "")],
        "rate": rate_now(),
    }
    return render(request, "delivery/fees.html", context)
