"""Copies one paid order many times: python -m config.storm.many_orders S2611230ABCDEFG 50000

Rows are copied by SQL with the books kept in agreement: each copy has a code, a line, a history, a
reservation, a payment, and an entry in the wallet. Nobody may use the shop meanwhile.
"""

import sys

import django


def main() -> None:
    """Copy the order, which has one line and was paid from the wallet."""
    django.setup()
    from django.db import transaction

    from core.table_sizes import note_table_sizes

    order_no, number = sys.argv[1], int(sys.argv[2])
    with transaction.atomic():
        copy_order(order_no, number)
    # So many orders would have come in weeks, and this each night.
    note_table_sizes()


def copy_order(order_no: str, number: int) -> None:
    """Copy an order so many times, and count the copies where they count."""
    from django.db.models import F

    from catalog.stock.models import Reservation, StockLevel, StockMovement
    from commerce.ledger.models import LedgerAccount, LedgerEntry
    from commerce.orders.models import Order, OrderLine, OrderStatusChange, Trade
    from commerce.payments.models import Payment

    order = Order.objects.get(order_no=order_no)
    [line], [payment] = order.lines.all(), order.payments.all()
    [reservation] = Reservation.objects.filter(reference=order_no)
    # What stands for the number of the copy in the SQL below.
    new_no = "'C' || n.i"
    trades = _copy(Trade, order.trade_id, number, code="'copy' || n.i")
    orders = _copy(Order, order.pk, number, order_no=new_no, trade_id=f"{trades} + n.i")
    of_order = {"order_id": f"{orders} + n.i"}
    _copy(OrderLine, line.pk, number, **of_order)
    for change in order.history.all():
        _copy(OrderStatusChange, change.pk, number, **of_order)
    _copy(Payment, payment.pk, number, **of_order, reference=f"{new_no} || '-1'")
    _copy(Reservation, reservation.pk, number, reference=new_no)

    units = number * line.amount
    level = StockLevel.objects.filter(pk=reservation.level_id)
    StockMovement.objects.create(
        level_id=reservation.level_id, units=units, reason=StockMovement.Reason.imported
    )
    level.update(on_hand=F("on_hand") + units, reserved=F("reserved") + units)

    account = LedgerAccount.objects.get(customer=order.customer, kind=LedgerAccount.Kind.wallet)
    LedgerEntry.objects.create(
        account=account,
        amount=number * payment.amount,
        balance=account.balance + number * payment.amount,
        reason=LedgerEntry.Reason.recharge,
        reference="for the copies",
    )
    paid = LedgerEntry.objects.get(account=account, reference=payment.reference)
    _copy(
        LedgerEntry,
        paid.pk,
        number,
        reference=f"{new_no} || '-1'",
        balance=f"{account.balance} + ({number} - n.i) * {payment.amount}",
    )


def _copy(model: type[object], key: int, number: int, **columns: str) -> int:
    """Copy a row; returns the number that a copy's own is added to for its key.

    `columns`: SQL for those that differ, in which `n.i` is the copy's own number, from 1 on.
    """
    from django.core.management.color import no_style
    from django.db import connection, models

    assert issubclass(model, models.Model)
    last = model._default_manager.order_by("-pk").values_list("pk", flat=True)[0]
    columns["id"] = f"{last} + n.i"
    named = [field.column for field in model._meta.concrete_fields]
    table = connection.ops.quote_name(model._meta.db_table)
    values = ", ".join(columns.get(name, f"original.{connection.ops.quote_name(name)}") for name in named)
    with connection.cursor() as cursor:
        cursor.execute(
            f"INSERT INTO {table} ({', '.join(map(connection.ops.quote_name, named))}) "  # noqa: S608  own names
            f"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {number}) "
            f"SELECT {values} FROM n, {table} AS original WHERE original.id = %s",
            [key],
        )
        for statement in connection.ops.sequence_reset_sql(no_style(), [model]):
            cursor.execute(statement)
    return int(last)


if __name__ == "__main__":
    main()
