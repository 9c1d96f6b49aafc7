"""Copies paid orders many times.

Rows are copied by SQL with the books kept in agreement: each copy has a code, its lines, a history,
reservations, a payment, and an entry in the wallet. No process may use the shop in the meantime.
"""

from collections.abc import Sequence

from django.core.management.color import no_style
from django.db import connection, models, transaction
from django.db.models import F, Sum

from catalog.stock.models import Reservation, StockLevel, StockMovement
from commerce.ledger.models import LedgerEntry
from commerce.orders.models import Order, OrderLine, OrderStatusChange, Trade
from commerce.payments.models import Payment
from core.table_sizes import note_table_sizes

# A table of the connection's own, with the orders that are copied and their places among them.
_ORIGINALS = "many_orders"


def copy_order(order_no: str, number: str) -> None:
    """Copy an order, which was paid from the wallet, so many times."""
    with transaction.atomic():
        copy_orders([order_no], int(number))
    # So many orders would have come in weeks, and this each night.
    note_table_sizes()


def copy_orders(order_nos: Sequence[str], number: int) -> None:
    """Copy each of some orders so many times, and count the copies where they count.

    The orders are of different customers, and were paid from the wallet.
    """
    _note_originals(order_nos)
    # In the SQL below: which copy this is, among those of its own order and among all.
    nth = f"(n.i - 1) * {len(order_nos)} + noted.place"
    new_no = f"'C' || ({nth})"
    reference = f"{new_no} || '-1'"
    trades = _copy(Trade, "id = noted.trade_id", number, code=f"'copy' || ({nth})")
    of_copy = {"order_no": new_no, "trade_id": f"{trades} + {nth}", "invoice_due": "FALSE"}
    orders = _copy(Order, "id = noted.id", number, **of_copy)
    of_order = {"order_id": f"{orders} + {nth}"}
    _copy(OrderLine, "order_id = noted.id", number, **of_order)
    _copy(OrderStatusChange, "order_id = noted.id", number, **of_order)
    _copy(Payment, "order_id = noted.id", number, **of_order, reference=reference)
    _receive_units(order_nos, number)
    _copy(Reservation, "reference = noted.order_no", number, reference=new_no)
    _top_up(order_nos, number)
    balance = "(SELECT balance FROM ledger_ledgeraccount WHERE id = original.account_id)"
    _copy(
        LedgerEntry,
        "reference = noted.order_no || '-1'",
        number,
        reference=reference,
        # What an entry takes away is negative.
        balance=f"{balance} - ({number} - n.i) * original.amount",
    )


def _receive_units(order_nos: Sequence[str], number: int) -> None:
    """Put the units of the copies into stock, and reserve them."""
    held = Reservation.objects.filter(reference__in=order_nos).order_by("level").values_list("level")
    for level, units in held.annotate(total=Sum("units")):
        units *= number
        StockMovement.objects.create(level_id=level, units=units, reason=StockMovement.Reason.imported)
        StockLevel.objects.filter(pk=level).update(
            on_hand=F("on_hand") + units, reserved=F("reserved") + units
        )


def _top_up(order_nos: Sequence[str], number: int) -> None:
    """Put into each wallet what the copies take out of it."""
    paid = LedgerEntry.objects.filter(reference__in=[f"{order_no}-1" for order_no in order_nos])
    LedgerEntry.objects.bulk_create(
        LedgerEntry(
            account=entry.account,
            amount=number * -entry.amount,
            balance=entry.account.balance + number * -entry.amount,
            reason=LedgerEntry.Reason.opening,
            reference="for the copies",
        )
        for entry in paid.select_related("account")
    )


def _note_originals(order_nos: Sequence[str]) -> None:
    places = ", ".join(["%s"] * len(order_nos))
    with connection.cursor() as cursor:
        cursor.execute(f"DROP TABLE IF EXISTS {_ORIGINALS}")
        cursor.execute(
            f"CREATE TEMPORARY TABLE {_ORIGINALS} AS SELECT id, trade_id, order_no, "  # noqa: S608  own names
            f"row_number() OVER (ORDER BY id) AS place FROM orders_order WHERE order_no IN ({places})",
            list(order_nos),
        )


def _copy(model: type[object], condition: str, number: int, **columns: str) -> int:
    """Copy the rows of the noted orders; returns the number that a copy's own is added to for its key.

    `condition`: which column of a row shows that it belongs to `noted`. `columns`: SQL for those that differ.
    """
    assert issubclass(model, models.Model)
    last = model._default_manager.order_by("-pk").values_list("pk", flat=True)[0]
    named = [field.column for field in model._meta.concrete_fields]
    quoted = connection.ops.quote_name
    table = quoted(model._meta.db_table)
    columns["id"] = f"{last} + (n.i - 1) * originals.number + original.place"
    values = ", ".join(columns.get(name, f"original.{quoted(name)}") for name in named)
    rows = f"{table} JOIN {_ORIGINALS} AS noted ON {table}.{condition}"
    with connection.cursor() as cursor:
        cursor.execute(
            f"INSERT INTO {table} ({', '.join(map(quoted, named))}) "  # noqa: S608  own names
            f"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {number}), "
            f"original AS (SELECT {table}.*, row_number() OVER (ORDER BY {table}.id) AS place FROM {rows}), "
            "originals AS (SELECT count(*) AS number FROM original) "
            f"SELECT {values} FROM n CROSS JOIN originals CROSS JOIN original "
            f"JOIN {_ORIGINALS} AS noted ON original.{condition}"
        )
        for statement in connection.ops.sequence_reset_sql(no_style(), [model]):
            cursor.execute(statement)
    return int(last)
