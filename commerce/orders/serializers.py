"""Serialises orders for the wire (docs/wire.md#orders)."""

from typing import Any

import segno
from django.conf import settings
from django.db.models import prefetch_related_objects

from catalog.goods.listed import CartProduct
from commerce.accounts.models import MemberLevel
from commerce.delivery.serializers import freight_out
from commerce.delivery.shipping import ShippingType
from commerce.orders.models import Order, OrderLine, OrderStatusChange, RecipientIdCard
from commerce.orders.points import pending_points_of
from commerce.orders.pricing import PricedLine
from commerce.orders.rewards import Rewards
from commerce.orders.services.preview import Preview
from commerce.orders.status import PAID_CODES, UNRECEIVED_CODES, status_label
from core import clock
from core.money import ZERO


def placed_out(order: Order) -> dict[str, Any]:
    """Serialise the amounts and the expiry of an order."""
    return {
        "orderNo": order.order_no,
        "orderAmount": order.goods_amount,
        "freight": order.freight,
        "payAmount": order.pay_amount,
        "expireTime": order.expires_at,
    }


def order_out(order: Order) -> dict[str, Any]:
    """Serialise an order for a list; its lines should be prefetched."""
    return placed_out(order) | {
        "orderStatus": order.status,
        "statusLabel": status_label(order.status, order.pay_img),
        "payType": order.pay_type,
        "payImg": order.pay_img,
        "createTime": order.created_at,
        "shippingType": order.shipping_type,
        "goods": [_goods_out(line) for line in order.lines.all()],
    }


def facts_out(order: Order) -> dict[str, Any]:
    """Serialise an order with all its own fields; queries lines, history and ID card."""
    prefetch_related_objects([order], "lines", "history")
    window, ends_at = order.delivery_slot, order.window_ends_at
    return order_out(order) | {
        "address": order.address,
        "shop": order.shop,
        "parcels": order.parcels,
        "remark": order.remark,
        "soldOutWish": order.sold_out_wish,
        "pickupCode": order.pickup_code,
        "pickupQr": _pickup_qr(order),
        "deliverySlot": window and clock.to_wire(window.starts_at),
        "deliveryUntil": ends_at and clock.to_wire(ends_at),
        "leaveAtDoor": order.leave_at_door,
        "idCard": masked_id_card(order),
        "gst": sum((line.gst for line in order.lines.all()), ZERO),
        "freightGst": order.freight_gst,
        "discount": order.discount,
        "voucherCode": order.voucher_code,
        "exchangeRate": order.exchange_rate,
        "points": order.points,
        "pointsAmount": order.points_amount,
        "integral": order.points_earned,
        "integralPending": pending_points_of(order),
        "history": [_change_out(change) for change in order.history.all()],
    }


def masked_id_card(order: Order) -> str:
    """Return the masked number of the recipient's ID card, empty for none; one query if sent abroad."""
    if order.shipping_type != ShippingType.abroad:
        return ""
    cards = RecipientIdCard.objects.filter(order=order)
    return cards.values_list("masked", flat=True).first() or ""


def _pickup_qr(order: Order) -> str:
    """Return a data URI of a QR code with order number and pick-up code; empty if it cannot be picked up."""
    if not order.pickup_code or order.status not in PAID_CODES | UNRECEIVED_CODES:
        return ""
    content = f"{order.order_no} {order.pickup_code}"
    uri: str = segno.make(content, error="m").svg_data_uri(scale=6, border=2)
    return uri


def _goods_out(line: OrderLine) -> dict[str, Any]:
    return {
        "goodsId": line.product_id,
        "goodsName": line.name_zh,
        "goodsEnglishName": line.name_en,
        "goodsImgUrl": line.picture_url or None,
        "goodsAmount": line.amount,
        "price": line.price,
        "discount": line.discount,
        "lineAmount": line.to_pay,
        "actionTypeId": line.promotion_id,
        "isGift": line.is_gift,
        "why": line.why_zh,
        "whyEn": line.why_en,
        "refundedUnits": line.refunded_units,
        "refundedAmount": line.refunded_amount,
    }


def preview_out(preview: Preview) -> dict[str, Any]:
    """Serialise the preview of an order."""
    without = preview.without_voucher
    return {
        "goods": [_preview_goods_out(line) for line in preview.lines],
        "giftsLeftOut": [_left_out(product) for product in preview.left_out],
        "orderAmount": preview.goods_amount,
        "discount": preview.discount,
        **freight_out(preview.freight),
        "gst": preview.gst,
        "freightGst": preview.freight_gst,
        "points": preview.points,
        "pointsAmount": preview.points_amount,
        "pointsUsable": preview.points_usable,
        "payAmount": preview.pay_amount,
        "withoutVoucher": without
        and {
            "orderAmount": without.goods_amount,
            "freight": without.freight.freight if without.freight else 0,
            "payAmount": without.pay_amount,
        },
    }


def _left_out(product: CartProduct) -> dict[str, Any]:
    return {
        "goodsId": product.id,
        "goodsName": product.name_zh,
        "goodsEnglishName": product.name_en,
    }


def _preview_goods_out(line: PricedLine) -> dict[str, Any]:
    product = line.product
    return {
        "goodsId": product.id,
        "goodsName": product.name_zh,
        "goodsEnglishName": product.name_en,
        "goodsImgUrl": product.picture_url,
        "goodsAmount": line.amount,
        "price": line.price,
        "discount": line.discount,
        "lineAmount": line.total,
        "gst": line.gst,
        "actionTypeId": line.promotion_id,
        "isGift": line.is_gift,
        "why": line.why.zh,
        "whyEn": line.why.en,
    }


def _change_out(change: OrderStatusChange) -> dict[str, Any]:
    return {
        "orderStatus": change.to_status,
        # The pay type is chosen after an order is placed, so no status change has a payment image.
        "statusLabel": status_label(change.to_status, pay_img=""),
        "reason": change.reason,
        "createTime": change.created_at,
    }


def rewards_out(rewards: Rewards) -> dict[str, Any]:
    """Serialise a customer's points and level, and the spend missing for the next level."""
    return {
        "integral": rewards.points,
        "integralPending": rewards.pending,
        "pointsPerDollar": settings.POINTS_PER_DOLLAR,
        "level": _level_out(rewards.level),
        "hasMemberPrices": rewards.has_member_prices,
        "isFixed": rewards.is_fixed,
        "spent": rewards.spent,
        "nextLevel": rewards.next_level and _level_out(rewards.next_level),
        "missing": rewards.missing,
    }


def _level_out(level: MemberLevel) -> dict[str, Any]:
    return {
        "level": level.number,
        "levelName": level.name_zh,
        "levelNameEn": level.name_en,
        "yearlySpend": level.yearly_spend,
        "pointsRate": level.points_rate,
    }
