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
    """Return the number that customs ask for at an address, checked; empty where they ask for none.

    Raises ShopError(id_card_error) for a missing or wrong one.
    """
    if address.country_name != id_cards.COUNTRY:
        return ""
    id_cards.check_id_card(delivery.id_card, today=timezone.localdate(timezone=clock.shop_zone()))
    return delivery.id_card


@in_callers_transaction
def keep_id_card(*, order: Order, number: str) -> None:
    """Keep the number of an order's recipient until its time is over; `number`: checked."""
    RecipientIdCard.objects.create(
        order=order,
        number=encrypt(number),
        masked=id_cards.masked(number),
        delete_at=order.created_at + timedelta(days=settings.ID_CARD_DAYS),
    )


def read_id_card(*, order_no: str) -> str | None:
    """Return the number in clear, for the customs declaration of a parcel; None if none is stored."""
    card = RecipientIdCard.objects.filter(order__order_no=order_no).first()
    return decrypt(card.number) if card else None


def rotate_id_cards() -> int:
    """Encrypt every number with the newest key, in short transactions; returns how many.

    Locks: the rows of a batch.
    """
    done = 0
    for batch in short_batches(list(RecipientIdCard.objects.order_by("pk").values_list("pk", flat=True))):
        with transaction.atomic():
            for card in RecipientIdCard.objects.select_for_update().filter(pk__in=batch).order_by("pk"):
                done += RecipientIdCard.objects.filter(pk=card.pk).update(number=encrypt_again(card.number))
    return done
