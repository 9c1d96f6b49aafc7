"""Back-in-stock alerts and requests to stock products, which are open to everyone.

An alert is sent once, and a link in the message ends it.
"""

from datetime import timedelta

from django.conf import settings
from django.core import signing
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone, translation
from django.utils.translation import gettext

from catalog.goods.models import Product
from catalog.goods.sellable import is_sellable
from catalog.search import failed_searches
from commerce.accounts.identity import normalised
from commerce.messaging.recipients import is_email, masked
from commerce.messaging.services import write_message
from commerce.messaging.tasks import send_message
from commerce.rate_limits.services import RateLimit, consume_in_transaction
from commerce.stock_alerts.models import StockAlert
from core.due_rows import delete_in_batches, process_due_rows
from core.enqueue import enqueue_after_commit
from core.errors import Err, ShopError
from core.languages import in_language
from core.shop import shop_name
from core.transactions import in_transaction

A_DAY = timedelta(days=1)
# The form accepts any address, also another person's, so messages to one mailbox are limited.
PER_EMAIL = RateLimit("stock alert email", maximum=5, window=A_DAY)
PER_NETWORK = RateLimit("stock alert network", maximum=20, window=A_DAY, by_network=True)
REQUESTS_PER_NETWORK = RateLimit("stock request", maximum=20, window=A_DAY, by_network=True)
# Days until an open alert, and a sent one, is deleted.
OPEN_FOR, SENT_FOR = timedelta(days=365), timedelta(days=30)
_WORTH_SENDING = timedelta(days=2)
_SALT = "stock_alerts.unsubscribe"
# The state that the messages announce.
STATE = "stock_alert"


@in_transaction
def ask_for_alert(*, product_id: int, email: str, language: str, network: str) -> None:
    """Store a request for a message when a product is back; a repeat changes nothing and looks the same.

    `language`: a code of LANGUAGES. `network`: the client's network, to limit the stored requests. Raises
    ShopError(goods_error, goods_off_shelf). Raises ShopError(parameter_error) for the field `email` if the
    address is invalid, and ShopError(too_frequent) with the seconds to wait.
    """
    product = Product.objects.filter(pk=product_id).only("on_sale").first()
    if product is None:
        raise ShopError(Err.goods_error)
    if not product.on_sale:
        raise ShopError(Err.goods_off_shelf)
    address = normalised(email)
    if address is None or not is_email(address):
        raise ShopError(Err.parameter_error, fields={"email": Err.parameter_error.name})
    consume_in_transaction((PER_EMAIL, address), (PER_NETWORK, network))
    StockAlert.objects.bulk_create(
        [StockAlert(product=product, email=address, language=language)], ignore_conflicts=True
    )


@in_transaction
def request_product(*, word: str, network: str) -> None:
    """Count a request to stock what a search did not find.

    `network`: the client's network, to limit the requests. Raises ShopError(too_frequent) with the seconds to
    wait.
    """
    consume_in_transaction((REQUESTS_PER_NETWORK, network))
    failed_searches.count_request(word)


def _of_available_products() -> QuerySet[StockAlert]:
    return StockAlert.objects.filter(is_sellable("product__"), product__sold_out=False)


def due_alerts() -> QuerySet[StockAlert]:
    """Return the unsent alerts whose products can be bought again."""
    return _of_available_products().filter(sent_at=None).select_related("product").order_by("pk")


def still_back(alert_id: int) -> QuerySet[StockAlert]:
    """Return the alert with a key while its product can be bought."""
    return _of_available_products().filter(pk=alert_id)


def reopen(alert_id: int) -> None:
    """Make an alert due again, whose message was not sent because its product was sold out again."""
    StockAlert.objects.filter(pk=alert_id).update(sent_at=None)


def send_due_alerts() -> int:
    """Send the alerts that are due, each once however often this runs; return how many."""
    return process_due_rows("stock alerts", due_alerts(), _send_if_due)


def _send_if_due(alert_id: int) -> bool:
    alert = due_alerts().filter(pk=alert_id).first()
    return alert is not None and _send(alert)


@transaction.atomic
def _send(alert: StockAlert) -> bool:
    now = timezone.now()
    if not still_back(alert.pk).filter(sent_at=None).update(sent_at=now):
        return False
    stop = _address(f"/shop/notices/{unsubscribe_token(alert.email)}", alert.language)
    with translation.override(alert.language):
        subject, text = _text(alert, stop)
    message = write_message(
        to=alert.email,
        subject=subject,
        text=text,
        code="",
        expires_at=now + _WORTH_SENDING,
        unsubscribe_url=stop,
        state=STATE,
        state_id=alert.pk,
    )
    # The periodic job sends it if the queue cannot be reached.
    enqueue_after_commit(send_message, message.pk)
    return True


def _text(alert: StockAlert, stop: str) -> tuple[str, str]:
    product = alert.product
    facts = {
        "name": product.name,
        "shop": shop_name(),
        "link": _address(f"/shop/shopdetails/{product.pk}", alert.language),
        "stop": stop,
    }
    text = gettext(
        "%(name)s is back at %(shop)s:\n%(link)s\n\nYou asked for one message; nothing is reserved for you.\n"
        "To hear of no product any more: %(stop)s"
    )
    return gettext("Back in stock: %(name)s") % facts, text % facts


def _address(path: str, language: str) -> str:
    return f"{settings.SITE_URL}{in_language(path, language)}"


def unsubscribe_token(email: str) -> str:
    """Sign an address for the link that ends its alerts; the link needs no login and does not expire."""
    return signing.dumps(email, salt=_SALT)


def email_of_token(token: str) -> str | None:
    """Return the address of a signed link; None if the shop did not sign it."""
    try:
        email: str = signing.loads(token, salt=_SALT)
    except signing.BadSignature:
        return None
    return email


def masked_email(email: str) -> str:
    """Mask an address so that only its owner recognises it."""
    return masked(email)


def unsubscribe(email: str) -> int:
    """End every open alert of an address; return how many. A repeat changes nothing."""
    ended, _by_model = StockAlert.objects.filter(email=email, sent_at=None).delete()
    return ended


def delete_old_alerts() -> None:
    """Delete alerts that were sent, or have been open, for too long."""
    now = timezone.now()
    delete_in_batches(StockAlert.objects.filter(sent_at__lt=now - SENT_FOR))
    waited = StockAlert.objects.filter(sent_at=None, created_at__lt=now - OPEN_FOR)
    delete_in_batches(waited)
