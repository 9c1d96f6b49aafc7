"""Audit rules of payments (docs/guarantees/money.md#paid-once, #wallet-and-points)."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

from django.db.models import Case, Count, DecimalField, Exists, F, OuterRef, Q, QuerySet, Subquery, Sum, When
from django.db.models.functions import Coalesce
from django.utils import timezone
from django.utils.translation import gettext_noop as _

from commerce.ledger.models import LedgerAccount, LedgerEntry
from commerce.orders.models import Order, OrderStatusChange
from commerce.orders.status import MONEY_CODES, ChangeReason, OrderStatus
from commerce.payments.models import Certificate, Dispute, Payment, PaymentEvent, Refund
from commerce.payments.providers.names import PROVIDER_NAMES
from commerce.payments.providers.registry import WALLET
from core.audit import Difference, about, cents, label_of, run_rules
from core.money import ZERO, aud, aud_text

Kind = LedgerAccount.Kind
# The currency of all orders.
CURRENCY = "AUD"
# The paths of certificates begin with this.
CERTIFICATES = "/pay/certificate/"
# By then notices are repeated, and the scheduler has polled the payment, so its money is booked.
CAPTURED_WITHIN = timedelta(hours=1)
# A job that runs each minute refunds the held money of ended orders.
RETURNED_WITHIN = timedelta(minutes=10)
# The scheduler polls an open payment at least once an hour.
ASKED_WITHIN = timedelta(days=1)
# Money that an order lost after it was paid: by refunds of staff, and by banks.
_AFTER_PAYMENT = frozenset({Refund.Reason.order_refund, Refund.Reason.chargeback})
# The customer of a refund.
_CUSTOMER = Coalesce("payment__order__customer", "payment__recharge__customer")


def differences() -> Iterator[Difference]:
    """Yield a difference for each contradiction between payments, orders, top-ups, refunds and wallets."""
    yield from run_rules(_orders, _held, _foreign_money, _times_paid, _refunded)
    yield from run_rules(_wallet_payments, _recharges, _wallet_refunds, _wallet_entries)
    yield from run_rules(_disputes, _debts)
    yield from run_rules(_reported, _questions, _unsent, _unseen_pictures)


def _orders() -> Iterator[Difference]:
    """Compare what each order has received, less what it could not use, with its price.

    Refunds by staff of a paid order, even if they end it, are compared with its lines by
    `commerce.refunds.audit`, and chargebacks by `_disputes`. An order that ends unpaid must have all its
    money refunded.
    """
    owed = _standing().filter(payment__order=OuterRef("pk"), currency=CURRENCY)
    # A part that a bank took before the order was paid did not pay it.
    before = Q(reason=Refund.Reason.chargeback, created_at__lt=OuterRef("paid_at"))
    orders = Order.objects.exclude(status=OrderStatus.chargeback).annotate(
        captured=_total(_captured().filter(order=OuterRef("pk"), into=CURRENCY), "order", "collected_amount"),
        owed=_total(owed, "payment__order", "amount"),
        given_back=_total(owed.filter(~before, reason__in=_AFTER_PAYMENT), "payment__order", "amount"),
        held=_total(Payment.objects.filter(order=OuterRef("pk"), is_held=True), "order", "amount"),
    )
    # A paid order that was wholly refunded before anything was shipped is canceled.
    refunded_whole = OrderStatusChange.objects.filter(
        order=OuterRef("pk"), to_status=OrderStatus.canceled, reason=ChangeReason.refunded
    )
    was_paid = Q(status__in=MONEY_CODES) | Q(Exists(refunded_whole), status=OrderStatus.canceled)
    received = Case(
        When(was_paid, then=F("captured") - F("owed") + F("given_back")),
        default=F("captured") - F("owed") - F("held"),
    )
    owes = Case(When(was_paid, then=F("pay_amount")), default=ZERO)
    unequal = orders.annotate(received=cents(received), owes=owes).exclude(received=F("owes"))
    rows = unequal.values_list("order_no", "status", "pay_amount", "received", "owes").order_by("pk")
    for order_no, status, pay_amount, in_database, owed_now in rows.iterator():
        # SQLite adds amounts as binary fractions, so the exact comparison is made in Python.
        amount = aud(in_database)
        if amount != aud(owed_now):
            yield Difference(
                "order-money",
                f"order {order_no}",
                _("status %(status)s, to pay %(pay_amount)s, received %(received)s"),
                status=label_of(OrderStatus, status),
                pay_amount=aud_text(pay_amount),
                received=aud_text(amount),
            )


@about(Payment.objects.filter(is_held=True), Order.objects.filter(status=OrderStatus.unpaid))
def _held() -> Iterator[Difference]:
    """Find held parts whose rest cannot come any more, and unpaid orders whose held parts cover the price."""
    held = Payment.objects.filter(is_held=True).select_related("order")
    goes_back = Q(Exists(_lately_canceled()), order__status=OrderStatus.canceled)
    wrong = held.exclude(goes_back | Q(order__status=OrderStatus.unpaid))
    for payment in wrong.order_by("pk").iterator():
        yield Difference(
            "held-money",
            f"payment {payment}",
            _("waits for the rest of an order of status %(status)s"),
            status=label_of(OrderStatus, payment.paid_order.status),
        )
    full = Order.objects.filter(status=OrderStatus.unpaid).annotate(
        held=_total(Payment.objects.filter(order=OuterRef("pk"), is_held=True), "order", "amount")
    )
    for order in full.filter(held__gte=F("pay_amount")).order_by("pk").iterator():
        yield Difference(
            "held-money",
            f"order {order}",
            _("unpaid, holds %(held)s of %(pay_amount)s"),
            held=aud_text(order.held),
            pay_amount=aud_text(order.pay_amount),
        )


def _lately_canceled() -> QuerySet[OrderStatusChange]:
    """Return the changes of recently canceled orders, whose held parts may still be waiting for a refund."""
    lately = timezone.now() - RETURNED_WITHIN
    return OrderStatusChange.objects.filter(
        order=OuterRef("order"), to_status=OrderStatus.canceled, created_at__gt=lately
    )


@about(Refund, Payment.objects.exclude(refunded=0))
def _refunded() -> Iterator[Difference]:
    """Compare the refunded amount of each payment with its refunds."""
    mine = _standing().filter(payment=OuterRef("pk"))
    payments = Payment.objects.annotate(back=cents(_total(mine, "payment", "amount")))
    for payment in payments.exclude(refunded=F("back")).order_by("pk").iterator():
        back = aud(payment.back)
        if back != payment.refunded:
            yield Difference(
                "refunded",
                f"payment {payment}",
                _("counts %(refunded)s as given back, its refunds %(back)s"),
                refunded=payment.refunded,
                back=back,
            )


@about(Payment.objects.exclude(currency=CURRENCY, received_amount=None))
def _foreign_money() -> Iterator[Difference]:
    """Compare money received in other currencies, which no order accepts, with its refunds."""
    refunded = _standing().filter(payment=OuterRef("pk"), currency=OuterRef("into"))
    foreign = _captured().exclude(into=CURRENCY).annotate(owed=_total(refunded, "payment", "amount"))
    for payment in foreign.order_by("pk").iterator():
        received = aud(payment.collected_amount - payment.owed)
        if received != ZERO:
            yield Difference(
                "order-money",
                f"payment {payment}",
                _("received %(received)s, which no order takes"),
                received=f"{payment.into} {received}",
            )


def _standing() -> QuerySet[Refund]:
    """Return the refunds that count; a bank has returned the money of the others."""
    return Refund.objects.exclude(state=Refund.State.reversed)


def _captured() -> QuerySet[Any]:
    """Return paid payments annotated with the collected amount and its currency."""
    as_asked = Q(received_amount=None)
    return Payment.objects.filter(state=Payment.State.paid).annotate(
        collected_amount=Coalesce("received_amount", "amount"),
        into=Case(When(as_asked, then=F("currency")), default=F("received_currency")),
    )


def _times_paid() -> Iterator[Difference]:
    # Staff may set an order that they have checked back to paid; that is not a payment.
    is_payment = Q(
        history__from_status__in=[OrderStatus.unpaid, OrderStatus.canceled],
        history__to_status=OrderStatus.paid,
    )
    paid = Count("history", filter=is_payment)
    for order in Order.objects.annotate(times_paid=paid).filter(times_paid__gt=1).order_by("pk").iterator():
        yield Difference("paid-once", f"order {order}", _("paid %(times)s times"), times=order.times_paid)


@about(Payment.objects.filter(provider=WALLET))
def _wallet_payments() -> Iterator[Difference]:
    entry = LedgerEntry.objects.filter(
        account__customer=OuterRef("order__customer"),
        account__kind=Kind.wallet,
        reason=LedgerEntry.Reason.payment,
        reference=OuterRef("reference"),
    )
    paid = Payment.objects.filter(provider=WALLET, state=Payment.State.paid)
    payments = paid.annotate(booked=Subquery(entry.values("amount")[:1]))
    for payment in payments.filter(Q(booked=None) | ~Q(booked=-F("amount"))).order_by("pk").iterator():
        yield Difference(
            "wallet-payment",
            f"payment {payment}",
            _("its customer’s wallet has no entry of %(amount)s"),
            amount=-payment.amount,
        )


@about(Payment.objects.exclude(recharge=None))
def _recharges() -> Iterator[Difference]:
    """Compare each paid top-up with the wallet: all of its money, or none if it differed from the request.

    `_disputes` compares the money that banks have taken back.
    """
    entry = LedgerEntry.objects.filter(
        account__customer=OuterRef("recharge__customer"),
        account__kind=Kind.wallet,
        reason=LedgerEntry.Reason.recharge,
        reference=OuterRef("recharge__number"),
    )
    paid = Payment.objects.filter(recharge__isnull=False, state=Payment.State.paid)
    taken = _standing().filter(payment=OuterRef("pk"), reason=Refund.Reason.chargeback)
    payments = paid.annotate(
        booked=Coalesce(Subquery(entry.values("amount")[:1]), ZERO),
        taken=cents(_total(taken, "payment", "amount")),
    )
    is_right = Q(received_amount=None, booked=F("amount"), refunded=F("taken"))
    is_right |= Q(received_amount__isnull=False, booked=ZERO, refunded=F("received_amount"))
    # The money of a deleted account's top-up is refunded.
    gone = Exists(Refund.objects.filter(payment=OuterRef("pk"), reason=Refund.Reason.account_deleted))
    is_right |= Q(gone, received_amount=None, booked=ZERO, refunded=F("amount"))
    for payment in payments.exclude(is_right).order_by("pk").iterator():
        came, currency = payment.collected
        yield Difference(
            "recharge",
            f"payment {payment}",
            _("%(came)s came, %(booked)s in the wallet, %(refunded)s goes back"),
            came=f"{currency} {came}",
            booked=f"{CURRENCY} {aud(payment.booked)}",
            refunded=f"{currency} {payment.refunded}",
        )


@about(
    Payment.objects.filter(disputed_at__isnull=False),
    Refund.objects.filter(reason=Refund.Reason.chargeback),
    Dispute,
)
def _disputes() -> Iterator[Difference]:
    """Compare disputes with payments, with what had gone to wallets, and with the debts of customers.

    What a bank takes back is all that was not refunded to the source. Whatever of it had gone to a wallet is
    a debt, which the wallet pays first.
    """
    standing = Dispute.objects.filter(payment=OuterRef("pk"), state__in=Dispute.STANDING)
    to_wallet = _standing().filter(payment=OuterRef("pk"), to=Refund.To.wallet)
    kept = _standing().filter(payment=OuterRef("pk"), reason=Refund.Reason.chargeback)
    payments = _captured().annotate(
        is_standing=Exists(standing),
        in_dispute=cents(_total(standing, "payment", "amount")),
        disputed_in_wallet=cents(_total(standing, "payment", "from_wallet")),
        taken=cents(
            _total(kept, "payment", "amount")
            + Case(When(is_standing=True, then=_total(to_wallet, "payment", "amount")), default=ZERO)
        ),
        in_wallet=cents(
            Case(When(is_standing=True, then=_total(to_wallet, "payment", "amount")), default=ZERO)
            + Case(When(recharge__isnull=False, then=_total(kept, "payment", "amount")), default=ZERO)
        ),
    )
    is_right = Q(disputed_at=None, is_standing=False, taken=ZERO) | Q(
        disputed_at__isnull=False,
        is_standing=True,
        in_dispute=F("taken"),
        disputed_in_wallet=F("in_wallet"),
        refunded=F("collected_amount"),
    )
    for payment in payments.exclude(is_right).order_by("pk").iterator():
        yield Difference(
            "dispute",
            f"payment {payment}",
            _(
                "dispute of %(in_dispute)s, of it %(disputed)s from the wallet; "
                "taken %(taken)s, of it %(wallet)s"
            ),
            in_dispute=aud_text(payment.in_dispute),
            disputed=aud_text(payment.disputed_in_wallet),
            taken=aud_text(payment.taken),
            wallet=aud_text(payment.in_wallet),
        )


@about(Dispute)
def _debts() -> Iterator[Difference]:
    """Compare what each dispute took from a wallet, and gave back, with the entries of its customer."""
    mine = LedgerEntry.objects.annotate(customer=F("account__customer")).filter(
        customer=OuterRef("customer"), reference=OuterRef("reference")
    )
    owed = mine.filter(account__kind=Kind.debt, reason=LedgerEntry.Reason.dispute)
    off = mine.filter(account__kind=Kind.debt, reason=LedgerEntry.Reason.dispute_over)
    back = mine.filter(account__kind=Kind.wallet, reason=LedgerEntry.Reason.dispute_over)
    disputes = Dispute.objects.annotate(
        customer=_CUSTOMER,
        owed=cents(_total(owed, "customer", "amount")),
        given=cents(_total(back, "customer", "amount") - _total(off, "customer", "amount")),
    )
    is_right = Q(owed=F("from_wallet")) & (
        Q(state__in=Dispute.STANDING, given=ZERO)
        | Q(~Q(state__in=Dispute.STANDING), given=cents(F("from_wallet") - F("by_hand")))
    )
    for dispute in disputes.exclude(is_right).order_by("pk").iterator():
        yield Difference(
            "dispute",
            f"dispute {dispute}",
            _("%(from_wallet)s from the wallet, debt %(owed)s, returned %(given)s"),
            from_wallet=aud_text(dispute.from_wallet),
            owed=aud_text(dispute.owed),
            given=aud_text(dispute.given),
        )


@about(Refund)
def _wallet_refunds() -> Iterator[Difference]:
    """Compare the refunds to wallets with the entries of the wallets."""
    entry = LedgerEntry.objects.filter(
        account__customer=OuterRef("customer"),
        account__kind=Kind.wallet,
        reason=LedgerEntry.Reason.refund,
        reference=OuterRef("reference"),
    )
    to_wallets = Refund.objects.filter(to=Refund.To.wallet).annotate(customer=_CUSTOMER)
    refunds = to_wallets.annotate(booked=Subquery(entry.values("amount")[:1]))
    for refund in refunds.filter(Q(booked=None) | ~Q(booked=F("amount"))).order_by("pk").iterator():
        yield Difference(
            "wallet-refund",
            f"refund {refund.reference}",
            _("its customer’s wallet has no entry of %(amount)s"),
            amount=refund.amount,
        )


def _wallet_entries() -> Iterator[Difference]:
    """Find entries of wallets and debts that nothing of their customer explains."""
    payment = Payment.objects.filter(
        reference=OuterRef("reference"),
        provider=WALLET,
        state=Payment.State.paid,
        order__customer=OuterRef("account__customer"),
    )
    recharge = Payment.objects.filter(
        recharge__number=OuterRef("reference"),
        recharge__customer=OuterRef("account__customer"),
        state=Payment.State.paid,
        received_amount=None,
    )
    to_wallets = Refund.objects.annotate(customer=_CUSTOMER).filter(to=Refund.To.wallet)
    refund = to_wallets.filter(reference=OuterRef("reference"), customer=OuterRef("account__customer"))
    debt = LedgerEntry.objects.filter(
        account__customer=OuterRef("account__customer"),
        account__kind=Kind.debt,
        reason=OuterRef("reason"),
        reference=OuterRef("reference"),
        amount=OuterRef("amount"),
    )
    dispute = Dispute.objects.annotate(customer=_CUSTOMER).filter(
        reference=OuterRef("reference"), customer=OuterRef("account__customer")
    )
    causes: dict[LedgerEntry.Reason, tuple[str, QuerySet[Any]]] = {
        LedgerEntry.Reason.payment: ("wallet-payment", payment),
        LedgerEntry.Reason.recharge: ("recharge", recharge),
        LedgerEntry.Reason.refund: ("wallet-refund", refund),
        LedgerEntry.Reason.chargeback: ("dispute", debt),
        LedgerEntry.Reason.dispute: ("dispute", dispute),
        LedgerEntry.Reason.dispute_over: ("dispute", dispute),
    }
    is_lost = [Q(~Exists(cause), reason=reason) for reason, (_rule, cause) in causes.items()]
    entries = LedgerEntry.objects.exclude(account__kind=Kind.points)
    for entry in entries.filter(Q(*is_lost, _connector=Q.OR)).order_by("pk").iterator():
        reason = LedgerEntry.Reason(entry.reason)
        yield Difference(
            causes[reason][0],
            f"ledger entry {entry.pk}",
            _("its customer has nothing that explains it: %(reason)s %(reference)s"),
            reason=reason.label,
            reference=entry.reference,
        )


@about(PaymentEvent)
def _reported() -> Iterator[Difference]:
    """Find unpaid payments that a provider's notice reported as paid, unless a later poll returned failed."""
    reports = PaymentEvent.objects.filter(
        reports_paid=True, denied_at=None, created_at__lte=timezone.now() - CAPTURED_WITHIN
    )
    lost = reports.exclude(payment__state=Payment.State.paid).select_related("payment")
    for report in lost.order_by("pk").iterator():
        yield Difference(
            "reported-paid",
            f"payment {report.payment}",
            _("state %(state)s, but %(provider)s reported it paid by event %(event)s"),
            state=label_of(Payment.State, report.payment.state),
            provider=PROVIDER_NAMES.get(report.provider, report.provider),
            event=report.event_id,
        )


@about(Payment.objects.filter(state=Payment.State.pending))
def _questions() -> Iterator[Difference]:
    """Find open payments that no job polls; their money could be lost."""
    now = timezone.now()
    is_due = Q(next_query_at__range=(now - ASKED_WITHIN, now + ASKED_WITHIN))
    for payment in Payment.objects.filter(~is_due, state=Payment.State.pending).order_by("pk").iterator():
        yield Difference(
            "payment-asked",
            f"payment {payment}",
            _("open, the provider is asked next at %(asked_at)s"),
            asked_at=payment.next_query_at,
        )


@about(Refund)
def _unsent() -> Iterator[Difference]:
    """Find refunds that no job polls and staff cannot pay back by hand."""
    now = timezone.now()
    is_due = Q(next_query_at__range=(now - ASKED_WITHIN, now + ASKED_WITHIN))
    by_provider = Refund.objects.filter(Q(state=Refund.State.sending) | Q(next_query_at__isnull=False))
    for refund in by_provider.exclude(is_due, next_query_at__isnull=False).order_by("pk").iterator():
        yield Difference(
            "refund-asked",
            f"refund {refund.reference}",
            _("state %(state)s, the provider is asked next at %(asked_at)s"),
            state=label_of(Refund.State, refund.state),
            asked_at=refund.next_query_at,
        )


def _total(rows: QuerySet[Any], group: str, amount: str) -> Coalesce:
    total = rows.order_by().values(group).annotate(total=Sum(amount)).values("total")
    return Coalesce(Subquery(total), ZERO, output_field=DecimalField())


@about(Order.objects.filter(status=OrderStatus.unpaid))
def _unseen_pictures() -> Iterator[Difference]:
    """Find unpaid orders with the picture of a transfer that no dashboard card shows for review."""
    waiting = Certificate.objects.filter(order=OuterRef("pk"), state=Certificate.State.waiting)
    proven = Order.objects.filter(status=OrderStatus.unpaid, pay_img__startswith=CERTIFICATES)
    for order in proven.filter(~Exists(waiting)).order_by("pk").iterator():
        yield Difference(
            "transfer-review",
            f"order {order}",
            _("no picture waits for its review: %(picture)s"),
            picture=order.pay_img,
        )
