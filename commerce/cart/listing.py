"""What lies in a cart, with what holds of it now."""

from typing import Any

from catalog.goods.models import Product
from catalog.promotions.pricing import member_price
from catalog.stock.availability import units_for_delivery
from commerce.accounts.models import Customer
from commerce.cart.limits import most_buyable
from commerce.cart.models import CartItem, CartType
from core.pictures import picture_url


def cart_out(customer: Customer, type: CartType) -> list[dict[str, Any]]:
    """List a cart's goods for the wire, newest first, in a constant number of queries (CONTRACT 3)."""
    items = list(
        CartItem.objects.filter(customer=customer, type=type)
        .select_related("product__picture")
        .prefetch_related("product__picture__renditions")
    )
    units = units_for_delivery(item.product_id for item in items)
    return [_item_out(item.product, item.amount, units.get(item.product_id, 0)) for item in items]


def _item_out(product: Product, amount: int, units: int) -> dict[str, Any]:
    return {
        "goodsId": product.pk,
        "goodsName": product.name_zh,
        "goodsEnglishName": product.name_en,
        "goodsImgUrl": picture_url(product.picture),
        "goodsAmount": amount,
        "goodsStockAmount": units,
        "memberPrice": member_price(product),
        "isSelf": "1" if product.is_self else "0",
        "isAdvance": "1" if product.is_advance else "0",
        "checked": False,
        "netWeight": product.net_weight,
        "storage": product.storage,
        "available": most_buyable(product, units) > 0,
    }
