"""Writes the disputes and debts of payments that were disputed before there were rows for them."""

from decimal import Decimal

from django.db import migrations
from django.db.models import Exists, F, OuterRef, Sum

CHARGEBACK, DISPUTED_ORDER = "chargeback", 98


def add_disputes(apps, schema_editor):
    payments = apps.get_model("payments", "Payment")
    named = payments.objects.filter(order=OuterRef("order"), disputed_at__isnull=False)
    # If staff had set the status, all payments through a provider counted as disputed.
    unnamed = payments.objects.filter(
        ~Exists(named), order__status=DISPUTED_ORDER, state="paid", disputed_at=None
    )
    unnamed.exclude(provider__in=["wallet", "staff"]).update(disputed_at=F("settled_at"))
    disputed = payments.objects.filter(disputed_at__isnull=False, disputes=None)
    for payment in disputed.select_related("order__customer", "recharge__customer").order_by("pk"):
        add_dispute(apps, payment)


def add_dispute(apps, payment):
    refunds = apps.get_model("payments", "Refund").objects.filter(payment=payment)
    missing = list(refunds.filter(reason="not_in_wallet"))
    refunds.filter(reason="not_in_wallet").update(
        reason=CHARGEBACK, state="done", settled_at=payment.disputed_at, next_query_at=None
    )
    collected = payment.amount if payment.received_amount is None else payment.received_amount
    if left := collected - payment.refunded:
        refunds.create(
            payment=payment,
            reference=f"{payment.reference}-r{refunds.count() + 1}",
            amount=left,
            currency=payment.received_currency or payment.currency,
            reason=CHARGEBACK,
            state="done",
            settled_at=payment.disputed_at,
            message_due=False,
        )
        type(payment).objects.filter(pk=payment.pk).update(refunded=collected)
    taken = total(refunds.filter(reason=CHARGEBACK))
    from_wallet = taken if payment.recharge_id else total(refunds.filter(to="wallet"))
    amount = taken if payment.recharge_id else taken + from_wallet
    if not amount:
        type(payment).objects.filter(pk=payment.pk).update(disputed_at=None)
        return
    dispute = apps.get_model("payments", "Dispute").objects.create(
        payment=payment,
        reference=f"{payment.reference}-d1",
        amount=amount,
        from_wallet=from_wallet,
        note="-",
        order_status=status_before(apps, payment),
    )
    if from_wallet:
        add_debt(apps, payment, dispute, refunds, missing)


def status_before(apps, payment):
    changes = apps.get_model("orders", "OrderStatusChange").objects
    change = changes.filter(order=payment.order_id, to_status=DISPUTED_ORDER).order_by("-pk").first()
    return change.from_status if payment.order_id and change else None


def add_debt(apps, payment, dispute, refunds, missing):
    """Write what the customer owes, what the wallet has paid of it, and what staff have settled."""
    customer = (payment.recharge or payment.order).customer
    post(apps, customer, "debt", dispute.from_wallet, "dispute", dispute.reference)
    if payment.recharge_id:
        # The wallet has an entry with the reference of each refund that it paid.
        numbers = {each.pk for each in missing}
        for refund in refunds.filter(reason=CHARGEBACK).exclude(pk__in=numbers).order_by("pk"):
            post(apps, customer, "debt", -refund.amount, CHARGEBACK, refund.reference)
        for refund in missing:
            if refund.state == "done":
                settle(apps, customer, refund)
    wallet = apps.get_model("ledger", "LedgerAccount").objects.filter(customer=customer, kind="wallet")
    debt = apps.get_model("ledger", "LedgerAccount").objects.get(customer=customer, kind="debt")
    if there := min(debt.balance, getattr(wallet.first(), "balance", Decimal(0))):
        for kind in ("wallet", "debt"):
            post(apps, customer, kind, -there, CHARGEBACK, dispute.reference)


def settle(apps, customer, refund):
    settlement = apps.get_model("ledger", "DebtSettlement").objects.create(
        customer=customer, amount=refund.amount, note=refund.note or "-", staff=refund.staff
    )
    post(apps, customer, "debt", -refund.amount, "adjustment", f"D{settlement.pk}")


def post(apps, customer, kind, amount, reason, reference):
    accounts, entries = apps.get_model("ledger", "LedgerAccount"), apps.get_model("ledger", "LedgerEntry")
    account, _ = accounts.objects.get_or_create(customer=customer, kind=kind)
    account = accounts.objects.select_for_update().get(pk=account.pk)
    balance = account.balance + amount
    accounts.objects.filter(pk=account.pk).update(balance=balance)
    entries.objects.create(
        account=account, amount=amount, balance=balance, reason=reason, reference=reference
    )


def total(refunds):
    return refunds.aggregate(total=Sum("amount"))["total"] or Decimal(0)


class Migration(migrations.Migration):
    dependencies = [
        ("ledger", "0003_debt_open"),
        ("orders", "0002_dispute_over"),
        ("payments", "0003_disputes"),
    ]
    operations = [migrations.RunPython(add_disputes, migrations.RunPython.noop)]
