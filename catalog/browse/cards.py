"""What a goods card shows: the one shape behind every list of goods on the pages."""

import colorsys
import json
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from catalog.browse.listing import ADVANCE, IN_STOCK, SOLD_OUT
from catalog.browse.out import goods_out
from catalog.goods.models import Product, UnitMeasure
from catalog.goods.unitprice import unit_price
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
    "minAmount",
    "limitAmount",
)


def aud_text(amount: Decimal) -> str:
    """Write dollars in short, as cards show them: $3.90."""
    return f"${aud(amount):,}"


def cny_text(amount: Decimal, rate: Decimal) -> str:
    """Write what dollars come to in CNY at a rate, as a guide: ≈ ¥19.50."""
    return f"≈ ¥{aud(amount * rate):,}"


def hue_class(tint: str) -> str:
    """Name the stylesheet's hue (steps of 15 degrees) nearest to a colour like #E6F4E1."""
    red, green, blue = (int(tint[place : place + 2], 16) / 255 for place in (1, 3, 5))
    hue = colorsys.rgb_to_hls(red, green, blue)[0] * 360
    return f"hue-{round(hue / 15) * 15 % 360}"


def unit_price_text(product: Product) -> str:
    """Write the unit price, empty where the law asks for none: $7.80 / kg."""
    found = unit_price(product, member_price(product))
    if not found:
        return ""
    price, measure = found
    pattern = {
        UnitMeasure.per_100g: _("%(price)s / 100 g"),
        UnitMeasure.per_100ml: _("%(price)s / 100 mL"),
        UnitMeasure.per_kg: _("%(price)s / kg"),
        UnitMeasure.per_litre: _("%(price)s / L"),
        UnitMeasure.each: _("%(price)s each"),
        UnitMeasure.per_100_each: _("%(price)s / 100"),
    }[measure]
    return pattern % {"price": aud_text(price)}


@dataclass(frozen=True)
class Card:
    """One good as a page shows it; `product` comes from `listing`, with its stock in `available`."""

    product: Product
    rate: Decimal

    @property
    def url(self) -> str:
        """The address of its page, in the reader's language."""
        return localised(f"/shop/shopdetails/{self.product.pk}")

    @property
    def other_lang(self) -> str:
        """The language of `product.other_name`, for the lang attribute."""
        return other_html_language()

    @property
    def price(self) -> str:
        """The price without its sign: 3.90."""
        return f"{aud(member_price(self.product)):,}"

    @property
    def was(self) -> str:
        """The price it was charged before, empty if there was none."""
        before = self.product.market_price
        return aud_text(before) if before and before > member_price(self.product) else ""

    @property
    def cny(self) -> str:
        """The price in CNY, as a guide."""
        return cny_text(member_price(self.product), self.rate)

    @property
    def unit_price(self) -> str:
        """The unit price in words."""
        return unit_price_text(self.product)

    @property
    def hue(self) -> str:
        """The class of the tile's hue: that of the top category."""
        category = self.product.category
        return hue_class((category.parent or category).tint)

    @cached_property
    def _facts(self) -> dict[str, Any]:
        return goods_out(self.product)

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
            "advance": _("Advance order, limited"),
            "low": _("Only %(count)s left") % {"count": self._facts["goodsStockAmount"]},
            "": pgettext("stock", "In stock"),
        }[self.stock_kind]

    @property
    def json(self) -> str:
        """What the cart needs to know of it: a part of Goods (CONTRACT 2)."""
        facts = {name: self._facts[name] for name in FOR_THE_CART}
        return json.dumps(facts | {"memberPrice": price_number(facts["memberPrice"])}, ensure_ascii=False)


def cards(products: Iterable[Product], rate: Decimal) -> list[Card]:
    """Make the cards of goods from `listing`; `rate` is CNY per AUD."""
    return [Card(product, rate) for product in products]
