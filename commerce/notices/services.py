"""Back-in-stock notices: asked for by anybody, sent once, ended by a link in the message."""

from datetime import timedelta
from functools import partial

from django.conf import settings
from django.core import signing
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone, translation
from django.utils.translation import gettext

from catalog.goods.models import Product
from commerce.accounts import guard
from commerce.accounts.guard import Limit
from commerce.accounts.identity import is_email, masked, normalised
from commerce.accounts.messages import write_message
from commerce.accounts.tasks import send_message
from commerce.notices.models import StockNotice
from core.errors import Err, ShopError
from core.languages import in_language
from core.shop import shop_name

A_DAY = timedelta(days=1)
# Anybody may write anybody's address into the form: this bounds what a stranger's mailbox may get.
PER_EMAIL = Limit("notice email", most=5, window=A_DAY)
PER_NETWORK = Limit("notice network", most=20, window=A_DAY)
# Nobody waits for longer; who was written to is forgotten.
OPEN_FOR, SENT_FOR = timedelta(days=365), timedelta(days=30)
_WORTH_SENDING = timedelta(days=2)
_BATCH = 200
_SALT = "notices.unsubscribe"


def ask_for_notice(*, product_id: int, email: str, language: str, network: str) -> None:
    """Note that somebody wants to know when a good is back; asking again changes nothing and shows nothing.

    `language`: a code of LANGUAGES; `network`: whom to count the wishes by. Must be called outside any
    transaction. Raises ShopError(goods_error, goods_off_shelf), ShopError(parameter_error) naming `email` for
    what is no address, ShopError(too_frequent) with the seconds to wait.
    """
    product = Product.objects.filter(pk=product_id).only("on_sale").first()
    if product is None:
        raise ShopError(Err.goods_error)
    if not product.on_sale:
        raise ShopError(Err.goods_off_shelf)
    address = normalised(email)
    if address is None or not is_email(address):
        raise ShopError(Err.parameter_error, fields={"email": Err.parameter_error.name})
    guard.attempt((PER_EMAIL, address), (PER_NETWORK, network))
    StockNotice.objects.bulk_create(
        [StockNotice(product=product, email=address, language=language)], ignore_conflicts=True
    )


def due_notices() -> QuerySet[StockNotice]:
    """Find the notices whose goods can be bought again."""
    back = StockNotice.objects.filter(sent_at=None, product__sold_out=False, product__on_sale=True)
    return back.select_related("product").order_by("pk")


def send_due_notices() -> int:
    """Write the messages of all notices that are due, each once however often this runs; returns how many."""
    sent = 0
    while batch := list(due_notices()[:_BATCH]):
        sent += sum(_send(notice) for notice in batch)
    return sent


@transaction.atomic
def _send(notice: StockNotice) -> bool:
    now = timezone.now()
    if not StockNotice.objects.filter(pk=notice.pk, sent_at=None).update(sent_at=now):
        return False
    with translation.override(notice.language):
        subject, text = _text(notice)
    message = write_message(
        to=notice.email, subject=subject, text=text, code="", expires_at=now + _WORTH_SENDING
    )
    # The sweep sends it where the queue cannot be reached.
    transaction.on_commit(partial(send_message, message.pk), robust=True)
    return True


def _text(notice: StockNotice) -> tuple[str, str]:
    product = notice.product
    facts = {
        "name": product.name,
        "shop": shop_name(),
        "link": _address(f"/shop/shopdetails/{product.pk}", notice.language),
        "stop": _address(f"/shop/notices/{unsubscribe_token(notice.email)}", notice.language),
    }
    text = gettext(
        "%(name)s is back at %(shop)s:\n%(link)s\n\nYou asked to be told once; nothing is reserved for you.\n"
        "To hear of no good any more: %(stop)s"
    )
    return gettext("Back in stock: %(name)s") % facts, text % facts


def _address(path: str, language: str) -> str:
    return f"{settings.SITE_URL}{in_language(path, language)}"


def unsubscribe_token(email: str) -> str:
    """Sign an address for the link that ends its notices; it needs no login and does not expire."""
    return signing.dumps(email, salt=_SALT)


def email_of_token(token: str) -> str | None:
    """Return the address of a link that the shop has sent, None for any other."""
    try:
        email: str = signing.loads(token, salt=_SALT)
    except signing.BadSignature:
        return None
    return email


def masked_email(email: str) -> str:
    """Write an address so that its owner knows it and nobody else learns it."""
    return masked(email)


def unsubscribe(email: str) -> int:
    """End every open notice of an address; repeating it changes nothing. Returns how many there were."""
    ended, _by_model = StockNotice.objects.filter(email=email, sent_at=None).delete()
    return ended


def forget_old_notices() -> None:
    """Delete what was sent long ago and what nobody waits for any more."""
    now = timezone.now()
    StockNotice.objects.filter(sent_at__lt=now - SENT_FOR).delete()
    StockNotice.objects.filter(sent_at=None, created_at__lt=now - OPEN_FOR).delete()
