"""Payments as the wire writes them (docs/wire.md#orders)."""

from typing import Any

from django.templatetags.static import static

from commerce.invoices.models import Invoice
from commerce.invoices.services import invoice_url
from commerce.orders.models import Order
from commerce.orders.serializers import facts_out
from commerce.orders.status import is_paid
from commerce.payments.models import Payment, PayType, Refund
from commerce.shipments.serializers import shipments_out


def pay_type_out(pay_type: PayType) -> dict[str, Any]:
    """Write a way to pay."""
    return {
        "payName": pay_type.pay_name,
        "payCode": pay_type.pay_code,
        "payType": pay_type.code,
        "img": static(pay_type.picture),
    }


def pay_result_out(order: Order) -> dict[str, Any]:
    """Write whether the money of an order was received; one query."""
    states = set(order.payments.values_list("state", flat=True))
    return {
        "paid": is_paid(order.status),
        "failed": states == {Payment.State.failed},
        "status": order.status,
        "orderNo": order.order_no,
        "payAmount": order.pay_amount,
    }


def order_detail_out(order: Order) -> dict[str, Any]:
    """Write an order in full; seven queries."""
    invoice = Invoice.objects.filter(order=order).first()
    refunds = Refund.objects.filter(payment__order=order)
    return facts_out(order) | {
        "invoiceUrl": invoice_url(invoice) if invoice else None,
        "payments": [_payment_out(payment) for payment in order.payments.all()],
        "refunds": [_refund_out(refund) for refund in refunds],
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


def _refund_out(refund: Refund) -> dict[str, Any]:
    return {
        "amount": refund.amount,
        "currency": refund.currency,
        "reason": refund.reason,
        "status": refund.state,
        "createTime": refund.created_at,
    }
