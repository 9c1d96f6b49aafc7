"""Services that quote freight, check exports, book pick-up slots and delivery windows, and list shops."""

from commerce.delivery.services.exports import check_export
from commerce.delivery.services.quotes import find_products, ordinary_amounts, quote_freight
from commerce.delivery.services.rules import locking_freight_rules
from commerce.delivery.services.shops import open_locations, open_shops, shops_with
from commerce.delivery.services.slots import book_slot, release_slots
from commerce.delivery.services.windows import (
    BookedWindow,
    book_window,
    check_goes_by_van,
    free_windows,
    release_windows,
)

__all__ = [
    "BookedWindow",
    "book_slot",
    "book_window",
    "check_export",
    "check_goes_by_van",
    "find_products",
    "free_windows",
    "locking_freight_rules",
    "open_locations",
    "open_shops",
    "ordinary_amounts",
    "quote_freight",
    "release_slots",
    "release_windows",
    "shops_with",
]
