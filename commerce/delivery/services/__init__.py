"""Quotes freight, locks its rules, books pick-up slots and lists the pick-up shops."""

from commerce.delivery.services.quotes import find_products, ordinary_amount, quote_freight
from commerce.delivery.services.rules import locking_freight_rules
from commerce.delivery.services.shops import open_locations, open_shops
from commerce.delivery.services.slots import book_slot, release_slots

__all__ = [
    "book_slot",
    "find_products",
    "locking_freight_rules",
    "open_locations",
    "open_shops",
    "ordinary_amount",
    "quote_freight",
    "release_slots",
]
