"""Writes payments for the wire (docs/wire.md#orders)."""

from collections.abc import Sequence
from dataclasses import asdict
from decimal import Decimal
from typing import Any

from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from commerce.delivery.serializers import booked_arrival_out
from commerce.delivery.shipping import ShippingType
from commerce.invoices.models import Invoice
from commerce.invoices.services import invoice_url
from commerce.ledger.models import LedgerEntry
from commerce.ledger.serializers import balance_entry_out
from commerce.orders.models import Order
from commerce.orders.serializers import facts_out
from commerce.orders.status import IN_STORE_IMAGES, OrderStatus, is_paid
from commerce.payments.hold_times import CASH, CUSTOMER_SERVICE, TRANSFER
from commerce.payments.marks import picture_of
from commerce.payments.models import Payment, PayType, Recharge
from commerce.payments.pay_types import names_by_code
from commerce.payments.providers.registry import WALLET
from commerce.payments.restrictions import Purchase, may_come_too_late
from commerce.payments.services.certificates import certificate_url, current_certificate
from commerce.payments.services.left_to_pay import held_by_wallet, left_to_pay
from commerce.payments.wallet_sources import Source, sources_of
from commerce.shipments.serializers import shipments_out
from core import clock
from core.languages import TwoTexts, in_both_languages
from core.money import ZERO
from core.shop import PayContact


def pay_type_out(pay_type: PayType, purchase: Purchase) -> dict[str, Any]:
    """Write a pay type for a purchase."""
    hint, warning = hint_of(pay_type, purchase), _warning_of(pay_type, purchase)
    return _names_out({pay_type.code: names_for(pay_type, purchase)}, pay_type.code) | {
        "payHint": hint.zh,
        "payHintEn": hint.en,
        "payWarning": warning.zh,
        "payWarningEn": warning.en,
        "payCode": pay_type.pay_code,
        "payType": pay_type.code,
        "img": picture_of(pay_type),
    }


def _names_out(names: dict[str, TwoTexts], code: str) -> dict[str, str]:
    zh, en = names.get(code, (code, code))
    return {"payName": zh, "payNameEn": en}


def instructions_out(order: Order, contact: PayContact | None) -> dict[str, Any]:
    """Write how to pay staff for an order; the bank account only for a transfer. Three queries."""
    contact = contact or PayContact()
    is_cash = order.pay_img in IN_STORE_IMAGES
    is_transfer = order.pay_type == TRANSFER
    window, ends_at = order.delivery_slot, order.window_ends_at
    return _names_out(names_by_code(), order.pay_type) | {
        "orderNo": order.order_no,
        "payType": order.pay_type,
        "amount": left_to_pay(order),
        "heldUntil": order.expires_at,
        "isPickup": order.shipping_type == ShippingType.pickup,
        "shop": order.shop,
        "deliverySlot": window and clock.to_wire(window.starts_at),
        "deliveryUntil": ends_at and clock.to_wire(ends_at),
        "isProven": bool(order.pay_img) and not is_cash,
        "img": order.pay_img if is_cash else "",
        "phone": contact.phone,
        "email": contact.email,
        "wechat": contact.wechat,
        "wechatQr": contact.wechat_qr,
        "bank": asdict(contact.bank) if contact.bank and is_transfer else None,
    }


def recharge_result_out(recharge: Recharge) -> dict[str, Any]:
    """Write whether the money of a top-up has been received; one query."""
    payments = list(recharge.payments.all())
    # Money that differs from the requested amount or currency is refunded.
    is_in = any(each.state == Payment.State.paid and each.received_amount is None for each in payments)
    return {
        "paid": is_in,
        "failed": {each.state for each in payments} == {Payment.State.failed},
        "status": OrderStatus.paid if is_in else OrderStatus.unpaid,
        "orderNo": recharge.number,
        "payAmount": recharge.amount,
        "leftToPay": None if is_in else recharge.amount,
        "walletHeld": ZERO,
        "payType": next((payment.pay_type for payment in payments), ""),
        "arrival": None,
        "isRecharge": True,
    }


def pay_result_out(order: Order) -> dict[str, Any]:
    """Write whether the money of an order has been received, and when it comes; four queries."""
    # A held payment waits for another one, which may fail.
    states = set(order.payments.filter(is_held=False).values_list("state", flat=True))
    return {
        "paid": is_paid(order.status),
        "failed": states == {Payment.State.failed},
        "status": order.status,
        "orderNo": order.order_no,
        "payAmount": order.pay_amount,
        "leftToPay": _left_out(order),
        "walletHeld": held_by_wallet(order),
        "payType": order.pay_type,
        "arrival": _arrival_out(order),
        "isRecharge": False,
    }


def _arrival_out(order: Order) -> dict[str, Any]:
    slot, ends_at = order.delivery_slot, order.window_ends_at
    window = (slot.starts_at, ends_at) if slot and ends_at else None
    return booked_arrival_out(window=window, parcels=order.parcels, shop=order.shop)


def _left_out(order: Order) -> Decimal | None:
    return left_to_pay(order) if order.status == OrderStatus.unpaid else None


def order_with_payments_out(order: Order) -> dict[str, Any]:
    """Write an order with its payments and parcels; eight queries, and as `names_by_code`."""
    invoice = Invoice.objects.filter(order=order).first()
    names, payments = names_by_code(), list(order.payments.all())
    held = [each for each in payments if each.is_held and each.provider == WALLET]
    return facts_out(order) | {
        "invoiceUrl": invoice_url(invoice) if invoice else None,
        "leftToPay": _left_out(order),
        "walletHeld": sum((each.amount - each.refunded for each in held), ZERO),
        "payments": [_payment_out(payment, names) for payment in payments],
        "transfer": _transfer_out(order),
        "shipments": shipments_out(order),
    }


def _transfer_out(order: Order) -> dict[str, Any] | None:
    certificate = current_certificate(order)
    if certificate is None:
        return None
    return {
        "imgUrl": certificate_url(certificate) or None,
        "status": certificate.state,
        "reason": certificate.reason,
        "reasonText": certificate.reason_text,
        "amount": certificate.amount,
        "createTime": certificate.created_at,
    }


def _payment_out(payment: Payment, names: dict[str, TwoTexts]) -> dict[str, Any]:
    amount, currency = payment.collected
    return _names_out(names, payment.pay_type) | {
        "payType": payment.pay_type,
        "amount": amount,
        "currency": currency,
        "status": payment.state,
        "createTime": payment.created_at,
    }


# The statuses of a top-up on the wire, by the state of its payment.
RECHARGE_STATUS: dict[str, str] = {
    Payment.State.pending: "unpaid",
    Payment.State.paid: "paid",
    Payment.State.failed: "failed",
}


def recharge_out(recharge: Recharge) -> dict[str, Any]:
    """Write a top-up with loaded `payments`; queries as `names_by_code`."""
    payment = recharge.payments.all()[0]
    names = names_by_code().get(payment.pay_type, TwoTexts(payment.pay_type, payment.pay_type))
    return {
        "rechargeNo": recharge.number,
        "amount": recharge.amount,
        "payType": payment.pay_type,
        "payName": names.zh,
        "payNameEn": names.en,
        "status": RECHARGE_STATUS[payment.state],
        "createTime": recharge.created_at,
    }


def statement_out(entries: Sequence[LedgerEntry]) -> list[dict[str, Any]]:
    """Write entries of one wallet with their orders or top-ups; one query."""
    sources = sources_of([entry.reference for entry in entries])
    return [_statement_entry_out(entry, sources.get(entry.reference)) for entry in entries]


def _statement_entry_out(entry: LedgerEntry, source: Source | None) -> dict[str, Any]:
    order_no, recharge_no = (source.order_no, source.recharge_no) if source else (None, None)
    return balance_entry_out(entry) | {"orderNo": order_no, "rechargeNo": recharge_no}


def names_for(pay_type: PayType, purchase: Purchase) -> TwoTexts:
    """Return the names that staff have given; cash for a pick-up is called Pay in store."""
    if pay_type.code == CASH and purchase.shipping_type == ShippingType.pickup:
        return in_both_languages(lambda: _("Pay in store"))
    return pay_type.names


def hint_of(pay_type: PayType, purchase: Purchase) -> TwoTexts:
    """Return the hint of staff, else when and where the money is collected; empty if neither is known."""
    if pay_type.hint_zh or pay_type.hint_en:
        return TwoTexts(pay_type.hint_zh, pay_type.hint_en)
    return in_both_languages(lambda: _how_collected(pay_type.code, purchase.shipping_type))


def _warning_of(pay_type: PayType, purchase: Purchase) -> TwoTexts:
    if not may_come_too_late(pay_type, purchase):
        return TwoTexts("", "")
    return in_both_languages(
        lambda: _(
            "A transfer takes about a day. If it arrives after the time you chose begins, we cannot keep "
            "that time. Choose a later time, or pay another way."
        )
    )


def _how_collected(code: str, shipping_type: int | None) -> str:
    if code == CUSTOMER_SERVICE:
        hours = settings.CUSTOMER_SERVICE_HOLD_HOURS
        text = ngettext(
            "Contact us to pay: your products are held for %(hours)d hour",
            "Contact us to pay: your products are held for %(hours)d hours",
            hours,
        )
        return text % {"hours": hours}
    if code != CASH:
        return ""
    if shipping_type is None:
        return _("Pay in store at pick-up, or on delivery")
    is_pickup = shipping_type == ShippingType.pickup
    return _("Pay in store when you pick it up") if is_pickup else _("Pay in cash when your order arrives")
