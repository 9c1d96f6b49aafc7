"""Audit of stock (docs/guarantees/orders.md#stock)."""

from collections.abc import Iterator
from typing import Any

from django.db.models import Exists, F, IntegerField, OuterRef, Q, QuerySet, Subquery, Sum
from django.db.models.functions import Coalesce
from django.utils.translation import gettext_noop as _

from catalog.goods.models import Product
from catalog.stock.models import Reservation, StockLevel, StockMovement
from catalog.stock.soldout import with_wrong_sold_out
from core.audit import Difference, about, run_rules

# The number of wrong levels that one query reads.
BATCH = 500
_LEFT = StockMovement.objects.filter(reason__in=[StockMovement.Reason.shipped, StockMovement.Reason.undone])


def differences() -> Iterator[Difference]:
    """Yield wrong counters of stock levels, shipments whose records differ, and wrong `sold_out` flags."""
    yield from run_rules(_counters, _shipments, _shipped_for_nothing, _sold_out)


def _counters() -> Iterator[Difference]:
    # Two queries with one join each: with both joins, each reservation would be counted once per movement.
    is_held = Q(reservations__state=Reservation.State.held)
    held = StockLevel.objects.annotate(held=Coalesce(Sum("reservations__units", filter=is_held), 0))
    moved = StockLevel.objects.annotate(moved=Coalesce(Sum("movements__units"), 0))
    wrong = sorted(
        {
            *held.exclude(reserved=F("held")).values_list("pk", flat=True).iterator(),
            *moved.exclude(on_hand=F("moved")).values_list("pk", flat=True).iterator(),
        }
    )
    for start in range(0, len(wrong), BATCH):
        batch = wrong[start : start + BATCH]
        units = dict(moved.filter(pk__in=batch).values_list("pk", "moved"))
        for level in held.filter(pk__in=batch).order_by("pk"):
            yield Difference(
                "stock-counters",
                f"stock level {level.pk}",
                _("reserved %(reserved)s, held %(held)s; on hand %(on_hand)s, moved %(moved)s"),
                reserved=level.reserved,
                held=level.held,
                on_hand=level.on_hand,
                moved=units[level.pk],
            )


@about(Reservation.objects.filter(state=Reservation.State.shipped))
def _shipments() -> Iterator[Difference]:
    """Compare the units that left a level for an order by its reservations with those by its movements."""
    moved = _LEFT.filter(level=OuterRef("level"), reference=OuterRef("reference"))
    shipped = (
        Reservation.objects.filter(state=Reservation.State.shipped)
        .order_by("reference", "level")
        .values("reference", "level")
        .annotate(shipped=Sum("units"), moved=_units(moved))
    )
    for row in shipped.exclude(shipped=-F("moved")).iterator():
        yield Difference(
            "shipment",
            f"stock level {row['level']}",
            _("%(shipped)s units shipped for %(order)s, %(moved)s moved"),
            shipped=row["shipped"],
            order=row["reference"],
            moved=-row["moved"],
        )


@about(_LEFT)
def _shipped_for_nothing() -> Iterator[Difference]:
    """Yield a difference for units that left a level for an order without a shipped reservation."""
    shipped = Reservation.objects.filter(
        level=OuterRef("level"), reference=OuterRef("reference"), state=Reservation.State.shipped
    )
    moved = _LEFT.filter(~Exists(shipped)).order_by("level", "reference").values("level", "reference")
    for row in moved.annotate(moved=Sum("units")).exclude(moved=0).iterator():
        yield Difference(
            "shipment",
            f"stock level {row['level']}",
            _("%(units)s units moved for %(order)s, which has shipped none"),
            units=-row["moved"],
            order=row["reference"],
        )


def _sold_out() -> Iterator[Difference]:
    for product in with_wrong_sold_out(Product.objects.order_by("pk")).iterator():
        yield Difference(
            "sold-out",
            f"product {product.pk}",
            _("is marked as sold out, but its stock is not")
            if product.sold_out
            else _("is not marked as sold out, but its stock is"),
        )


def _units(rows: QuerySet[Any]) -> Coalesce:
    total = rows.order_by().values("level").annotate(total=Sum("units")).values("total")
    return Coalesce(Subquery(total), 0, output_field=IntegerField())
