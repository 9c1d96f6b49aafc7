"""The prices of an order's lines (docs/guarantees/prices.md#prices-of-the-server).

Preview, order and early check use only this file to price a basket, so their sums are equal.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import lru_cache

from django.utils.translation import gettext, gettext_noop

from catalog.goods.listed import CartProduct
from catalog.promotions.models import Promotion, PromotionItem
from catalog.promotions.pricing import TierPrice, price_at, price_in_promotion, prices_by_amount, tier_at
from catalog.promotions.rules import Bought, discounts, gifts
from catalog.promotions.services import RunningPromotion
from commerce.orders.requests import Basket
from commerce.vouchers.services import UsableVoucher
from core.errors import Err, ShopError
from core.languages import TwoTexts, in_both_languages
from core.money import CENT, ZERO, aud, gst_share, spread

# The maximum of an order's columns, in dollars.
MAX_TOTAL = Decimal("9999999999.99")


@dataclass(frozen=True)
class PricedLine:
    """Units of one product: `price` of one unit, `discount` on all units, in dollars.

    `points`: the part of the total that points pay, in dollars. `why`: the rule behind price and discount.
    `promotion_id`: None for an ordinary line. `is_exported`: sent abroad, which is free of GST.
    """

    product: CartProduct
    amount: int
    price: Decimal
    why: TwoTexts
    discount: Decimal = ZERO
    points: Decimal = ZERO
    promotion_id: int | None = None
    is_gift: bool = False
    is_exported: bool = False

    @property
    def full_total(self) -> Decimal:
        """The price of all units before the discount, in dollars."""
        return aud(self.price * self.amount)

    @property
    def total(self) -> Decimal:
        """The price of all units after the discount, in dollars."""
        return self.full_total - self.discount

    @property
    def in_money(self) -> Decimal:
        """The part of the total that is paid in money and not with points, in dollars."""
        return self.total - self.points

    @property
    def gst(self) -> Decimal:
        """The GST included in the part paid in money, in dollars."""
        return gst_share(self.in_money, gst_free=not self.is_taxable)

    @property
    def is_taxable(self) -> bool:
        """True if the total includes GST."""
        return not (self.is_exported or self.product.gst_free)

    def discounted(self, discount: Decimal, why: TwoTexts) -> "PricedLine":
        """Return the line with a further discount; its reason follows the price's own reason, if any."""
        if self.why != _ordinary():
            why = TwoTexts(f"{self.why.zh} · {why.zh}", f"{self.why.en} · {why.en}")
        return replace(self, discount=self.discount + discount, why=why)


def price_lines(
    basket: Basket,
    products: Mapping[int, CartProduct],
    running: RunningPromotion | None,
    shares: Mapping[int, int],
    level: int,
) -> list[PricedLine]:
    """Price the products of a basket, in their order, for a member level; at most two queries.

    A unit's price depends on all units of its product, inside and outside the promotion. Gifts come last.
    They are left out if stock, quota, the customer's share or the order's maximum do not allow them.
    `products`: of the basket, and the promotion's gifts. `shares`: promotion item pk → the customer's units.
    """
    tiers_by_product = prices_by_amount(products.values(), level=level)
    units = basket.units
    lines = []
    for product_id, amount in basket.ordinary:
        tier = tier_at(tiers_by_product[product_id], units[product_id])
        product = products[product_id]
        lines.append(PricedLine(product, amount, tier.price, _why_ordinary(product, tier)))
    if running is None:
        return lines
    promoted = []
    for product_id, amount in basket.promoted:
        product, item, tiers = products[product_id], running.items[product_id], tiers_by_product[product_id]
        price = price_in_promotion(item, product.price, tiers, units[product_id])
        tier = tier_at(tiers, units[product_id])
        is_lower = price < tier.price
        why = _why_promotion(running.promotion) if is_lower else _why_ordinary(product, tier)
        promoted.append(PricedLine(product, amount, price, why, promotion_id=basket.promotion_id))
    return _with_promotion(lines, promoted, products, running, shares, units, tiers_by_product)


def with_voucher(lines: Sequence[PricedLine], usable: UsableVoucher) -> list[PricedLine]:
    """Apply a voucher's discount to the lines that it is for; at least one cent remains to pay.

    Raises as `UsableVoucher.spread` does.
    """
    amounts = {place: (line.product.id, line.total) for place, line in enumerate(lines)}
    off = usable.spread(amounts, most=total_of(lines) - CENT)
    why = _reason_text(gettext_noop("Voucher %(code)s"), code=usable.voucher.code)
    return [line.discounted(off[place], why) if place in off else line for place, line in enumerate(lines)]


def with_points(lines: Sequence[PricedLine], amount: Decimal, freight: Decimal) -> list[PricedLine]:
    """Let points pay an amount of the lines, spread in proportion to their totals, to the cent.

    `amount`, `freight`: dollars; points never pay freight. Raises ShopError(points_beyond_goods) if the
    amount exceeds the products' price, or if less than a cent would remain to pay.
    """
    total = total_of(lines)
    if amount > total or total + freight - amount < CENT:
        raise ShopError(Err.points_beyond_goods, fields={"points": Err.points_beyond_goods.name})
    paid = spread(amount, {place: line.total for place, line in enumerate(lines)})
    return [replace(line, points=paid.get(place, ZERO)) for place, line in enumerate(lines)]


def points_amount(lines: Sequence[PricedLine]) -> Decimal:
    """Return the amount that points pay of lines, in dollars."""
    return sum((line.points for line in lines), ZERO)


def total_of(lines: Sequence[PricedLine], freight: Decimal = ZERO) -> Decimal:
    """Return the total of lines and freight before points, in dollars.

    Raises ShopError(amount_above_limit) if the total, or the total before discounts, exceeds MAX_TOTAL.
    """
    total = sum((line.total for line in lines), freight)
    if max(total, _full_total_of(lines)) > MAX_TOTAL:
        raise ShopError(Err.amount_above_limit)
    return total


def gst_in_freight(lines: Sequence[PricedLine], freight: Decimal) -> Decimal:
    """Return the GST in the freight of lines, in dollars: its taxable share is that of the products.

    Delivery is part of the supply of the products and taxed like them (docs/freight.md#gst). The shares are
    of the money paid for products, or of their totals if points pay for everything.
    """
    costs = [(line, line.in_money) for line in lines]
    if not any(cost for _, cost in costs):
        costs = [(line, line.total) for line in lines]
    total = sum((cost for _, cost in costs), ZERO)
    taxable = sum((cost for line, cost in costs if line.is_taxable), ZERO)
    return gst_share(freight * taxable / total, gst_free=False) if total else ZERO


def _full_total_of(lines: Sequence[PricedLine]) -> Decimal:
    return sum((line.full_total for line in lines), ZERO)


def _with_promotion(
    ordinary: Sequence[PricedLine],
    promoted: Sequence[PricedLine],
    products: Mapping[int, CartProduct],
    running: RunningPromotion,
    shares: Mapping[int, int],
    units: Mapping[int, int],
    tiers_by_product: Mapping[int, Sequence[TierPrice]],
) -> list[PricedLine]:
    promotion, items = running.promotion, running.items.values()
    bought = [Bought(line.product.id, line.amount, line.price) for line in promoted]
    off = discounts(promotion, items, bought)
    why = _why_promotion(promotion)
    lines = [
        *ordinary,
        *(
            line.discounted(off[line.product.id], why) if line.product.id in off else line
            for line in promoted
        ),
    ]
    for item in gifts(promotion, items, bought):
        product = products.get(item.product_id)
        if product and _can_be_given(item, product, shares.get(item.pk, 0), units.get(product.id, 0)):
            price = price_at(tiers_by_product[product.id], 1)
            gift = PricedLine(product, item.units, price, why, promotion_id=promotion.pk, is_gift=True)
            # A gift's full price counts towards MAX_TOTAL, but no order may be refused because of a gift.
            if _full_total_of([*lines, gift]) <= MAX_TOTAL:
                lines.append(replace(gift, discount=gift.full_total))
    return lines


def _can_be_given(item: PromotionItem, product: CartProduct, share: int, ordered: int) -> bool:
    """Return True if stock after the ordered units, the quota and the customer's share allow a gift."""
    if not product.on_sale or product.available < ordered + item.units or item.left < item.units:
        return False
    return not item.limit_amount or share + item.units <= item.limit_amount


def _why_ordinary(product: CartProduct, tier: TierPrice) -> TwoTexts:
    if tier.from_amount > 1:
        return _reason_text(gettext_noop("Bulk price from %(count)d units"), count=tier.from_amount)
    return _reason_text(gettext_noop("Member price")) if tier.price < product.price else _ordinary()


def _ordinary() -> TwoTexts:
    return _reason_text(gettext_noop("Ordinary price"))


def _why_promotion(promotion: Promotion) -> TwoTexts:
    rule = in_both_languages(lambda: promotion.rule)
    return TwoTexts(f"{promotion.name_zh}：{rule.zh}", f"{promotion.name_en}: {rule.en}")


@lru_cache(maxsize=1_000)
def _reason_text(text: str, **values: object) -> TwoTexts:
    return in_both_languages(lambda: gettext(text) % values)
