"""What an order asks for, whatever the spelling of its request; two requests are compared in this form."""

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
    """Products in basket order, one entry each; those bought at the prices of one promotion are separate."""

    ordinary: Units
    promoted: Units
    promotion_id: int | None

    @classmethod
    def of(cls, ordinary: Iterable[tuple[int, int]], promoted: Iterable[tuple[int, int, int]]) -> "Basket":
        """Unite lines; a product that is named twice counts with the sum.

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
        """The units of each product, at whichever price, by its id."""
        units: Counter[int] = Counter()
        for product_id, amount in self.ordinary + self.promoted:
            units[product_id] += amount
        return units


@dataclass(frozen=True)
class Delivery:
    """Products are sent to one of the customer's addresses, abroad or within Australia.

    `window`: the beginning of the van's delivery window, None for none. `id_card`: the recipient's number, in
    the form of `commerce.orders.id_cards`, empty for none.
    """

    shipping_type: ShippingType
    address_id: int
    window: datetime | None = None
    leave_at_door: bool = False
    # Logs print values of this class; they must not contain the number.
    id_card: str = field(default="", repr=False)


@dataclass(frozen=True)
class PickUp:
    """Products are handed over in a shop, at a time."""

    shipping_type: ClassVar = ShippingType.pickup
    shop_id: int
    starts_at: datetime


Fulfilment = Delivery | PickUp


@dataclass(frozen=True)
class Wishes:
    """A customer's remark, what to do if a product is sold out (`SoldOutWish` or empty), and the language."""

    remark: str = ""
    sold_out_wish: str = ""
    language: str = ENGLISH


@dataclass(frozen=True)
class OrderIntent:
    """Everything that a customer asks for in one order.

    `basket`: None for the products that came with the code. `points`: how many of the customer's points pay
    for it, 0 for none.
    """

    basket: Basket | None
    fulfilment: Fulfilment
    wishes: Wishes = Wishes()
    voucher_code: str = ""
    points: int = 0


def fingerprint(basket: Basket, intent: OrderIntent) -> str:
    """Hash a basket and what else an order asks for; the order of lines and the language make no difference.

    Options that the customer does not use are not part of the hash. A customer may therefore send a code
    again after an upgrade that adds an option.
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
