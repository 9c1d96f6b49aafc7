"""Audit rules for orders, except their points (docs/guarantees/README.md)."""

from collections.abc import Iterator
from datetime import timedelta
from decimal import Decimal, InvalidOperation
from typing import Any

from django.db import connection
from django.db.models import (
    Case,
    Count,
    DecimalField,
    Exists,
    F,
    Func,
    OuterRef,
    Q,
    Subquery,
    Sum,
    When,
    Window,
)
from django.db.models.functions import Coalesce, Lag, Lead
from django.utils import timezone
from django.utils.translation import gettext_noop as _

from catalog.promotions.models import PromotionItem
from catalog.stock.models import Reservation, StockLevel
from commerce.delivery.models import DeliverySlot, PickupSlot
from commerce.orders.models import Order, OrderLine, OrderStatusChange, PromotionUse, RecipientIdCard, Trade
from commerce.orders.sales import due_sales
from commerce.orders.services.receive import RECEIVABLE
from commerce.orders.status import TRANSITIONS, UNDO_TRANSITIONS, ChangeReason, OrderStatus, is_paid
from commerce.vouchers.models import Voucher, VoucherUse
from core.audit import Difference, about, cents, label_of, run_rules
from core.encryption import is_encrypted
from core.money import ZERO, aud, aud_text, gst_share

State = Reservation.State
# A job ends expired orders every minute, well within this time.
EXPIRED_WITHIN = timedelta(minutes=10)
HELD_AT_MOST = timedelta(days=30)
COUNTED_WITHIN = timedelta(hours=1)
COMPLETED_WITHIN = timedelta(hours=6)
# The nightly purge deletes expired ID cards well within this time.
DELETED_WITHIN = timedelta(days=2)
EVER_PAID = [code for code in OrderStatus if is_paid(code)] + [OrderStatus.chargeback]
_LIVING = ~Q(order__status=OrderStatus.canceled)
# The number of rows read in one batch.
ROWS = 500

# One grouped query, since a subquery per line would read reservations repeatedly. Units that were left out
# may have been released, so `held` may be anything from `least` to `owed`.
# `commerce.shipments.audit` checks disputed orders.
_UNITS = f"""
SELECT order_no, MAX(sku), SUM(held), SUM(owed)
FROM (
    SELECT reference AS order_no, product_id, location_id, NULL AS sku,
        units AS held, 0 AS owed, 0 AS least, 0 AS is_line
    FROM {Reservation._meta.db_table} AS reservation
    JOIN {StockLevel._meta.db_table} AS level ON level.id = reservation.level_id
    WHERE state IN ('{State.held}', '{State.shipped}')
    UNION ALL
    SELECT order_no, product_id, location_id, sku,
        0, CASE WHEN status = {OrderStatus.canceled} THEN 0 ELSE amount END,
        CASE WHEN status = {OrderStatus.canceled} THEN 0 ELSE amount - unsent END, 1
    FROM {OrderLine._meta.db_table} AS line
    JOIN {Order._meta.db_table} AS placed ON placed.id = line.order_id
    WHERE status <> {OrderStatus.chargeback}
) AS units
GROUP BY order_no, product_id, location_id
HAVING SUM(is_line) > 0 AND (SUM(held) < SUM(least) OR SUM(held) > SUM(owed))
ORDER BY order_no, product_id
"""  # noqa: S608  names of tables, and constants


def differences() -> Iterator[Difference]:
    """Yield a difference for each order, line, reservation, slot and code that breaks a rule."""
    yield from run_rules(_lines, _reservations, _slots, _codes, _customers, _id_cards, _encrypted)
    yield from run_rules(_quotas, _shares, _lost_items, _promotions, _vouchers)
    yield from run_rules(_amounts, _taxes, _parcels)
    yield from run_rules(_statuses, _moves, _times_paid, _expiry, _completion, _sales)


def _lines() -> Iterator[Difference]:
    """Compare the units of each order and product with their held and shipped reservations."""
    with connection.chunked_cursor() as cursor:
        cursor.execute(_UNITS)
        while rows := cursor.fetchmany(ROWS):
            for order_no, sku, held, owed in rows:
                yield Difference(
                    "line-held",
                    f"order {order_no}",
                    _("%(held)s units of %(sku)s are held, %(owed)s should be"),
                    held=held,
                    sku=sku,
                    owed=owed,
                )


def _reservations() -> Iterator[Difference]:
    line = OrderLine.objects.filter(order__order_no=OuterRef("reference"), product=OuterRef("level__product"))
    taken = Reservation.objects.filter(~Exists(line)).exclude(state=State.released)
    for reservation in taken.order_by("pk").iterator():
        yield Difference(
            "reservation-of-a-line",
            f"reservation {reservation.pk}",
            _("order %(order)s has no line of it"),
            order=reservation.reference,
        )


@about(PickupSlot, DeliverySlot)
def _slots() -> Iterator[Difference]:
    living = Count("orders", filter=~Q(orders__status=OrderStatus.canceled))
    for kind, all_slots in (("pick-up slot", PickupSlot.objects), ("delivery slot", DeliverySlot.objects)):
        slots: Any = all_slots.annotate(living=living).exclude(booked=F("living")).order_by("pk")
        for slot in slots.iterator():
            yield Difference(
                "slot-booked",
                f"{kind} {slot.pk}",
                _("booked %(booked)s, orders %(orders)s"),
                booked=slot.booked,
                orders=slot.living,
            )


@about(PromotionItem)
def _quotas() -> Iterator[Difference]:
    """Compare the taken units of each promotion with the lines of orders that are not canceled."""
    lines = OrderLine.objects.filter(
        _LIVING, promotion=OuterRef("promotion"), product=OuterRef("product")
    ).order_by()
    units = lines.values("product").annotate(total=Sum("amount")).values("total")
    items = PromotionItem.objects.annotate(ordered=Coalesce(Subquery(units), 0))
    for item in items.exclude(taken=F("ordered")).order_by("pk").iterator():
        yield Difference(
            "quota-taken",
            f"promotion {item.promotion_id}",
            _("product %(product)s: %(taken)s taken, %(ordered)s ordered"),
            product=item.product_id,
            taken=item.taken,
            ordered=item.ordered,
        )


@about(PromotionUse, OrderLine.objects.exclude(promotion=None))
def _shares() -> Iterator[Difference]:
    """Compare each customer's share of a promotion with their orders and with the limit."""
    lines = OrderLine.objects.filter(_LIVING, promotion__isnull=False)
    of_use = lines.filter(
        order__customer=OuterRef("customer"),
        promotion=OuterRef("item__promotion"),
        product=OuterRef("item__product"),
    ).order_by()
    units = of_use.values("product").annotate(total=Sum("amount")).values("total")
    uses = PromotionUse.objects.select_related("item").annotate(ordered=Coalesce(Subquery(units), 0))
    exceeded = Q(item__limit_amount__gt=0, amount__gt=F("item__limit_amount"))
    for use in uses.filter(~Q(amount=F("ordered")) | exceeded).order_by("pk").iterator():
        yield Difference(
            "share-of-a-customer",
            f"promotion use {use.pk}",
            _("%(counted)s counted, %(ordered)s ordered, limit %(limit)s"),
            counted=use.amount,
            ordered=use.ordered,
            limit=use.item.limit_amount or None,
        )
    counted = PromotionUse.objects.filter(
        customer=OuterRef("order__customer"),
        item__promotion=OuterRef("promotion"),
        item__product=OuterRef("product"),
    )
    for line in lines.filter(~Exists(counted)).select_related("order").order_by("pk").iterator():
        yield Difference(
            "share-of-a-customer",
            f"order {line.order}",
            _("%(units)s units of %(sku)s are missing in the customer’s share"),
            units=line.amount,
            sku=line.sku,
        )


@about(OrderLine.objects.exclude(promotion=None))
def _lost_items() -> Iterator[Difference]:
    """Yield a difference for each line whose promotion lost the product, except for canceled orders."""
    item = PromotionItem.objects.filter(promotion=OuterRef("promotion"), product=OuterRef("product"))
    lines = OrderLine.objects.filter(_LIVING, ~Exists(item), promotion__isnull=False)
    for line in lines.select_related("order").order_by("pk").iterator():
        yield Difference(
            "promotion-item",
            f"order {line.order}",
            _("promotion %(promotion)s has lost %(sku)s, of which %(units)s units are ordered"),
            promotion=line.promotion_id,
            sku=line.sku,
            units=line.amount,
        )


@about(OrderLine.objects.exclude(promotion=None))
def _promotions() -> Iterator[Difference]:
    """Yield a difference for each order with products of several promotions."""
    promotions = Count("lines__promotion", distinct=True)
    orders = Order.objects.annotate(promotions=promotions).filter(promotions__gt=1).order_by("pk")
    for order_no, count in orders.values_list("order_no", "promotions").iterator():
        yield Difference(
            "one-promotion", f"order {order_no}", _("products of %(count)s promotions"), count=count
        )


def _codes() -> Iterator[Difference]:
    trades = Trade.objects.order_by("pk")
    for pk in trades.exclude(payload_hash="").filter(order=None).values_list("pk", flat=True).iterator():
        yield Difference("code-claimed", f"trade {pk}", _("claimed without an order"))
    for pk in trades.filter(payload_hash="").exclude(order=None).values_list("pk", flat=True).iterator():
        yield Difference("code-claimed", f"trade {pk}", _("has an order, but no record of its request"))


def _customers() -> Iterator[Difference]:
    """Yield a difference for each order whose code was issued to another customer."""
    others = Order.objects.exclude(customer=F("trade__customer"))
    for order in others.select_related("trade").order_by("pk").iterator():
        yield Difference(
            "order-customer",
            f"order {order}",
            _("of customer %(customer)s, its code was given to customer %(other)s"),
            customer=order.customer_id,
            other=order.trade.customer_id,
        )


def _amounts() -> Iterator[Difference]:
    """Compare each order's product price and discount with the sums of its lines."""
    full, off = Coalesce(Sum("lines__line_total"), ZERO), Coalesce(Sum("lines__discount"), ZERO)
    orders = Order.objects.annotate(full=cents(full), off=cents(off), total=cents(full - off))
    wrong = orders.exclude(goods_amount=F("total"), discount=F("off"))
    for order in wrong.only("order_no", "goods_amount", "discount").order_by("pk").iterator():
        # SQLite adds amounts as binary fractions, so Python compares exactly.
        total, discount = aud(order.total), aud(order.off)
        if (order.goods_amount, order.discount) != (total, discount):
            yield Difference(
                "order-lines",
                f"order {order}",
                _("products %(amount)s, lines %(total)s, discount %(discount)s, of lines %(off)s"),
                amount=aud_text(order.goods_amount),
                total=aud_text(total),
                discount=aud_text(order.discount),
                off=aud_text(discount),
            )


def _taxes() -> Iterator[Difference]:
    """Compare the GST of each line and of the freight with one eleventh of its price."""
    lines = OrderLine.objects.annotate(left=F("line_total") - F("discount") - F("points_discount"))
    # SQLite divides binary fractions, so Python compares the doubtful lines exactly.
    doubted = lines.exclude(gst=ZERO).exclude(gst=cents(F("left") / 11)).order_by("pk")
    rows = doubted.values_list("order__order_no", "sku", "line_total", "discount", "points_discount", "gst")
    for order_no, sku, total, discount, by_points, gst in rows.iterator():
        in_money = total - discount - by_points
        if gst != gst_share(in_money, gst_free=False):
            yield Difference(
                "order-tax",
                f"order {order_no}",
                _("GST %(gst)s in %(amount)s of %(sku)s"),
                gst=aud_text(gst),
                amount=aud_text(in_money),
                sku=sku,
            )
    most = cents(F("freight") / 11)
    freights = Order.objects.exclude(freight_gst=ZERO).exclude(freight_gst__gte=ZERO, freight_gst__lte=most)
    for order_no, freight, gst in (
        freights.order_by("pk").values_list("order_no", "freight", "freight_gst").iterator()
    ):
        if not ZERO <= gst <= gst_share(freight, gst_free=False):
            yield Difference(
                "order-tax",
                f"order {order_no}",
                _("GST %(gst)s in the delivery cost of %(freight)s"),
                gst=aud_text(gst),
                freight=aud_text(freight),
            )


@about(Voucher, VoucherUse, Order.objects.exclude(voucher=None))
def _vouchers() -> Iterator[Difference]:
    """Compare the uses of each voucher with the orders that have it and are not canceled."""
    living = Order.objects.exclude(status=OrderStatus.canceled).order_by()
    of_voucher = living.filter(voucher=OuterRef("pk")).values("voucher").annotate(total=Count("pk"))
    vouchers = Voucher.objects.annotate(ordered=Coalesce(Subquery(of_voucher.values("total")), 0))
    for voucher in vouchers.exclude(taken=F("ordered")).order_by("pk").iterator():
        yield Difference(
            "voucher-taken",
            f"voucher {voucher.code}",
            _("%(taken)s taken, %(ordered)s ordered"),
            taken=voucher.taken,
            ordered=voucher.ordered,
        )
    of_use = living.filter(voucher=OuterRef("voucher"), customer=OuterRef("customer")).values("voucher")
    counted = of_use.annotate(total=Count("pk")).values("total")
    uses = VoucherUse.objects.annotate(ordered=Coalesce(Subquery(counted), 0)).exclude(orders=F("ordered"))
    for use in uses.order_by("pk").iterator():
        yield Difference(
            "voucher-of-a-customer",
            f"voucher use {use.pk}",
            _("%(counted)s counted, %(ordered)s ordered"),
            counted=use.orders,
            ordered=use.ordered,
        )
    mine = VoucherUse.objects.filter(voucher=OuterRef("voucher"), customer=OuterRef("customer"))
    for order in living.filter(~Exists(mine), voucher__isnull=False).order_by("pk").iterator():
        yield Difference(
            "voucher-of-a-customer",
            f"order {order}",
            _("voucher %(code)s is missing in the customer’s uses"),
            code=order.voucher_code,
        )


def _parcels() -> Iterator[Difference]:
    """Compare the freight of each order with the sum of its parcels."""
    orders = Order.objects.annotate(in_parcels=FreightOfParcels("parcels")).exclude(freight=F("in_parcels"))
    for order in orders.only("order_no", "freight", "parcels").order_by("pk").iterator():
        parcels = _freight_of(order.parcels)
        if order.freight != parcels:
            yield Difference(
                "order-parcels",
                f"order {order}",
                _("delivery cost %(freight)s, of its parcels %(parcels)s"),
                freight=aud_text(order.freight),
                parcels=None if parcels is None else aud_text(parcels),
            )


def _freight_of(parcels: Any) -> Decimal | None:
    """Return the total freight of stored parcels; None if their format is wrong."""
    try:
        return sum((Decimal(parcel["freight"]) for parcel in parcels), ZERO)
    except (TypeError, KeyError, InvalidOperation):
        return None


def _statuses() -> Iterator[Difference]:
    """Compare each order's status with the last change of its history."""
    later = Window(Lead("pk"), partition_by="order_id", order_by="pk")
    # An annotation, since a filter on columns would remove rows before the window function runs.
    ends_well = Q(later__isnull=False) | Q(to_status=F("order__status"))
    changes = OrderStatusChange.objects.annotate(
        later=later, ends_well=Case(When(ends_well, then=True), default=False)
    )
    wrong = changes.filter(ends_well=False).order_by("order_id")
    for order_no, status, noted in wrong.values_list(
        "order__order_no", "order__status", "to_status"
    ).iterator():
        yield Difference(
            "status-history",
            f"order {order_no}",
            _("status %(status)s, its history ends with %(noted)s"),
            status=label_of(OrderStatus, status),
            noted=label_of(OrderStatus, noted),
        )
    without = Order.objects.filter(~Exists(OrderStatusChange.objects.filter(order=OuterRef("pk"))))
    for order_no, status in without.order_by("pk").values_list("order_no", "status").iterator():
        yield Difference(
            "status-history",
            f"order {order_no}",
            _("status %(status)s, without a history"),
            status=label_of(OrderStatus, status),
        )


def _moves() -> Iterator[Difference]:
    """Check each status change against TRANSITIONS; an undo must reverse the change before it."""
    before, former = (
        Window(Lag(column), partition_by="order_id", order_by="pk") for column in ("to_status", "from_status")
    )
    is_first = Q(before=None, from_status=None, to_status=OrderStatus.unpaid)
    # One number for each pair of statuses, because a condition for each status takes long to build.
    pairs, undone_pairs = (
        [seen * 1000 + to for seen, after in table.items() for to in after]
        for table in (TRANSITIONS, UNDO_TRANSITIONS)
    )
    is_undone = Q(reason=ChangeReason.undone)
    follows = ~is_undone & Q(pair__in=pairs) | is_undone & Q(pair__in=undone_pairs, former=F("to_status"))
    may_follow = Q(before=F("from_status")) & follows
    changes = OrderStatusChange.objects.annotate(
        before=before,
        former=former,
        pair=F("from_status") * 1000 + F("to_status"),
        is_move=Case(When(is_first | may_follow, then=True), default=False),
    ).filter(is_move=False)
    for change in changes.select_related("order").order_by("order_id", "pk").iterator():
        yield Difference(
            "status-move",
            f"order {change.order}",
            _("moved from %(from_status)s to %(to_status)s, after %(before)s"),
            from_status=label_of(OrderStatus, change.from_status),
            to_status=label_of(OrderStatus, change.to_status),
            before=label_of(OrderStatus, change.before),
        )


def _times_paid() -> Iterator[Difference]:
    """Yield a difference for each paid order without a payment time, and each unpaid order with one."""
    has_time = Q(paid_at__isnull=False)
    refunded = OrderStatusChange.objects.filter(
        order=OuterRef("pk"), to_status=OrderStatus.canceled, reason=ChangeReason.refunded
    )
    was_paid = Q(status__in=EVER_PAID) | Exists(refunded)
    for order in Order.objects.filter(has_time ^ was_paid).order_by("pk").iterator():
        yield Difference(
            "time-paid",
            f"order {order}",
            _("status %(status)s, paid at %(paid_at)s"),
            status=label_of(OrderStatus, order.status),
            paid_at=order.paid_at,
        )


@about(Order.objects.filter(status=OrderStatus.unpaid))
def _expiry() -> Iterator[Difference]:
    """Yield a difference for each unpaid order that should have ended or that reserves units too long."""
    is_overdue = Q(expires_at__lt=timezone.now() - EXPIRED_WITHIN)
    is_endless = Q(expires_at=None) | Q(expires_at__gt=F("created_at") + HELD_AT_MOST)
    unpaid = Order.objects.filter(is_overdue | is_endless, status=OrderStatus.unpaid)
    for order in unpaid.order_by("pk").iterator():
        yield Difference("expiry", f"order {order}", _("unpaid, held until %(end)s"), end=order.expires_at)


def _completion() -> Iterator[Difference]:
    """Yield a difference for each order on its way that should have been completed."""
    late = timezone.now() - COMPLETED_WITHIN
    orders = Order.objects.filter(status__in=RECEIVABLE, complete_at__lt=late).order_by("pk")
    for order_no, complete_at in orders.values_list("order_no", "complete_at").iterator():
        yield Difference(
            "completion",
            f"order {order_no}",
            _("to be completed at %(complete_at)s, still on its way"),
            complete_at=complete_at,
        )


def _sales() -> Iterator[Difference]:
    due = due_sales().filter(paid_at__lt=timezone.now() - COUNTED_WITHIN)
    for order in due.order_by("pk").iterator():
        yield Difference(
            "sales-counted",
            f"order {order}",
            _("paid at %(paid_at)s, its sales are not counted"),
            paid_at=order.paid_at,
        )


@about(RecipientIdCard)
def _id_cards() -> Iterator[Difference]:
    """Yield a difference for each ID card that is stored too long."""
    due = RecipientIdCard.objects.filter(delete_at__lt=timezone.now() - DELETED_WITHIN)
    for card in due.select_related("order").order_by("pk").iterator():
        yield Difference(
            "id-card-deleted",
            f"order {card.order}",
            _("ID card to be deleted at %(delete_at)s, still there"),
            delete_at=card.delete_at,
        )


@about(RecipientIdCard)
def _encrypted() -> Iterator[Difference]:
    """Yield a difference for each ID card whose number is not encrypted with one of the keys."""
    cards = RecipientIdCard.objects.order_by("pk").values_list("order__order_no", "number")
    for order_no, number in cards.iterator():
        if not is_encrypted(number):
            yield Difference(
                "id-card-encrypted",
                f"order {order_no}",
                _("the number of its ID card is under none of the keys"),
            )


class FreightOfParcels(Func):
    """The total freight of stored parcels in dollars; an impossible amount if their format is wrong.

    Each parcel has its freight as a text of dollars and cents.
    """

    output_field = DecimalField(max_digits=12, decimal_places=2)

    def as_postgresql(self, compiler: Any, connection: Any, **context: Any) -> Any:
        """Return the SQL for PostgreSQL, which adds exactly."""
        template = (
            "(SELECT COALESCE(SUM(CASE WHEN parcel ->> 'freight' ~ '^[0-9]{1,10}[.][0-9]{2}$'"
            " THEN (parcel ->> 'freight')::numeric ELSE 'NaN' END), 0)"
            " FROM jsonb_array_elements(CASE jsonb_typeof(%(expressions)s) WHEN 'array' THEN %(expressions)s"
            " ELSE '[0]' END) AS one (parcel))"
        )
        return self.as_sql(compiler, connection, template=template, **context)

    def as_sqlite(self, compiler: Any, connection: Any, **context: Any) -> Any:
        """Return the SQL for SQLite, which adds binary fractions; the sum is rounded to cents."""
        template = (
            "(SELECT ROUND(COALESCE(SUM(CASE WHEN printf('%%%%.2f', freight) = freight"
            " THEN CAST(freight AS REAL) ELSE -1e15 END), 0), 2) FROM ("
            "SELECT CASE type WHEN 'object' THEN json_extract(value, '$.freight') END AS freight"
            " FROM json_each(CASE json_type(%(expressions)s) WHEN 'array' THEN %(expressions)s"
            " ELSE '[0]' END)))"
        )
        return self.as_sql(compiler, connection, template=template, **context)
