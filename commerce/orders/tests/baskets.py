"""Random baskets of a small shop with every kind of price, for tests and chaos tests."""

import random
from decimal import Decimal
from typing import Any

from catalog.goods.models import Brand, PriceTier, Product
from catalog.goods.tests.builders import make_brand
from catalog.promotions.models import Promotion
from catalog.promotions.tests.builders import make_promotion, promote
from commerce.orders.tests.builders import make_stocked
from commerce.vouchers.models import Voucher
from commerce.vouchers.tests.builders import make_voucher
from core.money import CENT, aud


def lines_of(*lines: tuple[Product, int]) -> list[dict[str, int]]:
    """Write products and their units as an order names them."""
    return [{"goodsId": product.pk, "goodsAmount": units} for product, units in lines]


class Baskets:
    """Random baskets from a small shop with every kind of price, promotion and voucher."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.random = random.Random(seed)
        cents = self.random.choices(range(1, 4_000), k=8)
        brands = make_brand(), make_brand()
        # A seed has numbers of its own, since a chaos test makes several shops in one.
        self.products = [
            make_stocked(
                10**6,
                sku=f"BASKET{seed}-{place}",
                price=Decimal(each) / 100,
                gst_free=bool(each % 2),
                is_bulk=not place % 3,
                brand=brands[place % 2],
            )
            for place, each in enumerate(cents)
        ]
        for product in self.products[::3]:
            PriceTier.objects.create(product=product, from_amount=6, price=product.price * 9 / 10 + CENT)
        self.promotions = [
            self._promotion(kind="price"),
            self._promotion(kind="percent", percent_off=self.random.randint(1, 90)),
            self._promotion(kind="buy_get", buy_units=2, free_units=1),
            self._promotion(kind="gift", gift_from=Decimal("20.00")),
            self._promotion(kind="bundle", bundle_price=Decimal("0.50")),
        ]
        self.vouchers = [
            self._voucher("3.00"),
            self._voucher("7.77", self.products[0].brand),
            self._voucher("33.33", kind="percent"),
        ]

    def _voucher(self, value: str, *scopes: Brand, **kw: Any) -> Voucher:
        code = f"BASKET{self.seed}-{value.replace('.', '-')}"
        return make_voucher(value, *scopes, code=code, customer_limit=0, **kw)

    def _promotion(self, **kw: Any) -> Promotion:
        promotion = make_promotion(**kw)
        for place, product in enumerate(self.random.sample(self.products, 3)):
            is_gift = kw["kind"] == "gift" and place == 2
            price = str(max(aud(product.price / 2), CENT)) if kw["kind"] == "price" else None
            promote(promotion, product, price, quota=10**6, is_gift=is_gift, units=1 + place % 2)
        return promotion

    def body(self) -> dict[str, Any]:
        """Choose products at ordinary prices, a promotion's, and a voucher, as an order names them."""
        ordinary = self.random.sample(self.products, self.random.randint(0, 5))
        promotion: Promotion | None = self.random.choice([None, *self.promotions])
        promoted = promotion.items.filter(is_gift=False) if promotion else ()
        voucher: Voucher | None = self.random.choice([None, *self.vouchers])
        return {
            "orderGoods": lines_of(
                *[(each, self.random.randint(1, 9)) for each in ordinary or self.products[:1]]
            ),
            "actionGoods": [
                {
                    "actionTypeId": item.promotion_id,
                    "goodsId": item.product_id,
                    "goodsAmount": self.random.randint(1, 9),
                }
                for item in promoted
            ],
            **({"voucherCode": voucher.code} if voucher else {}),
        }
