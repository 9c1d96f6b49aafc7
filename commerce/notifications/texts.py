"""The texts of messages about orders, in the language of the order.

See docs/product.md#messages.
"""

from dataclasses import dataclass
from typing import Any
from urllib.parse import urljoin

from django.conf import settings
from django.db.models import prefetch_related_objects
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.text import Truncator
from django.utils.translation import gettext

from commerce.delivery.shipping import ShippingType
from commerce.notifications.kinds import OF_CLAIMS, Kind
from commerce.orders.models import Order, OrderLine, OrderStatusChange
from commerce.orders.status import ChangeReason, OrderStatus
from commerce.payments.models import Certificate
from commerce.payments.services.left_to_pay import left_to_pay
from commerce.shipments.models import FINAL_STATES, Shipment
from core.clock import moment_in_zone_text, period_text, zone_text
from core.countries import country_codes, country_names
from core.languages import CHINESE, HTML_LANGUAGE, in_language
from core.money import aud_text
from core.shop import contact, shop_name

# The maximum characters of a list, or of staff's text about a claim, in an SMS.
MAX_SMS_LIST = 120
# Nothing more of the order will be delivered, so delivery details are left out.
_OVER = OF_CLAIMS | {Kind.canceled, Kind.refunded}
_TO_TRANSFER = frozenset({Kind.rejected, Kind.part_paid})
_TO_PAY = _TO_TRANSFER | {Kind.created}
_WITH_PARCEL = frozenset({OrderStatus.shipped, OrderStatus.partly_shipped})


@dataclass(frozen=True)
class Notification:
    """The content of a message that is not stored in its order.

    `invoice`: path of the invoice's PDF, empty for none; `refund`: the refunded amount, such as A$3.90;
    `status`: the order's new status; `parcel`: number of the parcel sent with this change, 0 for none;
    `text`: staff's question, or their text about a transfer, claim or request to cancel; `claim`: the
    claim's number; `is_refunded`: True if the order was refunded completely; `is_in_wallet`: True if the
    refund went to the wallet.
    """

    invoice: str = ""
    refund: str = ""
    status: OrderStatus | None = None
    parcel: int = 0
    text: str = ""
    claim: str = ""
    is_refunded: bool = False
    is_in_wallet: bool = False


def notification_of(change: OrderStatusChange) -> Notification:
    """Return the notification of a status change; one query if a parcel was sent."""
    status = OrderStatus(change.to_status)
    parcel = 0
    if change.reason == ChangeReason.shipment and status in _WITH_PARCEL:
        # Each parcel has one status change, and an order's parcels are numbered from 1.
        moves = OrderStatusChange.objects.filter(order_id=change.order_id, pk__lte=change.pk)
        parcel = moves.filter(reason=ChangeReason.shipment, to_status__in=_WITH_PARCEL).count()
    question = change.note.strip() if status == OrderStatus.asking else ""
    is_refunded = change.reason == ChangeReason.refunded
    return Notification(status=status, parcel=parcel, text=question, is_refunded=is_refunded)


def review_notification(review: Certificate, order: Order) -> Notification:
    """Return the notification of a transfer's review, in the order's language; some queries."""
    with translation.override(order.language):
        if review.state != Certificate.State.rejected:
            return Notification(
                text=gettext("Still to pay: %(amount)s") % {"amount": aud_text(left_to_pay(order))}
            )
        reason, text = review.get_reason_display(), review.reason_text
        if review.reason == Certificate.Reason.other:
            return Notification(text=text)
        return Notification(
            text=gettext("%(reason)s: %(text)s") % {"reason": reason, "text": text} if text else reason
        )


@dataclass(frozen=True)
class Letter:
    """A message: subject, plain text, HTML, and SMS text."""

    subject: str
    text: str
    html: str
    sms: str


def letter(*, kind: Kind, order: Order, language: str, notification: Notification) -> Letter:
    """Write a message about an order in a language.

    Queries lines and their products, slots, parcels and the shop's contact.
    """
    with translation.override(language):
        facts = _facts(kind, order, language, notification)
        return Letter(
            subject=facts["subject"],
            text=render_to_string("notifications/letter.txt", facts).strip() + "\n",
            html=render_to_string("notifications/letter.html", facts).strip(),
            sms=_sms(kind, order, facts),
        )


def _facts(kind: Kind, order: Order, language: str, notification: Notification) -> dict[str, Any]:
    prefetch_related_objects([order], "lines__product")
    is_chinese = language == CHINESE
    shop = order.shop or {}
    comma = "，" if is_chinese else ", "
    named = {"number": order.order_no, "shop": shop_name()}
    parcel, others = _parcels(order, notification.parcel) if kind == Kind.shipped else (None, [])
    return {
        "subject": _subject(kind) % named,
        "opening": _opening(kind, notification),
        "colon": "：" if is_chinese else ": ",
        "comma": comma,
        "kind": kind.value,
        "html_lang": HTML_LANGUAGE[language],
        "order": order,
        "lines": [
            {
                "name": _name(line, is_chinese),
                "other_name": line.name_en if is_chinese else line.name_zh,
                "pack": _pack(line, is_chinese),
                "amount": line.amount,
                "total": aud_text(line.to_pay),
            }
            for line in order.lines.all()
        ],
        "goods": aud_text(order.goods_amount),
        "points": f"−{aud_text(order.points_amount)}" if order.points else "",
        "freight": aud_text(order.freight),
        "total": aud_text(order.pay_amount),
        "store": (shop.get("shopName") if is_chinese else shop.get("shopNameEn")) or "",
        "store_address": shop.get("address", ""),
        "pickup_time": moment_in_zone_text(order.pickup_slot.starts_at) if order.pickup_slot else "",
        "window": _window(order),
        "destination": comma.join(filter(None, _destination(order.address or {}, is_chinese))),
        "may_be_left": order.leave_at_door and kind not in _OVER,
        "remark": "" if kind in _OVER else order.remark,
        "parcel": parcel,
        "other_parcels": others,
        "left_out": _left_out(order, is_chinese) if kind == Kind.left_out else [],
        "refund": notification.refund,
        "text": notification.text,
        "pay_before": moment_in_zone_text(order.expires_at) if kind in _TO_PAY and order.expires_at else "",
        "is_pickup": order.shipping_type == ShippingType.pickup,
        "link": _link(kind, order, language, notification),
        "is_of_claim": kind in OF_CLAIMS,
        "invoice": urljoin(f"{settings.SITE_URL}/", notification.invoice.lstrip("/"))
        if notification.invoice
        else "",
        "shop": named["shop"],
        "contact": contact(),
    }


def _link(kind: Kind, order: Order, language: str, notification: Notification) -> str:
    if notification.claim:
        return _address(f"/home/account/claims/{notification.claim}", language)
    details = _address(f"/home/account/orderdetails/{order.order_no}", language)
    return f"{details}#transfer" if kind in _TO_TRANSFER else details


def _subject(kind: Kind) -> str:
    subjects = {
        Kind.created: gettext("We have your order %(number)s"),
        Kind.paid: gettext("Your order %(number)s is paid"),
        Kind.asking: gettext("A question about your order %(number)s"),
        Kind.ready: gettext("Your order %(number)s is ready for pick-up"),
        Kind.shipped: gettext("Your order %(number)s is on its way"),
        Kind.left_out: gettext("We could not send all of your order %(number)s"),
        Kind.canceled: gettext("Your order %(number)s is cancelled"),
        Kind.refunded: gettext("Your refund for order %(number)s"),
        Kind.rejected: gettext("We could not accept your transfer for order %(number)s"),
        Kind.part_paid: gettext("Part of the payment for your order %(number)s is missing"),
        Kind.cancellation_declined: gettext("We could not cancel your order %(number)s"),
        Kind.claim_asking: gettext("A question about your claim for order %(number)s"),
        Kind.claim_refund: gettext("Your claim for order %(number)s is accepted: we are refunding you"),
        Kind.claim_replacement: gettext(
            "Your claim for order %(number)s is accepted: we are sending a replacement"
        ),
        Kind.claim_declined: gettext("We could not accept your claim for order %(number)s"),
        Kind.claim_settled: gettext("We have settled your claim for order %(number)s"),
    }
    return subjects[kind]


def _opening(kind: Kind, notification: Notification) -> str:
    openings = {
        Kind.created: gettext(
            "Thank you for your order. We are holding your products for you until it is paid."
        ),
        Kind.paid: gettext("Thank you, your payment has arrived. We are getting your order ready."),
        Kind.asking: gettext(
            "We have a question about your order. Please reply to this message or call us, so that we know "
            "what to do."
        ),
        Kind.ready: gettext("Your order is ready. Show the pick-up code in the store."),
        Kind.shipped: _sent(notification.status),
        Kind.left_out: gettext(
            "We are sorry: some products cannot be sent and were left out of your order. Please reply to "
            "this message or call us if you have not heard from us about the money for them."
        ),
        Kind.canceled: _ended(notification),
        Kind.refunded: _went_back(notification),
        Kind.rejected: gettext(
            "We could not accept the picture of your transfer. Please upload another one on the order "
            "page. We are holding your products in the meantime."
        ),
        Kind.part_paid: gettext(
            "We have received part of the payment for your order. Please transfer the rest and upload its "
            "receipt on the order page. We are holding your products in the meantime."
        ),
        Kind.cancellation_declined: gettext(
            "You asked us to cancel your order. We are sorry that we could not do that."
        ),
        Kind.claim_asking: gettext(
            "We have a question about your claim. Please answer it on the claim page."
        ),
        Kind.claim_refund: gettext(
            "We are sorry that something was wrong. We are refunding you and will let you know when the "
            "money is on its way."
        ),
        Kind.claim_replacement: gettext(
            "We are sorry that something was wrong. We are sending a replacement."
        ),
        Kind.claim_declined: gettext(
            "We have looked into your claim and could not accept it. If you disagree, please contact us."
        ),
        Kind.claim_settled: gettext(
            "Your claim has been settled in another way than a refund. If you disagree, please contact us."
        ),
    }
    return openings[kind]


def _ended(notification: Notification) -> str:
    if notification.is_refunded:
        return gettext("We have cancelled your order and are refunding you.")
    return gettext("Your order was not paid and has ended. You do not owe anything.")


def _went_back(notification: Notification) -> str:
    if notification.is_in_wallet:
        return gettext("Your refund is in your wallet.")
    return gettext("We have sent your refund. It may take your bank a few days.")


def _sent(status: OrderStatus | None) -> str:
    if status == OrderStatus.partly_shipped:
        return gettext("We have sent part of your order; the rest will follow.")
    if status == OrderStatus.out_for_delivery:
        return gettext("Our van is on its way with your order.")
    return gettext("We have sent your order.")


def _sms(kind: Kind, order: Order, facts: dict[str, Any]) -> str:
    phone = facts["contact"].phone if facts["contact"] else ""
    if kind == Kind.ready:
        text = gettext("%(shop)s: your order %(number)s is ready at %(store)s. Pick-up code %(code)s")
    elif kind == Kind.asking:
        text = gettext("%(shop)s asks about your order %(number)s: %(question)s")
        if phone:
            # Customers cannot reply to an SMS.
            text += " " + gettext("Please call us: %(phone)s")
    elif kind in OF_CLAIMS | {Kind.cancellation_declined}:
        text = "%(shop)s%(colon)s%(subject)s%(colon)s%(text)s"
    elif kind == Kind.left_out:
        text = "%(shop)s%(colon)s%(subject)s%(colon)s%(left_out)s"
    else:
        text = "%(shop)s%(colon)s%(subject)s"
    return text % {
        "shop": facts["shop"],
        "number": order.order_no,
        "store": facts["store"],
        "code": order.pickup_code,
        "subject": facts["subject"],
        "colon": facts["colon"],
        "left_out": Truncator(gettext("; ").join(facts["left_out"])).chars(MAX_SMS_LIST),
        "question": facts["text"],
        "text": Truncator(facts["text"]).chars(MAX_SMS_LIST),
        "phone": phone,
    }


def _name(line: OrderLine, is_chinese: bool) -> str:
    return line.name_zh if is_chinese else line.name_en


def _left_out(order: Order, is_chinese: bool) -> list[str]:
    """Return the units that could not be sent, one text per line."""
    lines = [line for line in order.lines.all() if line.unsent]
    return [f"{line.unsent} × {_name(line, is_chinese)} {_pack(line, is_chinese)}" for line in lines]


def _pack(line: OrderLine, is_chinese: bool) -> str:
    """Return the ordered pack; in Chinese only if the product still has the same pack."""
    product = line.product
    return (is_chinese and product.pack == line.pack and product.pack_zh) or line.pack


def _window(order: Order) -> str:
    if order.delivery_slot is None or order.window_ends_at is None:
        return ""
    return f"{period_text(order.delivery_slot.starts_at, order.window_ends_at)} {zone_text()}"


def _destination(address: dict[str, str], is_chinese: bool) -> list[str]:
    """Return recipient and address of a delivery, in the country's usual order; empty for a pick-up."""
    if not address:
        return []
    area, city, province = (address.get(name, "") for name in ("areaName", "cityName", "provinceName"))
    country, street, post_code = (
        address.get(name, "") for name in ("countryName", "addressDetail", "zipCode")
    )
    if is_chinese:
        country = country_names(country_codes().get(country, country))[0]
    if address.get("countryName") in ("China", "Taiwan"):
        place = "".join(dict.fromkeys((province, city, area)))
        return [address["contacts"], " ".join(filter(None, (country, post_code, place, street)))]
    town = " ".join(filter(None, (area or city, province, post_code)))
    return [address["contacts"], street, town, country]


def _parcels(order: Order, number: int) -> tuple[Shipment | None, list[Shipment]]:
    """Return the parcel with a number, and the other parcels on their way; one query."""
    under_way = order.shipments.filter(came_back_at=None).select_related("carrier")
    parcels = [each for each in under_way if each.number == number or each.state not in FINAL_STATES]
    parcel = next((each for each in parcels if each.number == number), None)
    return parcel, [each for each in parcels if each is not parcel]


def _address(path: str, language: str) -> str:
    return f"{settings.SITE_URL}{in_language(path, language)}"
