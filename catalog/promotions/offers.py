"""Offers of products in promotions, cached in each process because every card reads them.

Each process has a snapshot of the promotions around the current time. Its quotas and editors' changes may
be two seconds old; starts and ends of promotions are exact.
"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from decimal import Decimal

from django.db.models import F
from django.utils import timezone

from catalog.goods.models import is_chinese
from catalog.promotions.models import Promotion, PromotionItem
from core.languages import in_both_languages
from core.preview import current_preview, page_time
from core.snapshots import SharedSnapshot

# The age at which a snapshot is replaced, equal to `SNAPSHOT_SECONDS`.
AGE = timedelta(seconds=2)
# A snapshot covers this much time before and after its creation.
_AROUND = timedelta(minutes=1)


@dataclass(frozen=True)
class Offer:
    """A product's price in a promotion, in dollars with GST; its quota; the limit per customer, 0 for none.

    If the promotion discounts several units together, `price` is the ordinary one. `rule_zh`, `rule_en`: the
    effect of the promotion. `buy_units`, `free_units`: set if the promotion gives free units.
    """

    promotion_id: int
    name_zh: str
    name_en: str
    starts_at: datetime
    ends_at: datetime
    price: Decimal
    quota: int
    taken: int
    limit_amount: int
    kind: str
    rule_zh: str
    rule_en: str
    buy_units: int | None
    free_units: int | None

    @property
    def quota_left(self) -> int:
        """The units that remain in the quota."""
        return self.quota - self.taken

    @property
    def name(self) -> str:
        """The promotion's name in the reader's language."""
        return self.name_zh if is_chinese() else self.name_en

    @property
    def rule(self) -> str:
        """The effect of the promotion, in the reader's language."""
        return self.rule_zh if is_chinese() else self.rule_en

    @property
    def leaves_price(self) -> bool:
        """Whether the price of one unit is the same as without the promotion."""
        return self.kind not in (Promotion.Kind.price, Promotion.Kind.percent)

    @property
    def path(self) -> str:
        """The path of the promotion's page, without the language."""
        return f"/promotions/{self.promotion_id}"

    def runs_at(self, now: datetime) -> bool:
        """Return True if the promotion runs at a time: from its start until just before its end."""
        return self.starts_at <= now < self.ends_at


@dataclass(frozen=True)
class _Snapshot:
    """Offers by product id, the best first, and all times at which a promotion starts or ends.

    `about`: the time for which it was created; `read_at`: when it was read.
    """

    about: datetime
    offers: dict[int, list[Offer]]
    changes: list[datetime]
    read_at: datetime = field(default_factory=timezone.now)

    def covers(self, now: datetime) -> bool:
        """Return True if the snapshot is fresh and covers a time."""
        return abs(timezone.now() - self.read_at) < AGE and abs(now - self.about) < _AROUND


_shared: SharedSnapshot[_Snapshot] = SharedSnapshot()


def offers_for(product_ids: Iterable[int], now: datetime | None = None) -> dict[int, Offer]:
    """Return the best running offer of each product by its id; products without an offer are not in it.

    The offer with the lowest price is the best, then the one that ends last. Offers without remaining quota
    do not count. At most two queries every two seconds.
    """
    at = now or page_time()
    offers = _snapshot(at).offers
    of_these = {pk: offers[pk] for pk in product_ids if pk in offers}
    best = {pk: next((offer for offer in found if offer.runs_at(at)), None) for pk, found in of_these.items()}
    return {pk: offer for pk, offer in best.items() if offer}


def all_offers(product_id: int, now: datetime | None = None) -> list[Offer]:
    """Return all running offers of a product, the best first; queries as in `offers_for`."""
    at = now or page_time()
    return [offer for offer in _snapshot(at).offers.get(product_id, ()) if offer.runs_at(at)]


def next_change(now: datetime) -> datetime | None:
    """Return the next time at which any promotion starts or ends; None if there is none.

    A page with offers may be cached until then, but not longer.
    """
    return next((moment for moment in _snapshot(now).changes if moment > now), None)


def invalidate() -> None:
    """Make the next call read the offers again, after a change in this process."""
    _shared.invalidate()


def _snapshot(now: datetime) -> _Snapshot:
    if current_preview():
        # A preview must not replace the snapshot that shoppers see.
        return _read(now)

    def covers_now(found: _Snapshot) -> bool:
        return found.covers(now)

    return _shared.get(lambda _last: _read(now), is_fresh=covers_now, is_usable=covers_now)


def offer_of(item: PromotionItem, ordinary: Decimal) -> Offer:
    """Return the offer of a promotion's item, whether it runs or not; reads `item.promotion`.

    `ordinary`: the product's ordinary price, in dollars.
    """
    promotion = item.promotion
    rule = in_both_languages(lambda: promotion.rule)
    return Offer(
        promotion.pk,
        promotion.name_zh,
        promotion.name_en,
        promotion.starts_at,
        promotion.ends_at,
        item.unit_price(ordinary),
        item.quota,
        item.taken,
        item.limit_amount,
        promotion.kind,
        rule.zh,
        rule.en,
        promotion.buy_units,
        promotion.free_units,
    )


def _read(now: datetime) -> _Snapshot:
    to_come = Promotion.objects.filter(is_active=True, ends_at__gt=now - _AROUND).in_bulk()
    near = [pk for pk, promotion in to_come.items() if promotion.starts_at < now + _AROUND]
    items = PromotionItem.objects.filter(promotion__in=near, taken__lt=F("quota"), is_gift=False)
    offers: dict[int, list[Offer]] = defaultdict(list)
    for item in items.annotate(ordinary=F("product__price")) if near else ():
        item.promotion = to_come[item.promotion_id]
        if item.promotion.kind != Promotion.Kind.price or item.unit_price(item.ordinary) < item.ordinary:
            offers[item.product_id].append(offer_of(item, item.ordinary))
    for of_one in offers.values():
        of_one.sort(key=lambda offer: (offer.price, -offer.ends_at.timestamp(), offer.promotion_id))
    changes = {moment for row in to_come.values() for moment in (row.starts_at, row.ends_at)}
    return _Snapshot(now, dict(offers), sorted(changes))
