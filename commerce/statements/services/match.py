"""Matches the lines of providers' lists with the shop's payments and refunds."""

from collections.abc import Iterable
from typing import Any

from django.db.models import Model, QuerySet

from commerce.payments.models import Payment, Refund
from commerce.statements.models import Kind, Statement, StatementLine
from core.batches import short_batches
from core.transactions import in_transaction


def match_lines(statement: Statement) -> None:
    """Match each unmatched line with its payment or refund, by the shop's reference, else the provider's."""
    payments = Payment.objects.filter(provider=statement.provider)
    _match(statement, Kind.payment, payments, "capture_ref")
    refunds = Refund.objects.filter(payment__provider=statement.provider)
    _match(statement, Kind.refund, refunds, "provider_ref")


def _match(statement: Statement, kind: Kind, ours: QuerySet[Any], their_name: str) -> None:
    unknown = statement.lines.filter(kind=kind, payment=None, refund=None).order_by("pk")
    for lines in short_batches(unknown):
        found = _found(lines, "reference", ours, "reference")
        rest = [line for line in lines if line.pk not in found]
        _note(kind, found | _found(rest, "provider_ref", ours, their_name))


def _found(lines: Iterable[StatementLine], name: str, ours: QuerySet[Any], column: str) -> dict[int, Model]:
    """Return the shop's rows that the lines refer to, by the lines' keys; at most one query."""
    wanted = {line.pk: value for line in lines if (value := getattr(line, name))}
    if not wanted:
        return {}
    rows = {getattr(row, column): row for row in ours.filter(**{f"{column}__in": set(wanted.values())})}
    return {pk: rows[value] for pk, value in wanted.items() if value in rows}


@in_transaction
def _note(kind: Kind, found: dict[int, Model]) -> None:
    for pk, row in sorted(found.items()):
        if kind == Kind.payment:
            StatementLine.objects.filter(pk=pk).update(payment=row)
        else:
            StatementLine.objects.filter(pk=pk).update(refund=row)
