"""What messages about orders say, in the language of the order.

See docs/product.md#messages.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from urllib.parse import urljoin

from django.conf import settings
from django.template.loader import render_to_string
from django.utils import timezone, translation
from django.utils.formats import date_format
from django.utils.translation import gettext

from commerce.delivery.shipping import ShippingType
from commerce.notifications.kinds import Kind
from commerce.orders.models import Order
from commerce.orders.status import OrderStatus
from core.clock import shop_zone
from core.languages import CHINESE, HTML_LANGUAGE, in_language
from core.money import aud_text
from core.shop import contact, shop_name


@dataclass(frozen=True)
class Letter:
    """A message: its subject, its text, the same as a page, and what an SMS says of it."""

    subject: str
    text: str
    html: str
    sms: str


def letter(*, kind: Kind, order: Order, language: str, invoice: str = "", refund: str = "") -> Letter:
    """Write a message about an order in a language; queries for lines, slots, parcels and the shop's contact.

    `invoice`: the path of its invoice's PDF, empty for none; `refund`: the money that goes back, as AUD 3.90.
    """
    with translation.override(language):
        facts = _facts(kind, order, language, invoice, refund)
        return Letter(
            subject=facts["subject"],
            text=render_to_string("notifications/letter.txt", facts).strip() + "\n",
            html=render_to_string("notifications/letter.html", facts).strip(),
            sms=_sms(kind, order, facts),
        )


def _facts(kind: Kind, order: Order, language: str, invoice: str, refund: str) -> dict[str, Any]:
    is_chinese = language == CHINESE
    shop = order.shop or {}
    named = {"number": order.order_no, "shop": shop_name()}
    return {
        "subject": _subject(kind) % named,
        "opening": _opening(kind, order),
        "kind": kind.value,
        "html_lang": HTML_LANGUAGE[language],
        "order": order,
        "lines": [
            {
                "name": line.name_zh if is_chinese else line.name_en,
                "other_name": line.name_en if is_chinese else line.name_zh,
                "pack": line.pack,
                "amount": line.amount,
                "total": aud_text(line.to_pay),
            }
            for line in order.lines.all()
        ],
        "goods": aud_text(order.goods_amount),
        "freight": aud_text(order.freight),
        "total": aud_text(order.pay_amount),
        "store": (shop.get("shopName") if is_chinese else shop.get("shopNameEn")) or "",
        "store_address": shop.get("address", ""),
        "pickup_time": _time(order.pickup_slot.starts_at) if order.pickup_slot else "",
        "window": _window(order),
        "destination": _destination(order),
        "parcels": list(_parcels(order)) if kind == Kind.shipped else [],
        "refund": refund,
        "pay_before": _time(order.expires_at) if kind == Kind.created and order.expires_at else "",
        "is_pickup": order.shipping_type == ShippingType.pickup,
        "link": _address(f"/home/account/orderdetails/{order.order_no}", language),
        "invoice": urljoin(f"{settings.SITE_URL}/", invoice.lstrip("/")) if invoice else "",
        "shop": named["shop"],
        "contact": contact(),
    }


def _subject(kind: Kind) -> str:
    subjects = {
        Kind.created: gettext("We have your order %(number)s"),
        Kind.paid: gettext("Your order %(number)s is paid"),
        Kind.asking: gettext("A question about your order %(number)s"),
        Kind.ready: gettext("Your order %(number)s is ready for pick-up"),
        Kind.shipped: gettext("Your order %(number)s is on its way"),
        Kind.canceled: gettext("Your order %(number)s is canceled"),
        Kind.refunded: gettext("Your money for order %(number)s goes back"),
    }
    return subjects[kind]


def _opening(kind: Kind, order: Order) -> str:
    openings = {
        Kind.created: gettext("Thank you for your order. We keep your products for you until it is paid."),
        Kind.paid: gettext("Thank you, your payment has arrived. We are getting your order ready."),
        Kind.asking: gettext(
            "Something in your order is sold out. Please answer this message or call us, so that we know "
            "what to do."
        ),
        Kind.ready: gettext("Your order is ready. Show the pick-up code in the store."),
        Kind.shipped: _sent(order),
        Kind.canceled: gettext("Your order has ended without a payment, and nothing is owed."),
        Kind.refunded: gettext("We have sent your money back. It may take your bank some days."),
    }
    return openings[kind]


def _sent(order: Order) -> str:
    if order.status == OrderStatus.partly_shipped:
        return gettext("We have sent a part of your order; the rest follows.")
    if order.status == OrderStatus.out_for_delivery:
        return gettext("Our van is on its way with your order.")
    return gettext("We have sent your order.")


def _sms(kind: Kind, order: Order, facts: dict[str, Any]) -> str:
    if kind == Kind.ready:
        text = gettext("%(shop)s: your order %(number)s is ready at %(store)s. Pick-up code %(code)s")
    else:
        text = "%(shop)s: %(subject)s"
    return text % {
        "shop": facts["shop"],
        "number": order.order_no,
        "store": facts["store"],
        "code": order.pickup_code,
        "subject": facts["subject"],
    }


def _window(order: Order) -> str:
    if order.delivery_slot is None or order.window_ends_at is None:
        return ""
    ends = timezone.localtime(order.window_ends_at, shop_zone())
    return f"{_time(order.delivery_slot.starts_at)}–{ends:%H:%M}"


def _destination(order: Order) -> str:
    """Name who receives a delivery and where, as it was when the order was made; empty for a pick-up."""
    address = order.address or {}
    names = ("contacts", "addressDetail", "areaName", "cityName", "provinceName", "zipCode", "countryName")
    parts = dict.fromkeys(address.get(name) for name in names)
    return ", ".join(part for part in parts if part)


def _parcels(order: Order) -> Iterator[dict[str, str]]:
    """Name carrier, tracking number and link of each parcel that has not come back; one query."""
    for parcel in order.shipments.filter(came_back_at=None).select_related("carrier"):
        yield {
            "carrier": parcel.carrier.name,
            "number": parcel.tracking_no,
            "link": parcel.tracking_url,
        }


def _time(moment: datetime) -> str:
    return date_format(timezone.localtime(moment, shop_zone()), "SHORT_DATETIME_FORMAT")


def _address(path: str, language: str) -> str:
    return f"{settings.SITE_URL}{in_language(path, language)}"
