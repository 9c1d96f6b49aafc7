"""Quotes freight, books pick-up slots and lists the pick-up shops."""

from commerce.delivery.services.quotes import find_products, quote_freight
from commerce.delivery.services.shops import open_locations, open_shops
from commerce.delivery.services.slots import book_slot, release_slot

__all__ = [
    "book_slot",
    "find_products",
    "open_locations",
    "open_shops",
    "quote_freight",
    "release_slot",
]
