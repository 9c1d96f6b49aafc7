"""Stores recipients' ID cards for customs, encrypted (docs/guarantees/customers.md#id-cards)."""

from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from commerce.accounts.models import Address
from commerce.orders import id_cards
from commerce.orders.models import Order, RecipientIdCard
from commerce.orders.requests import Delivery
from core import clock
from core.batches import short_batches
from core.encryption import decrypt, encrypt, encrypt_again
from core.transactions import in_callers_transaction


def needed_id_card(*, delivery: Delivery, address: Address) -> str:
    """Return the checked ID card number of a delivery; empty if the address's country requires none.

    Raises ShopError(id_card_error) if the number is missing or wrong.
    """
    if address.country_name != id_cards.COUNTRY:
        return ""
    id_cards.check_id_card(delivery.id_card, today=timezone.localdate(timezone=clock.shop_zone()))
    return delivery.id_card


@in_callers_transaction
def keep_id_card(*, order: Order, number: str) -> None:
    """Store the ID card number of an order's recipient for ID_CARD_DAYS; `number`: already checked."""
    RecipientIdCard.objects.create(
        order=order,
        number=encrypt(number),
        masked=id_cards.masked(number),
        delete_at=order.created_at + timedelta(days=settings.ID_CARD_DAYS),
    )


def read_id_card(*, order_no: str) -> str | None:
    """Return the decrypted number, for a parcel's customs declaration; None if none is stored."""
    card = RecipientIdCard.objects.filter(order__order_no=order_no).first()
    return decrypt(card.number) if card else None


def rotate_id_cards() -> int:
    """Encrypt all numbers with the newest key, in short transactions; return the number of rows.

    Locks: the rows of a batch.
    """
    done = 0
    for batch in short_batches(list(RecipientIdCard.objects.order_by("pk").values_list("pk", flat=True))):
        with transaction.atomic():
            for card in RecipientIdCard.objects.select_for_update().filter(pk__in=batch).order_by("pk"):
                done += RecipientIdCard.objects.filter(pk=card.pk).update(number=encrypt_again(card.number))
    return done
