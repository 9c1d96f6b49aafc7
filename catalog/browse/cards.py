"""The card of a product, which all lists of products on pages show."""

import colorsys
import json
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from decimal import Decimal
from operator import attrgetter
from typing import Any

from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from catalog.browse.serializers import cart_goods_out, price_tiers_out, promotion_name_out
from catalog.goods.listed import ADVANCE, IN_STOCK, SOLD_OUT, ListedProduct
from catalog.goods.models import UnitMeasure
from catalog.promotions.offers import Offer
from catalog.promotions.pricing import PricedProduct, price_products
from catalog.rates.current import cny_text
from core.languages import localised, other_html_language
from core.money import aud, aud_text
from core.pages.blocks import columns_of
from core.pictures.renditions import PictureFiles, files_of_pictures
from core.wire import price_number

# The highest stock that a card shows as “Only … left”.
FEW = 10

_product_values = attrgetter(
    *(field.name for field in fields(ListedProduct) if field.name not in ("brand", "category"))
)
_priced_values = attrgetter(
    *(field.name for field in fields(PricedProduct) if field.name not in ("product", "tiers"))
)


def hue_class(tint: str) -> str:
    """Return the CSS class of the hue (in steps of 15 degrees) closest to a colour such as #E6F4E1."""
    red, green, blue = (int(tint[place : place + 2], 16) / 255 for place in (1, 3, 5))
    hue = colorsys.rgb_to_hls(red, green, blue)[0] * 360
    return f"hue-{round(hue / 15) * 15 % 360}"


def unit_price_text(of_unit: Decimal | None, measure: UnitMeasure | None) -> str:
    """Return a unit price in dollars as text: A$7.80 / kg; empty if the law requires none."""
    if of_unit is None or measure is None:
        return ""
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
    """A product as a page shows it, with the price at which it is bought; `rate` is CNY per AUD."""

    priced: PricedProduct[ListedProduct]
    picture: PictureFiles | None
    rate: Decimal

    @property
    def shows(self) -> Hashable:
        """Every fact that the template can read, as plain values: see `core.pages.blocks`."""
        product = self.product
        category = product.category
        return (
            _product_values(product),
            columns_of(product.brand),
            columns_of(category),
            category.parent and columns_of(category.parent),
            _priced_values(self.priced),
            tuple(self.priced.tiers),
            self.picture,
            self.rate,
        )

    @property
    def product(self) -> ListedProduct:
        """The facts of the product that are the same for every caller."""
        return self.priced.product

    @property
    def offer(self) -> Offer | None:
        """The promotion in which the product is shown and bought."""
        return self.priced.offer

    @property
    def url(self) -> str:
        """The URL of the product's page, in the reader's language."""
        return localised(f"/shop/shopdetails/{self.product.id}")

    @property
    def sizes_url(self) -> str:
        """The URL of the product's sizes alone, in the reader's language."""
        return localised(f"/shop/sizes/{self.product.id}")

    @property
    def other_lang(self) -> str:
        """The language of `product.other_name`, for the lang attribute."""
        return other_html_language()

    @property
    def amount(self) -> Decimal:
        """The price in dollars."""
        return self.priced.price

    @property
    def price(self) -> str:
        """The price without a currency sign: 3.90."""
        return f"{aud(self.amount):,}"

    @property
    def was(self) -> str:
        """The earlier price, or the price without the promotion; empty if there is none."""
        return aud_text(self.priced.was_price) if self.priced.was_price else ""

    @property
    def saving(self) -> str:
        """The saving per unit in the promotion; empty without one."""
        was = self.priced.was_price
        return aud_text(was - self.amount) if self.offer and was else ""

    @property
    def other_offer(self) -> Offer | None:
        """A promotion that does not change the price of one unit; shoppers can buy in it on its page."""
        return self.priced.other_offer

    @property
    def other_offer_url(self) -> str:
        """The URL of the page of `other_offer`, in the reader's language; empty without one."""
        return localised(self.other_offer.path) if self.other_offer else ""

    @property
    def cny(self) -> str:
        """The price in CNY, as an approximate text."""
        return cny_text(self.amount, self.rate)

    @property
    def unit_price(self) -> str:
        """The unit price as text."""
        return unit_price_text(self.priced.unit_price, self.priced.unit_measure)

    @property
    def promotion_name(self) -> str:
        """The name of the promotion in the reader's language; empty without one."""
        return self.offer.name if self.offer else ""

    @property
    def promotion_url(self) -> str:
        """The URL of the promotion's page in the reader's language; empty without one."""
        return localised(self.offer.path) if self.offer else ""

    @property
    def hue(self) -> str:
        """The CSS class for the hue of the top category."""
        category = self.product.category
        return hue_class((category.parent or category).tint)

    @property
    def is_out(self) -> bool:
        """Whether the product cannot be bought now."""
        return self.priced.stock_type == SOLD_OUT

    @property
    def left(self) -> int:
        """The units that can be bought now at this price."""
        return self.priced.available

    @property
    def stock_kind(self) -> str:
        """The kind of stock line: out, advance, low, or empty for enough stock."""
        kind = {SOLD_OUT: "out", ADVANCE: "advance", IN_STOCK: ""}[self.priced.stock_type]
        return "low" if kind == "" and self.left <= FEW else kind

    @property
    def stock_text(self) -> str:
        """The text of the stock line."""
        return {
            "out": pgettext("stock", "Sold out"),
            "advance": self._advance_text(),
            "low": _("Only %(count)s left") % {"count": self.left},
            "": pgettext("stock", "In stock"),
        }[self.stock_kind]

    @property
    def is_scarce(self) -> bool:
        """Whether the product can be bought and little of its promotion's quota is left."""
        return self.offer is not None and not self.is_out and self.left <= max(FEW, self.offer.quota // 4)

    @property
    def quota_text(self) -> str:
        """The remaining quota of the promotion as text; only for scarce products."""
        numbers = {"left": self.left, "quota": self.offer.quota} if self.offer else {}
        return _("Only %(left)d of %(quota)d left") % numbers

    def _advance_text(self) -> str:
        text = _("Advance order, %(count)s left") % {"count": self.left}
        expected = self.product.expected
        if expected is None:
            return text
        return _("%(text)s, expected on %(day)s") % {"text": text, "day": date_format(expected)}

    @property
    def limits(self) -> str:
        """The minimum and maximum amount of an order as text; empty without limits."""
        minimum, maximum = self.product.min_amount, self.product.limit_amount
        if self.offer and self.offer.limit_amount:
            return _("Limit %(most)d per customer") % {"most": self.offer.limit_amount}
        numbers = {"least": minimum, "most": maximum}
        if minimum > 1 and maximum:
            return _("%(least)d to %(most)d per order") % numbers
        if minimum > 1:
            return _("Minimum %(least)d per order") % numbers
        return _("Limit %(most)d per order") % numbers if maximum else ""

    @property
    def json(self) -> str:
        """The product as the cart stores it: CartGoods and, in a promotion, its name and price tiers.

        In a promotion `wasPrice` is the price without it, or null if that is not higher.
        """
        if not self.offer:
            return json_text(cart_goods_out(self.priced))
        action = {
            "action": promotion_name_out(self.offer),
            "priceTiers": price_tiers_out(self.priced),
            "wasPrice": self.priced.was_price,
        }
        return json_text(cart_goods_out(self.priced) | action)


def json_text(facts: dict[str, Any]) -> str:
    """Return facts of a product as JSON for a page's script."""
    return json.dumps(facts, default=_plain, ensure_ascii=False)


def _plain(value: Decimal | datetime) -> float | str:
    return price_number(value) if isinstance(value, Decimal) else value.isoformat()


def card_of(product: ListedProduct, rate: Decimal) -> Card:
    """Return the card of one product like `cards`, for a page that renders its pictures without the grid."""
    [priced] = price_products([product], amounts={})
    return Card(priced.at_best_offer(), None, rate)


def cards(products: Sequence[ListedProduct], rate: Decimal) -> list[Card]:
    """Return the cards of products, each at the price of its best running promotion.

    Queries: those of `price_products` and `files_of_pictures`.
    """
    pictures = files_of_pictures(product.picture_id for product in products)
    priced = price_products(products, amounts={})
    return [Card(facts.at_best_offer(), pictures.get(facts.product.picture_id), rate) for facts in priced]


def promotion_cards(offered: Iterable[tuple[ListedProduct, Offer]], rate: Decimal) -> list[Card]:
    """Return the cards of products in these promotions, even if others are cheaper; queries as in `cards`."""
    rows = list(offered)
    pictures = files_of_pictures(product.picture_id for product, _offer in rows)
    priced = price_products([product for product, _offer in rows], amounts={})
    return [
        Card(facts.at_offer(offer), pictures.get(product.picture_id), rate)
        for (product, offer), facts in zip(rows, priced, strict=True)
    ]
