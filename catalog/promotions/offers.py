"""Which goods cost less right now, and until when: read by every card, so asked of memory first.

Each process keeps a small snapshot of the promotions about now. What it knows of quotas and of editors'
changes may be a few seconds old; when a promotion starts and ends it always knows to the moment.
"""

import threading
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from decimal import Decimal

from django.db.models import F
from django.utils import timezone

from catalog.goods.models import Product
from catalog.promotions.models import Promotion, PromotionItem
from core.ahead import ahead, page_time

# How old a snapshot may become: as old as any other (`SNAPSHOT_SECONDS`), so that pages are seen in time.
AGE = timedelta(seconds=2)
# A snapshot knows everything that runs at any time this near to the time it was made.
_AROUND = timedelta(minutes=1)


@dataclass(frozen=True)
class Offer:
    """A good's price in a promotion, in dollars with GST; its units; the most per customer, 0 for any."""

    promotion_id: int
    name_zh: str
    name_en: str
    starts_at: datetime
    ends_at: datetime
    price: Decimal
    quota: int
    taken: int
    limit_amount: int

    @property
    def quota_left(self) -> int:
        """Units that nobody has taken."""
        return self.quota - self.taken

    @property
    def path(self) -> str:
        """The address of its promotion's page, without the language."""
        return f"/promotions/{self.promotion_id}"

    def runs_at(self, now: datetime) -> bool:
        """Tell whether it holds: from its start on, until just before its end."""
        return self.starts_at <= now < self.ends_at


@dataclass(frozen=True)
class _Snapshot:
    """Offers by good, the best first, and every time at which a promotion starts or ends.

    `about`: the time it was asked for; `read_at`: when.
    """

    about: datetime
    offers: dict[int, list[Offer]]
    changes: list[datetime]
    read_at: datetime = field(default_factory=timezone.now)

    def serves(self, now: datetime) -> bool:
        """Tell whether it is young enough and knows what runs at a time."""
        return abs(timezone.now() - self.read_at) < AGE and abs(now - self.about) < _AROUND


_lock = threading.Lock()
_kept: _Snapshot | None = None


def offers_for(product_ids: Iterable[int], now: datetime | None = None) -> dict[int, Offer]:
    """Return the best running offer of each good by its id; goods without one are left out.

    Of several the lowest price holds, then the one that runs longest. An offer whose quota is taken, or
    whose price is no lower than the ordinary one, is none. Two queries every few seconds at most.
    """
    at = now or page_time()
    offers = _snapshot(at).offers
    best = {
        pk: next((offer for offer in offers.get(pk, ()) if offer.runs_at(at)), None) for pk in product_ids
    }
    return {pk: offer for pk, offer in best.items() if offer}


def all_offers(product: Product, now: datetime | None = None) -> list[Offer]:
    """Return every running offer of a good, the best first; queries as `offers_for`."""
    at = now or page_time()
    return [offer for offer in _snapshot(at).offers.get(product.pk, ()) if offer.runs_at(at)]


def next_change(now: datetime) -> datetime | None:
    """Return the next time at which any promotion starts or ends, None where nothing is to come.

    What shows offers may be kept until then, and no longer.
    """
    return next((moment for moment in _snapshot(now).changes if moment > now), None)


def forget() -> None:
    """Read the offers anew at the next call, as after a change in this process."""
    global _kept
    _kept = None


def _snapshot(now: datetime) -> _Snapshot:
    global _kept
    if ahead():
        # Shoppers keep the snapshot they have.
        return _read(now)
    with _lock:
        if _kept is None or not _kept.serves(now):
            _kept = _read(now)
        return _kept


def offer_of(item: PromotionItem) -> Offer:
    """Return the offer that a promotion makes of a good, whether it runs or not; `item.promotion` is read."""
    promotion = item.promotion
    return Offer(
        promotion.pk,
        promotion.name_zh,
        promotion.name_en,
        promotion.starts_at,
        promotion.ends_at,
        item.price,
        item.quota,
        item.taken,
        item.limit_amount,
    )


def _read(now: datetime) -> _Snapshot:
    to_come = Promotion.objects.filter(is_active=True, ends_at__gt=now - _AROUND).in_bulk()
    near = [pk for pk, promotion in to_come.items() if promotion.starts_at < now + _AROUND]
    items = PromotionItem.objects.filter(
        promotion__in=near, taken__lt=F("quota"), price__lt=F("product__price")
    )
    offers: dict[int, list[Offer]] = defaultdict(list)
    for item in items if near else ():
        item.promotion = to_come[item.promotion_id]
        offers[item.product_id].append(offer_of(item))
    for of_one in offers.values():
        of_one.sort(key=lambda offer: (offer.price, -offer.ends_at.timestamp(), offer.promotion_id))
    changes = {moment for row in to_come.values() for moment in (row.starts_at, row.ends_at)}
    return _Snapshot(now, dict(offers), sorted(changes))
