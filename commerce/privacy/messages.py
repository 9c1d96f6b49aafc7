"""Messages to customers about copies of their data and the deletion of their account."""

from datetime import timedelta

from django.conf import settings
from django.utils import timezone, translation
from django.utils.translation import gettext

from commerce.accounts.models import Customer
from commerce.messaging.services import write_message
from commerce.messaging.tasks import send_message
from commerce.orders.models import Order
from core.enqueue import enqueue_after_commit
from core.languages import ENGLISH, in_language
from core.shop import contact, shop_name

_WORTH_SENDING = timedelta(days=2)


def language_of(customer: Customer) -> str:
    """Return the language of messages to a customer: the consent's, else the newest order's, else English."""
    consent = getattr(customer, "marketing_consent", None)
    if consent:
        return str(consent.language)
    orders = Order.objects.filter(customer=customer).order_by("-pk")
    return orders.values_list("language", flat=True).first() or ENGLISH


def notify_data_copy(account: str, language: str) -> None:
    """Notify a customer that a copy of their data was given out, within the caller's transaction."""
    with translation.override(language):
        facts = _facts(language)
        text = gettext(
            "A copy of your data at %(shop)s was given out on request. If it was not you who asked for it, "
            "choose a new password: %(password)s"
        )
        _write(account, gettext("A copy of your data at %(shop)s") % facts, text % facts)


def notify_deletion(account: str, language: str) -> None:
    """Notify a former customer that the account is deleted, within the caller's transaction."""
    with translation.override(language):
        facts = _facts(language)
        text = gettext(
            "Your account at %(shop)s is deleted. Your name, addresses, carts and messages are erased "
            "within minutes. What tax law requires, such as invoices, is kept for %(years)d years and then "
            "erased. If it was not you who asked for it, please contact us: %(contact)s"
        )
        _write(account, gettext("Your account at %(shop)s is deleted") % facts, text % facts)


def _facts(language: str) -> dict[str, object]:
    seller = contact()
    return {
        "shop": shop_name(),
        "password": f"{settings.SITE_URL}{in_language('/home/login', language)}#reset",
        "contact": (seller and (seller.email or seller.phone)) or settings.SITE_URL,
        "years": settings.TAX_RECORD_YEARS,
    }


def _write(account: str, subject: str, text: str) -> None:
    message = write_message(
        to=account, subject=subject, text=text, code="", expires_at=timezone.now() + _WORTH_SENDING
    )
    # The periodic job sends it if the queue cannot be reached.
    enqueue_after_commit(send_message, message.pk)
