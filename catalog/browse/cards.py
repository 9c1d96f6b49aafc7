"""What a goods card shows: the one shape behind every list of goods on the pages."""

import colorsys
import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from functools import cached_property
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from catalog.browse.listing import ADVANCE, IN_STOCK, SOLD_OUT
from catalog.browse.out import best_offer, goods_at_offer_out, goods_out, promotion_name_out
from catalog.goods.models import Product, UnitMeasure, is_chinese
from catalog.goods.rates import cny_text
from catalog.goods.unitprice import unit_price
from catalog.promotions.offers import Offer
from catalog.promotions.pricing import member_price
from core.languages import localised, other_html_language
from core.money import aud
from core.wire import price_number

# From here down a card says how many are left.
FEW = 10
FOR_THE_CART = (
    "goodsId",
    "goodsName",
    "goodsEnglishName",
    "goodsImgUrl",
    "goodsStockAmount",
    "memberPrice",
    "isSelf",
    "isAdvance",
    "netWeight",
    "storage",
    "pack",
    "packZh",
    "unitPrice",
    "unitPriceMeasure",
    "minAmount",
    "limitAmount",
)


def aud_text(amount: Decimal) -> str:
    """Write dollars in short, as cards show them: $3.90."""
    return f"${aud(amount):,}"


def hue_class(tint: str) -> str:
    """Name the stylesheet's hue (steps of 15 degrees) nearest to a colour like #E6F4E1."""
    red, green, blue = (int(tint[place : place + 2], 16) / 255 for place in (1, 3, 5))
    hue = colorsys.rgb_to_hls(red, green, blue)[0] * 360
    return f"hue-{round(hue / 15) * 15 % 360}"


def unit_price_text(product: Product, price: Decimal | None = None) -> str:
    """Write the unit price, empty where the law asks for none: $7.80 / kg.

    `price`: dollars of one pack where it is not the ordinary one, as in a promotion.
    """
    found = unit_price(product, member_price(product) if price is None else price)
    if not found:
        return ""
    of_unit, measure = found
    pattern = {
        UnitMeasure.per_100g: _("%(price)s / 100 g"),
        UnitMeasure.per_100ml: _("%(price)s / 100 mL"),
        UnitMeasure.per_kg: _("%(price)s / kg"),
        UnitMeasure.per_litre: _("%(price)s / L"),
        UnitMeasure.each: _("%(price)s each"),
        UnitMeasure.per_100_each: _("%(price)s / 100"),
    }[measure]
    return pattern % {"price": aud_text(of_unit)}


@dataclass(frozen=True)
class Card:
    """One good as a page shows it; `product` comes from `listing`, with its stock in `available`.

    `offer`: the promotion that it is shown and bought in.
    """

    product: Product
    rate: Decimal
    offer: Offer | None = None

    @property
    def url(self) -> str:
        """The address of its page, in the reader's language."""
        return localised(f"/shop/shopdetails/{self.product.pk}")

    @property
    def other_lang(self) -> str:
        """The language of `product.other_name`, for the lang attribute."""
        return other_html_language()

    @property
    def amount(self) -> Decimal:
        """The price in dollars."""
        price: Decimal = self._facts["memberPrice"]
        return price

    @property
    def price(self) -> str:
        """The price without its sign: 3.90."""
        return f"{aud(self.amount):,}"

    @property
    def was(self) -> str:
        """The price it was charged before, or is without its promotion; empty if there is none."""
        before: Decimal | None = self._facts["marketPrice"]
        return aud_text(before) if before else ""

    @property
    def saving(self) -> str:
        """What its promotion saves on one, empty without one."""
        return aud_text(self._facts["marketPrice"] - self.amount) if self.offer and self.was else ""

    @property
    def cny(self) -> str:
        """The price in CNY, as a guide."""
        return cny_text(self.amount, self.rate)

    @property
    def unit_price(self) -> str:
        """The unit price in words."""
        return unit_price_text(self.product, self.amount)

    @property
    def promotion_name(self) -> str:
        """The name of its promotion in the reader's language, empty without one."""
        if not self.offer:
            return ""
        return self.offer.name_zh if is_chinese() else self.offer.name_en

    @property
    def promotion_url(self) -> str:
        """The address of its promotion's page, in the reader's language."""
        return localised(self.offer.path) if self.offer else ""

    @property
    def hue(self) -> str:
        """The class of the tile's hue: that of the top category."""
        category = self.product.category
        return hue_class((category.parent or category).tint)

    @cached_property
    def _facts(self) -> dict[str, Any]:
        return goods_at_offer_out(self.product, self.offer) if self.offer else goods_out(self.product)

    @property
    def picture(self) -> str | None:
        """The picture's address, 256 px square."""
        url: str | None = self._facts["goodsImgUrl"]
        return url

    @property
    def is_out(self) -> bool:
        """Whether nothing of it can be bought now."""
        return bool(self._facts["stockType"] == SOLD_OUT)

    @property
    def stock_kind(self) -> str:
        """Which mark stands before the stock line: out, advance, low, or none for plenty."""
        kind = {SOLD_OUT: "out", ADVANCE: "advance", IN_STOCK: ""}[self._facts["stockType"]]
        return "low" if kind == "" and self._facts["goodsStockAmount"] <= FEW else kind

    @property
    def stock_text(self) -> str:
        """The stock line."""
        return {
            "out": pgettext("stock", "Sold out"),
            "advance": self._advance_text(),
            "low": _("Only %(count)s left") % {"count": self._facts["goodsStockAmount"]},
            "": pgettext("stock", "In stock"),
        }[self.stock_kind]

    @property
    def left(self) -> int:
        """How many can be bought now, at this price."""
        units: int = self._facts["goodsStockAmount"]
        return units

    @property
    def quota_text(self) -> str:
        """How much of its promotion's quota is left, empty without one."""
        if not self.offer:
            return ""
        numbers = {"left": self.left, "quota": self.offer.quota}
        if self.left <= max(FEW, self.offer.quota // 4):
            return _("Only %(left)d of %(quota)d left") % numbers
        return _("%(left)d of %(quota)d left") % numbers

    def _advance_text(self) -> str:
        left = self._facts["goodsStockAmount"]
        if left <= FEW:
            return _("Advance order, only %(count)s left") % {"count": left}
        return _("Advance order, limited")

    @property
    def limits(self) -> str:
        """How few and how many one order may take, empty where nothing is set."""
        least, most = self.product.min_amount, self.product.limit_amount
        if self.offer and self.offer.limit_amount:
            return _("At most %(most)d per customer") % {"most": self.offer.limit_amount}
        numbers = {"least": least, "most": most}
        if least > 1 and most:
            return _("%(least)d to %(most)d per order") % numbers
        if least > 1:
            return _("At least %(least)d per order") % numbers
        return _("At most %(most)d per order") % numbers if most else ""

    @property
    def json(self) -> str:
        """What the cart needs to know of it: a part of Goods (CONTRACT 2)."""
        facts = {name: self._facts[name] for name in FOR_THE_CART}
        if self.offer:
            facts["action"] = promotion_name_out(self.offer)
        return json_text(facts)


def json_text(facts: dict[str, Any]) -> str:
    """Write facts of a good for a page's script."""
    return json.dumps(facts, default=_plain, ensure_ascii=False)


def _plain(value: Decimal | datetime) -> float | str:
    return price_number(value) if isinstance(value, Decimal) else value.isoformat()


def cards(products: Iterable[Product], rate: Decimal) -> list[Card]:
    """Make the cards of goods from `listing`; `rate` is CNY per AUD."""
    return [card_of(product, rate) for product in products]


def card_of(product: Product, rate: Decimal) -> Card:
    """Make the card of one good, at the price of its best running promotion where there is one."""
    return Card(product, rate, best_offer(product, member_price(product)))
