"""Payments as the wire writes them (docs/wire.md#orders)."""

from decimal import Decimal
from typing import Any

from django.templatetags.static import static

from commerce.invoices.models import Invoice
from commerce.invoices.services import invoice_url
from commerce.orders.models import Order
from commerce.orders.serializers import facts_out
from commerce.orders.status import OrderStatus, is_paid
from commerce.payments.models import Payment, PayType, Recharge
from commerce.payments.services.left_to_pay import left_to_pay
from commerce.shipments.serializers import shipments_out


def pay_type_out(pay_type: PayType) -> dict[str, Any]:
    """Write a way to pay."""
    return {
        "payName": pay_type.pay_name,
        "payCode": pay_type.pay_code,
        "payType": pay_type.code,
        "img": static(pay_type.picture),
    }


def recharge_result_out(recharge: Recharge) -> dict[str, Any]:
    """Write whether the money of a top-up was received; one query."""
    states = set(recharge.payments.values_list("state", flat=True))
    is_in = Payment.State.paid in states
    return {
        "paid": is_in,
        "failed": states == {Payment.State.failed},
        "status": OrderStatus.paid if is_in else OrderStatus.unpaid,
        "orderNo": recharge.number,
        "payAmount": recharge.amount,
        "leftToPay": None if is_in else recharge.amount,
    }


def pay_result_out(order: Order) -> dict[str, Any]:
    """Write whether the money of an order was received; two queries."""
    states = set(order.payments.values_list("state", flat=True))
    return {
        "paid": is_paid(order.status),
        "failed": states == {Payment.State.failed},
        "status": order.status,
        "orderNo": order.order_no,
        "payAmount": order.pay_amount,
        "leftToPay": _left_out(order),
    }


def _left_out(order: Order) -> Decimal | None:
    return left_to_pay(order) if order.status == OrderStatus.unpaid else None


def order_with_payments_out(order: Order) -> dict[str, Any]:
    """Write an order with its payments and parcels; seven queries."""
    invoice = Invoice.objects.filter(order=order).first()
    return facts_out(order) | {
        "invoiceUrl": invoice_url(invoice) if invoice else None,
        "leftToPay": _left_out(order),
        "payments": [_payment_out(payment) for payment in order.payments.all()],
        "shipments": shipments_out(order),
    }


def _payment_out(payment: Payment) -> dict[str, Any]:
    amount, currency = payment.collected
    return {
        "payType": payment.pay_type,
        "amount": amount,
        "currency": currency,
        "status": payment.state,
        "createTime": payment.created_at,
    }
