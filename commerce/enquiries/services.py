"""Sends what visitors and customers write to the shop to the mailbox of its settings.

See docs/product.md#questions-to-the-shop. The message is the only copy: nothing else is stored.
"""

from datetime import timedelta
from urllib.parse import urljoin

from django.conf import settings
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext

from commerce.accounts.identity import normalised
from commerce.accounts.models import Customer
from commerce.messaging.recipients import is_email
from commerce.messaging.services import write_message
from commerce.messaging.tasks import send_message
from commerce.orders.services import find_order
from commerce.rate_limits.services import RateLimit, consume_in_transaction
from core.enqueue import enqueue_after_commit
from core.errors import Err, ShopError
from core.languages import language_name
from core.shop import contact
from core.transactions import in_transaction

A_DAY = timedelta(days=1)
PER_NETWORK = RateLimit("enquiry network", maximum=10, window=A_DAY, by_network=True)
PER_CUSTOMER = RateLimit("enquiry customer", maximum=10, window=A_DAY)
MAX_NAME, MAX_ORDER_NO, MAX_TEXT = 80, 24, 2_000
# The mail server of the shop may be down for a weekend.
_WORTH_SENDING = timedelta(days=3)


@in_transaction
def send_enquiry(
    *, text: str, email: str, name: str = "", order_no: str = "", language: str, network: str
) -> None:
    """Send a visitor's question to the shop's mailbox; staff reply to the address that the visitor gives.

    `language`: a code of LANGUAGES. `network`: the client's network, to limit the questions. Raises
    ShopError(parameter_error) with the fields `text` or `email`, too_frequent with the seconds to wait, and
    shop_unavailable if the shop has no e-mail address.
    """
    address = normalised(email)
    wrong = {"text": not text.strip(), "email": address is None or not is_email(address)}
    if any(wrong.values()):
        fields = {name: Err.parameter_error.name for name, is_wrong in wrong.items() if is_wrong}
        raise ShopError(Err.parameter_error, fields=fields)
    mailbox = _mailbox()
    consume_in_transaction((PER_NETWORK, network))
    assert address
    # The visitor is not logged in, so the number is only what they wrote.
    _send(mailbox, text, name=name, account=address, language=language, order_no=order_no)


@in_transaction
def ask_about_order(*, customer: Customer, order_no: str, text: str) -> None:
    """Send a customer's question about an order to the shop's mailbox; staff reply to the account.

    Locks: the customer's counter. Raises ShopError(order_not_found, parameter_error,
    too_frequent, shop_unavailable).
    """
    order = find_order(customer=customer, order_no=order_no)
    if not text.strip():
        raise ShopError(Err.parameter_error, fields={"text": Err.parameter_error.name})
    mailbox = _mailbox()
    consume_in_transaction((PER_CUSTOMER, str(customer.pk)))
    _send(
        mailbox,
        text,
        name=customer.nickname,
        account=customer.account,
        language=order.language,
        order_no=order.order_no,
        page=urljoin(f"{settings.SITE_URL}/", reverse("orders:inspect", args=[order.pk])),
    )


def _mailbox() -> str:
    details = contact()
    if details is None or not details.email:
        raise ShopError(Err.shop_unavailable)
    return details.email


def _send(
    mailbox: str, text: str, *, name: str, account: str, language: str, order_no: str, page: str = ""
) -> None:
    # Staff read it, whatever the language of the customer.
    with translation.override(settings.LANGUAGE_CODE):
        rows = {
            gettext("From"): f"{name} <{account}>",
            gettext("Language"): language_name(language),
            gettext("Order"): order_no,
            gettext("Back office"): page,
        }
        subject = gettext("Question from the contact form")
        if order_no:
            subject = gettext("Question about order %(number)s") % {"number": order_no}
    head = "\n".join(f"{label}: {' '.join(value.split())}" for label, value in rows.items() if value)
    message = write_message(
        to=mailbox,
        subject=subject,
        text=f"{head}\n\n{text.strip()}\n",
        code="",
        reply_to=account if is_email(account) else "",
        expires_at=timezone.now() + _WORTH_SENDING,
    )
    enqueue_after_commit(send_message, message.pk)
