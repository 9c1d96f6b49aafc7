"""A customer's payments, refunds, top-ups and certificates; payments stay as part of the books.

See docs/guarantees/customers.md#privacy.
"""

from collections.abc import Iterable, Iterator
from itertools import chain

from django.db.models import Q, QuerySet
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from commerce.accounts.models import Customer
from commerce.accounts.personal import Holding, Obstacle, Row, Section, by_pages, labels
from commerce.orders.pay_types import pay_type_names
from commerce.orders.personal import by_orders
from commerce.payments.models import Certificate, Payment, PaymentEvent, Refund
from core.languages import CHINESE, in_both_languages, reader_language


def payments_of(customer: Customer) -> QuerySet[Payment]:
    """Return the payments of a customer's orders and top-ups, newest first.

    Two conditions use their indexes; one condition with OR would read all payments.
    """
    of_orders = Payment.objects.filter(order__customer=customer).order_by().values("pk")
    of_top_ups = Payment.objects.filter(recharge__customer=customer).order_by().values("pk")
    return Payment.objects.filter(pk__in=of_orders.union(of_top_ups))


def refunds_of(customer: Customer) -> QuerySet[Refund]:
    """Return the refunds of a customer's payments."""
    return Refund.objects.filter(payment__in=payments_of(customer).order_by())


def _payments(customer: Customer) -> Iterator[Row]:
    states = labels(Payment, "state")
    of_orders = by_orders(customer, Payment.objects.all())
    of_topups = by_pages(Payment.objects.filter(recharge__customer=customer).select_related("recharge"))
    for numbers, payment in chain(of_orders, (({}, each) for each in of_topups)):
        names = pay_type_names(payment.pay_type)
        amount, currency = payment.collected
        yield {
            "number": payment.reference,
            "belongsTo": numbers.get(payment.order_id) or payment.recharge.number,
            "begun": payment.created_at,
            "payType": names.zh if reader_language() == CHINESE else names.en,
            "state": states[payment.state],
            "amount": amount,
            "currency": currency,
            "refunded": payment.refunded,
        }


def _refunds(customer: Customer) -> Iterator[Row]:
    states, reasons, ways = labels(Refund, "state"), labels(Refund, "reason"), labels(Refund, "to")
    rows = Refund.objects.select_related("payment")
    of_topups = by_pages(rows.filter(payment__recharge__customer=customer))
    of_orders = (refund for _numbers, refund in by_orders(customer, rows, "payment__order"))
    for refund in chain(of_orders, of_topups):
        yield {
            "number": refund.reference,
            "payment": refund.payment.reference,
            "due": refund.created_at,
            "amount": refund.amount,
            "currency": refund.currency,
            "reason": reasons[refund.reason],
            "goesTo": ways[refund.to],
            "state": states[refund.state],
        }


def _topups(customer: Customer) -> Iterator[Row]:
    for recharge in by_pages(customer.recharges.all()):
        yield {"number": recharge.number, "begun": recharge.created_at, "amount": recharge.amount}


def _certificates(customer: Customer) -> Iterator[Row]:
    for certificate in by_pages(customer.certificates.select_related("order")):
        yield {
            "uploaded": certificate.created_at,
            "order": certificate.order.order_no if certificate.order else "",
            "state": certificate.get_state_display(),
            "reason": certificate.get_reason_display(),
            "toCustomer": certificate.reason_text,
        }


def _open_money(customer: Customer) -> Iterable[Obstacle]:
    is_open = Q(state=Payment.State.pending) | Q(is_held=True)
    if payments_of(customer).filter(is_open).exists():
        text = in_both_languages(lambda: gettext("A payment is in progress: please wait until it ends."))
        yield Obstacle(text)
    if refunds_of(customer).filter(state__in=Refund.OPEN).exists():
        text = in_both_languages(
            lambda: gettext("A refund is on its way to you: please wait until it arrives.")
        )
        yield Obstacle(text)


def wipe(order_ids: list[int]) -> None:
    """Delete the providers' notices and the review texts of the orders' payments; the payments stay."""
    PaymentEvent.objects.filter(payment__order__in=order_ids).delete()
    Certificate.objects.filter(order__in=order_ids).update(reason_text="", note="")


PERSONAL = Holding(
    tables=frozenset({"payments.Recharge", "payments.Certificate"}),
    sections=(
        Section(
            "payments",
            _("payments"),
            {
                "number": _("payment number"),
                "belongsTo": _("Belongs to"),
                "begun": _("begun at"),
                "payType": _("payment method"),
                "state": _("state"),
                "amount": _("amount"),
                "currency": _("currency"),
                "refunded": _("given back, or on its way back"),
            },
            _payments,
        ),
        Section(
            "refunds",
            _("Refunds"),
            {
                "number": _("refund number"),
                "payment": _("payment number"),
                "due": _("due since"),
                "amount": _("amount"),
                "currency": _("currency"),
                "reason": _("reason"),
                "goesTo": _("goes to"),
                "state": _("state"),
            },
            _refunds,
        ),
        Section(
            "topUps",
            _("top-ups"),
            {"number": _("number"), "begun": _("begun at"), "amount": _("amount")},
            _topups,
        ),
        Section(
            "transfers",
            _("payment certificates"),
            {
                "uploaded": _("uploaded at"),
                "order": _("order number"),
                "state": _("state"),
                "reason": _("reason"),
                "toCustomer": _("to the customer"),
            },
            _certificates,
        ),
    ),
    obstacles=_open_money,
    wipe=wipe,
)
