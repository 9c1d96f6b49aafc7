"""Services that quote freight, check exports, book pick-up slots and delivery windows, and list shops."""

from commerce.delivery.services.arrivals import Arrival, next_arrival
from commerce.delivery.services.exports import check_export
from commerce.delivery.services.quotes import (
    find_products,
    freight_rules,
    has_advance,
    ordinary_amounts,
    quote_freight,
)
from commerce.delivery.services.rules import locking_freight_rules
from commerce.delivery.services.shops import open_locations, open_shops, shop_hours, shops_with
from commerce.delivery.services.slots import book_slot, release_slots
from commerce.delivery.services.windows import (
    BookedWindow,
    book_window,
    check_goes_by_van,
    free_windows,
    release_windows,
    van_windows,
)

__all__ = [
    "Arrival",
    "BookedWindow",
    "book_slot",
    "book_window",
    "check_export",
    "check_goes_by_van",
    "find_products",
    "free_windows",
    "freight_rules",
    "has_advance",
    "locking_freight_rules",
    "next_arrival",
    "open_locations",
    "open_shops",
    "ordinary_amounts",
    "quote_freight",
    "release_slots",
    "release_windows",
    "shop_hours",
    "shops_with",
    "van_windows",
]
