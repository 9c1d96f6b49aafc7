"""Personal data in orders; the data that an invoice needs is kept as long as the law requires.

See docs/guarantees/customers.md#privacy.
"""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

from django.db import transaction
from django.db.models import Exists, F, OuterRef, QuerySet
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from commerce.accounts.models import Customer
from commerce.accounts.personal import Holding, Obstacle, Row, Section, by_pages, labels
from commerce.accounts.services import remember_account
from commerce.orders.models import (
    Order,
    OrderLine,
    OrderNote,
    OrderStatusChange,
    RecipientIdCard,
    Trade,
)
from commerce.orders.status import OrderStatus
from core.batches import short_batches
from core.languages import in_both_languages

# Orders with these statuses need no payment or delivery. A returned order is open until it is refunded.
CLOSED = frozenset({OrderStatus.completed, OrderStatus.canceled, OrderStatus.chargeback})
# The maximum number of open orders that are listed.
NAMED = 5
ORDERS_PER_BATCH = 200


def by_orders(
    customer: Customer, rows: QuerySet[Any], order: str = "order"
) -> Iterator[tuple[dict[int, str], Any]]:
    """Yield each row of a customer's orders together with order id → order number of its batch.

    `order`: the lookup from a row to its order. Batches are by orders, since each page by row keys would scan
    all rows.
    """
    orders = by_pages(Order.objects.filter(customer=customer).only("order_no"))
    while numbers := {each.pk: each.order_no for each in islice(orders, ORDERS_PER_BATCH)}:
        for row in rows.filter(**{f"{order}__in": numbers}).order_by(order, "pk"):
            yield numbers, row


def _orders(customer: Customer) -> Iterator[Row]:
    statuses = labels(Order, "status")
    for order in by_pages(customer.orders.select_related("id_card")):
        address, shop = order.address or {}, order.shop or {}
        card = getattr(order, "id_card", None)
        yield {
            "number": order.order_no,
            "ordered": order.created_at,
            "status": statuses[order.status],
            "products": order.goods_amount,
            "discount": order.discount,
            "voucher": order.voucher_code,
            "freight": order.freight,
            "points": order.points,
            "total": order.pay_amount,
            "paid": order.paid_at,
            "recipient": address.get("contacts", ""),
            "phone": address.get("contactPhone", ""),
            "address": _address_text(address) or shop.get("shopNameEn", ""),
            "remark": order.remark,
            "idCard": card.masked if card else "",
        }


def _address_text(address: dict[str, Any]) -> str:
    names = ("addressDetail", "areaName", "cityName", "provinceName", "zipCode", "countryName")
    return ", ".join(str(address[name]) for name in names if address.get(name))


def _lines(customer: Customer) -> Iterator[Row]:
    for numbers, line in by_orders(customer, OrderLine.objects.all()):
        yield {
            "order": numbers[line.order_id],
            "sku": line.sku,
            "product": line.name_en,
            "productZh": line.name_zh,
            "pack": line.pack,
            "price": line.price,
            "amount": line.amount,
            "discount": line.discount,
            "refunded": line.refunded_amount,
        }


def _steps(customer: Customer) -> Iterator[Row]:
    statuses = labels(OrderStatusChange, "to_status")
    reasons = labels(OrderStatusChange, "reason")
    for numbers, change in by_orders(customer, OrderStatusChange.objects.all()):
        yield {
            "order": numbers[change.order_id],
            "time": change.created_at,
            "status": statuses[change.to_status],
            "reason": reasons[change.reason],
            # Notes of other status changes are for staff only.
            "note": change.note if change.to_status == OrderStatus.asking else "",
        }


def _open_orders(customer: Customer) -> Iterable[Obstacle]:
    open_ones = Order.objects.filter(customer=customer).exclude(status__in=CLOSED)
    # A returned order whose units are all refunded is finished.
    left = OrderLine.objects.filter(order=OuterRef("pk"), refunded_units__lt=F("amount"))
    open_ones = open_ones.exclude(~Exists(left), status=OrderStatus.returned)
    for number in open_ones.order_by("pk").values_list("order_no", flat=True)[:NAMED]:

        def text(number: str = number) -> str:
            text = gettext("Order %(number)s is not completed: it has to be paid, sent or received first.")
            return text % {"number": number}

        yield Obstacle(in_both_languages(text), f"/home/account/orderdetails/{number}")


def forget(customer: Customer) -> None:
    """Remember the account's name as a hash if orders count for its vouchers and promotion shares."""
    if customer.orders.exclude(status=OrderStatus.canceled).exists():
        remember_account(customer)


def erase(customer_id: int) -> None:
    """Delete data that no invoice needs: phones, remarks, pick-up codes, ID cards, unused codes, drafts."""
    orders = Order.objects.filter(customer_id=customer_id)
    for batch in short_batches(list(orders.order_by("pk").values_list("pk", "address"))):
        with transaction.atomic():
            for key, address in batch:
                kept = address and address | {"contactPhone": ""}
                orders.filter(pk=key).update(remark="", pickup_code="", address=kept)
    RecipientIdCard.objects.filter(order__customer_id=customer_id).delete()
    trades = Trade.objects.filter(customer_id=customer_id)
    trades.filter(payload_hash="").delete()
    trades.update(draft=None)


def wipe(order_ids: list[int]) -> None:
    """Remove recipients, remarks, pick-up codes and staff's notes from orders."""
    Order.objects.filter(pk__in=order_ids).update(address=None, remark="", pickup_code="")
    OrderStatusChange.objects.filter(order__in=order_ids).exclude(note="").update(note="")
    OrderNote.objects.filter(order__in=order_ids).delete()


PERSONAL = Holding(
    # Uses of promotions and vouchers are only counts, so they are neither exported nor deleted. The hash of a
    # deleted account connects them with a new account of the same name for a year.
    tables=frozenset({"orders.Order", "orders.Trade", "orders.PromotionUse", "vouchers.VoucherUse"}),
    sections=(
        Section(
            "orders",
            _("Orders"),
            {
                "number": _("order number"),
                "ordered": _("ordered at"),
                "status": _("status"),
                "products": _("products, AUD"),
                "discount": _("discount, AUD"),
                "voucher": _("voucher code"),
                "freight": _("delivery cost, AUD"),
                "points": _("points spent"),
                "total": _("to pay, AUD"),
                "paid": _("paid at"),
                "recipient": _("recipient"),
                "phone": _("phone"),
                "address": _("address"),
                "remark": _("remark"),
                "idCard": _("ID card"),
            },
            _orders,
        ),
        Section(
            "orderLines",
            _("order lines"),
            {
                "order": _("order number"),
                "sku": _("SKU"),
                "product": _("English name"),
                "productZh": _("Chinese name"),
                "pack": _("pack"),
                "price": _("price, AUD"),
                "amount": _("Units"),
                "discount": _("discount, AUD"),
                "refunded": _("refunded, AUD"),
            },
            _lines,
        ),
        Section(
            "orderHistory",
            _("History of orders"),
            {
                "order": _("order number"),
                "time": _("Time"),
                "status": _("status"),
                "reason": _("reason"),
                "note": _("note"),
            },
            _steps,
        ),
    ),
    obstacles=_open_orders,
    forget=forget,
    erase=erase,
    wipe=wipe,
)
