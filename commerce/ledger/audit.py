"""Audit rules for wallets and points (docs/guarantees/money.md#wallet-and-points)."""

from collections.abc import Iterator

from django.db.models import CharField, Exists, F, OuterRef, Q, Sum, Value, Window
from django.db.models.functions import Cast, Coalesce, Concat, Floor, Lag
from django.utils.translation import gettext_noop as _

from commerce.ledger.models import DebtSettlement, LedgerAccount, LedgerEntry, PointsAdjustment
from core.audit import Difference, about, cents, label_of, run_rules
from core.money import ZERO, aud

Kind, Reason = LedgerAccount.Kind, LedgerEntry.Reason
# Reasons of wallet entries only, and reasons of both wallet and points entries.
MOVES_WALLETS = frozenset({Reason.payment, Reason.refund, Reason.recharge, Reason.dispute_over})
MOVES_BOTH = frozenset({Reason.opening, Reason.adjustment, Reason.chargeback})
MOVES_DEBTS = frozenset({Reason.dispute, Reason.dispute_over, Reason.chargeback, Reason.adjustment})


def differences() -> Iterator[Difference]:
    """Yield a difference for each wrong or negative balance, and for each entry that breaks a rule."""
    yield from run_rules(_balances, _running_balances, _whole_points, _kinds, _adjustments)
    yield from run_rules(_unpaid_debts, _settled_debts, _recorded_settlements)


def _balances() -> Iterator[Difference]:
    accounts = LedgerAccount.objects.annotate(total=cents(Coalesce(Sum("entries__amount"), ZERO)))
    # SQLite adds amounts as binary fractions, so Python compares exactly.
    for account in accounts.exclude(balance=F("total"), balance__gte=ZERO).order_by("pk").iterator():
        total = aud(account.total)
        if account.balance != total or (account.balance < 0 and account.kind != Kind.points):
            yield Difference(
                "balance",
                f"ledger account {account.pk}",
                _("balance %(balance)s, entries %(total)s"),
                balance=account.balance,
                total=total,
            )


def _running_balances() -> Iterator[Difference]:
    last = Coalesce(Window(Lag("balance"), partition_by="account_id", order_by="pk"), ZERO)
    entries = LedgerEntry.objects.annotate(before=last).annotate(after=cents(F("before") + F("amount")))
    unequal = entries.exclude(balance=F("after")).order_by("account_id", "pk")
    for pk, balance, amount, last_balance in unequal.values_list(
        "pk", "balance", "amount", "before"
    ).iterator():
        before = aud(last_balance)
        if balance != before + amount:
            yield Difference(
                "running-balance",
                f"ledger entry {pk}",
                _("balance %(balance)s after %(amount)s, %(before)s before"),
                balance=balance,
                amount=amount,
                before=before,
            )


def _whole_points() -> Iterator[Difference]:
    """Yield a difference for each points entry that is not a whole number."""
    points = LedgerEntry.objects.filter(account__kind=LedgerAccount.Kind.points)
    parts = points.exclude(amount=Floor("amount")).order_by("pk")
    for pk, amount in parts.values_list("pk", "amount").iterator():
        yield Difference("whole-points", f"ledger entry {pk}", _("%(points)s points"), points=amount)


def _kinds() -> Iterator[Difference]:
    """Yield a difference for each entry with a reason that its kind of account does not have."""
    is_wrong = Q(account__kind=Kind.points, reason__in=MOVES_WALLETS | {Reason.dispute})
    is_wrong |= Q(account__kind=Kind.debt) & ~Q(reason__in=MOVES_DEBTS)
    is_wrong |= Q(account__kind=Kind.wallet) & ~Q(reason__in=MOVES_WALLETS | MOVES_BOTH)
    wrong = LedgerEntry.objects.filter(is_wrong).order_by("pk")
    for pk, kind, reason in wrong.values_list("pk", "account__kind", "reason").iterator():
        yield Difference(
            "entry-reason",
            f"ledger entry {pk}",
            _("%(reason)s in an account of %(kind)s"),
            reason=label_of(Reason, reason),
            kind=label_of(Kind, kind),
        )


@about(PointsAdjustment, LedgerEntry.objects.filter(reason=Reason.adjustment))
def _adjustments() -> Iterator[Difference]:
    """Compare the entries of staff's points adjustments with the records of the adjustments."""
    noted = PointsAdjustment.objects.annotate(
        reference=Concat(Value("A"), Cast("pk", CharField()), output_field=CharField())
    )
    same = noted.filter(
        customer=OuterRef("account__customer"), reference=OuterRef("reference"), points=OuterRef("amount")
    )
    adjusted = LedgerEntry.objects.filter(account__kind=Kind.points, reason=Reason.adjustment)
    for entry in adjusted.filter(~Exists(same)).order_by("pk").iterator():
        yield Difference(
            "points-adjusted",
            f"ledger entry {entry.pk}",
            _("%(points)s points without a record"),
            points=entry.amount,
        )
    entries = adjusted.filter(account__customer=OuterRef("customer"), reference=OuterRef("reference"))
    for adjustment in (
        noted.filter(~Exists(entries.filter(amount=OuterRef("points")))).order_by("pk").iterator()
    ):
        row = f"points adjustment {adjustment.pk}"
        yield Difference(
            "points-adjusted", row, _("%(points)s points without an entry"), points=adjustment.points
        )


@about(LedgerAccount.objects.filter(kind=Kind.debt))
def _unpaid_debts() -> Iterator[Difference]:
    """Find wallets with money although their customers have debts."""
    wallet = LedgerAccount.objects.filter(customer=OuterRef("customer"), kind=Kind.wallet, balance__gt=0)
    debts = LedgerAccount.objects.filter(Exists(wallet), kind=Kind.debt, balance__gt=0)
    for debt in debts.order_by("pk").iterator():
        yield Difference(
            "wallet-debt",
            f"ledger account {debt.pk}",
            _("debt %(debt)s although the wallet has money"),
            debt=debt.balance,
        )


@about(LedgerEntry.objects.filter(account__kind=Kind.debt))
def _settled_debts() -> Iterator[Difference]:
    """Find payments of debts that did not leave the wallet."""
    paid = LedgerEntry.objects.filter(
        account__customer=OuterRef("account__customer"),
        account__kind=Kind.wallet,
        reason=Reason.chargeback,
        reference=OuterRef("reference"),
        amount=OuterRef("amount"),
    )
    entries = LedgerEntry.objects.filter(~Exists(paid), account__kind=Kind.debt, reason=Reason.chargeback)
    for entry in entries.order_by("pk").iterator():
        yield Difference(
            "wallet-debt",
            f"ledger entry {entry.pk}",
            _("the wallet has no entry of %(amount)s"),
            amount=entry.amount,
        )


@about(DebtSettlement, LedgerEntry.objects.filter(account__kind=Kind.debt))
def _recorded_settlements() -> Iterator[Difference]:
    """Compare the entries of debts that staff settled with the records of the settlements."""
    noted = DebtSettlement.objects.annotate(
        reference=Concat(Value("D"), Cast("pk", CharField()), output_field=CharField())
    )
    settled = LedgerEntry.objects.filter(account__kind=Kind.debt, reason=Reason.adjustment)
    same = noted.filter(customer=OuterRef("account__customer"), reference=OuterRef("reference"))
    for entry in settled.filter(~Exists(same.filter(amount=-OuterRef("amount")))).order_by("pk").iterator():
        yield Difference(
            "debt-settled",
            f"ledger entry {entry.pk}",
            _("%(amount)s of a debt without a record"),
            amount=entry.amount,
        )
    entries = settled.filter(account__customer=OuterRef("customer"), reference=OuterRef("reference"))
    for settlement in noted.filter(~Exists(entries.filter(amount=-OuterRef("amount")))).order_by("pk"):
        yield Difference(
            "debt-settled",
            f"settlement of a debt {settlement.pk}",
            _("%(amount)s of a debt without an entry"),
            amount=settlement.amount,
        )
