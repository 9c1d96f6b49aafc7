"""Builds the texts of an invoice from the order and the seller (docs/guarantees/money.md#invoices)."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from decimal import Decimal
from typing import Any

from django.utils import timezone

from commerce.delivery.shipping import ShippingType
from commerce.orders.models import Order, OrderLine
from commerce.orders.pay_types import pay_type_names
from core.clock import shop_zone
from core.money import ZERO, aud, aud_text, gst_share
from core.shop import Seller


def invoice_facts(
    *, order: Order, lines: Sequence[OrderLine], number: str, seller: Seller, made_at: datetime
) -> dict[str, Any]:
    """Return the texts of a paid order's invoice for its template.

    Runs no queries, except occasionally one for the names of pay types.
    """
    taxable = _taxable(order, lines)
    gst = sum((line.gst for line in lines), order.freight_gst)
    return {
        "number": number,
        "issued": day_text(made_at),
        "order": order.order_no,
        "paid": day_text(order.paid_at or made_at),
        "pay_type": _pay_type(order),
        "is_export": order.shipping_type == ShippingType.abroad and not gst,
        "seller": seller_facts(seller),
        "buyer": list(buyer_facts(order)),
        "lines": [_line(line) for line in lines],
        "goods": aud_text(order.goods_amount),
        "points": f"−{aud_text(order.points_amount)}" if order.points else None,
        "freight": aud_text(order.freight),
        "freight_gst": aud_text(order.freight_gst),
        "gst_free": aud_text(order.pay_amount - taxable),
        "taxable": aud_text(taxable),
        "gst": aud_text(gst),
        "total": aud_text(order.pay_amount),
    }


def seller_facts(seller: Seller) -> dict[str, Any]:
    """Return the seller's texts for the templates of invoices and credit notes."""
    return {
        "name_en": seller.name_en,
        "name_zh": seller.name_zh,
        "legal": seller.legal_name or seller.name_en,
        "abn": seller.abn,
        "lines": [text for text in (seller.address, seller.phone, seller.email) if text],
    }


def _pay_type(order: Order) -> str:
    """Return the name of the pay type in both languages, only once if both are equal."""
    zh, en = pay_type_names(order.pay_type)
    return " ".join(dict.fromkeys((en, zh)))


def _line(line: OrderLine) -> dict[str, Any]:
    return {
        **product_facts(line),
        "units": str(line.amount),
        "price": aud_text(line.price),
        "discount": f"−{aud_text(line.discount)}" if line.discount else None,
        "gst": aud_text(line.gst),
        "amount": aud_text(line.to_pay),
    }


def product_facts(line: OrderLine) -> dict[str, Any]:
    """Return the names of a line's product, and whether the line is GST-free.

    `is_gst_free` is True only if the line has no GST although a taxable line would have some.
    """
    return {
        "name_en": line.name_en,
        "name_zh": line.name_zh,
        "pack": line.pack,
        "is_gift": line.is_gift,
        "is_gst_free": not line.gst and gst_share(line.in_money, gst_free=False) > ZERO,
    }


def _taxable(order: Order, lines: Sequence[OrderLine]) -> Decimal:
    """Return the money paid for taxable products and for their share of the freight, in dollars.

    See docs/freight.md#gst. If points paid for all products, the share is computed from the freight's GST.
    """
    products = sum((line.in_money for line in lines if line.gst), ZERO)
    if not order.freight_gst:
        return products
    in_money = order.goods_amount - order.points_amount
    if not in_money:
        return min(order.freight, aud(order.freight_gst * 11))
    return products + aud(order.freight * products / in_money)


def buyer_facts(order: Order) -> Iterator[str]:
    """Yield the buyer and the destination, line by line, as they were when the order was made."""
    if order.address is not None:
        address = order.address
        yield f"{address['contacts']} · {address['contactPhone']}"
        yield address["addressDetail"]
        names = (address["areaName"], address["cityName"], address["provinceName"], address["zipCode"])
        yield " ".join(dict.fromkeys(name for name in names if name))
        yield address["countryName"]
    elif order.customer.nickname:
        yield order.customer.nickname
    yield order.customer.account
    if order.shop is not None:
        yield f"Picked up at {order.shop['shopNameEn']}"
        yield f"自提：{order.shop['shopName']}"
        yield order.shop["address"]


def day_text(moment: datetime) -> str:
    """Return the day of a moment in the shop's time zone, as invoices show it."""
    return f"{timezone.localtime(moment, shop_zone()):%d/%m/%Y}"
