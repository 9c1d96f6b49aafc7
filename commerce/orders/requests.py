"""The normal form of an order request, in which two requests are compared."""

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from datetime import datetime
from typing import ClassVar

from django.utils.crypto import salted_hmac

from commerce.delivery.shipping import ShippingType
from core.errors import Err, ShopError
from core.ids import digest
from core.languages import ENGLISH

# Pairs of product id and units.
Units = list[tuple[int, int]]


@dataclass(frozen=True)
class Basket:
    """Products in basket order, one entry each; products of a promotion are separate."""

    ordinary: Units
    promoted: Units
    promotion_id: int | None

    @classmethod
    def of(cls, ordinary: Iterable[tuple[int, int]], promoted: Iterable[tuple[int, int, int]]) -> "Basket":
        """Create a basket from lines; the units of a repeated product are added up.

        `ordinary`: product id, units. `promoted`: promotion id, product id, units.
        Raises ShopError(one_activity_only) for products of two promotions.
        """
        promoted = list(promoted)
        promotions = {promotion_id for promotion_id, *_ in promoted}
        if len(promotions) > 1:
            raise ShopError(Err.one_activity_only)
        lines = [(product_id, units) for _, product_id, units in promoted]
        return cls(_united(ordinary), _united(lines), next(iter(promotions), None))

    @property
    def units(self) -> Counter[int]:
        """Product id → units, ordinary and promoted together."""
        units: Counter[int] = Counter()
        for product_id, amount in self.ordinary + self.promoted:
            units[product_id] += amount
        return units


@dataclass(frozen=True)
class Delivery:
    """A delivery to one of the customer's addresses, abroad or within Australia.

    `window`: start of the delivery window, None for none. `id_card`: the recipient's number in the normal
    form of `commerce.orders.id_cards`, empty for none.
    """

    shipping_type: ShippingType
    address_id: int
    window: datetime | None = None
    leave_at_door: bool = False
    # Logs print this class, and must not contain the number.
    id_card: str = field(default="", repr=False)


@dataclass(frozen=True)
class PickUp:
    """A pick-up in a shop at a time."""

    shipping_type: ClassVar = ShippingType.pickup
    shop_id: int
    starts_at: datetime


Fulfilment = Delivery | PickUp


@dataclass(frozen=True)
class Wishes:
    """The customer's remark, wish for sold-out products (`SoldOutWish` or empty), and language."""

    remark: str = ""
    sold_out_wish: str = ""
    language: str = ENGLISH


@dataclass(frozen=True)
class OrderIntent:
    """The complete content of an order request.

    `basket`: None for the products stored with the code. `points`: number of points to pay with, 0 for none.
    """

    basket: Basket | None
    fulfilment: Fulfilment
    wishes: Wishes = Wishes()
    voucher_code: str = ""
    points: int = 0


def fingerprint(basket: Basket, intent: OrderIntent) -> str:
    """Return the hash of an order request; the order of lines and the language do not change it.

    Unused options are not part of the hash, so that a request can be repeated after an upgrade that adds an
    option.
    """
    fulfilment, wishes = intent.fulfilment, intent.wishes
    products = [sorted(basket.ordinary), sorted(basket.promoted), basket.promotion_id]
    way = {name: value for name, value in asdict(fulfilment).items() if value not in (None, False, "")}
    if "id_card" in way:
        # There are few possible numbers, so a plain hash would reveal them.
        way["id_card"] = salted_hmac(
            "commerce.orders.id_card", way["id_card"], algorithm="sha256"
        ).hexdigest()
    parts: list[object] = [products, fulfilment.shipping_type, way, wishes.remark]
    if intent.voucher_code:
        parts.append(intent.voucher_code)
    if wishes.sold_out_wish:
        parts.append({"sold_out_wish": wishes.sold_out_wish})
    if intent.points:
        parts.append({"points": intent.points})
    return digest(json.dumps(parts, default=datetime.isoformat))


def _united(lines: Iterable[tuple[int, int]]) -> Units:
    units: dict[int, int] = {}
    for product_id, amount in lines:
        units[product_id] = units.get(product_id, 0) + amount
    return list(units.items())
