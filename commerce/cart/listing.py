"""What lies in a cart, with what holds of it now."""

from typing import Any

from catalog.browse.out import price_tiers_out
from catalog.goods.unitprice import unit_price
from catalog.promotions.pricing import load_level_prices, load_tier_prices, member_price
from catalog.stock.availability import units_for_delivery
from commerce.accounts.models import Customer
from commerce.cart.limits import bounds
from commerce.cart.models import CartItem, CartType
from core.pictures import picture_url


def cart_out(customer: Customer, type: CartType) -> list[dict[str, Any]]:
    """List a cart's goods for the wire, newest first, in a constant number of queries (CONTRACT 3)."""
    items = list(
        CartItem.objects.filter(customer=customer, type=type)
        .select_related("product__picture", "product__category__parent")
        .prefetch_related("product__picture__renditions")
    )
    units = units_for_delivery(item.product_id for item in items)
    load_level_prices((item.product for item in items), customer.level.number)
    load_tier_prices(item.product for item in items)
    return [_item_out(item, units.get(item.product_id, 0), customer.level.number) for item in items]


def _item_out(item: CartItem, units: int, level: int) -> dict[str, Any]:
    product = item.product
    holds = bounds(product, CartType(item.type), units)
    price = member_price(product, level, item.amount)
    of_unit, measure = unit_price(product, price) or (None, None)
    return {
        "goodsId": product.pk,
        "goodsName": product.name_zh,
        "goodsEnglishName": product.name_en,
        "goodsImgUrl": picture_url(product.picture),
        "goodsAmount": item.amount,
        "goodsStockAmount": units,
        "memberPrice": price,
        "isSelf": "1" if product.is_self else "0",
        "isAdvance": "1" if product.is_advance else "0",
        "checked": False,
        "netWeight": product.net_weight,
        "storage": product.storage,
        "pack": product.pack,
        "packZh": product.pack_zh or product.pack,
        "unitPrice": of_unit,
        "unitPriceMeasure": measure,
        "available": holds.most > 0,
        "minAmount": holds.least,
        "limitAmount": product.limit_amount,
        "cartonSize": holds.step,
        "priceTiers": price_tiers_out(product, level),
    }
