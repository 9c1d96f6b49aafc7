"""Computes delivery costs: parcels by storage and weight, priced by the most specific rule.

See docs/freight.md.
"""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from functools import cached_property
from math import inf

from catalog.goods.models import Storage
from commerce.accounts.models import Address
from commerce.delivery.models import FreightRule
from commerce.delivery.reasons import ParcelPrice, first_of, price_of, reasons_of
from commerce.delivery.regions import ANY_COUNCIL, COUNCILS_COUNTRY, ZONES_COUNTRY, council_of, zone_of
from commerce.delivery.territories import HOME_COUNTRY, territory_of
from core.countries import country_codes
from core.errors import Err, ShopError
from core.languages import TwoTexts
from core.money import ZERO

# The maximum weight that one person delivers without help.
MAX_PARCEL_GRAMS = 22_000
# Larger orders are not parcel deliveries; this also limits the work of one request.
MAX_PARCELS = 200
# The storage kinds that a parcel service does not keep cold.
COLD = frozenset({Storage.chilled.value, Storage.frozen.value})

# The post code is at the end: digits on both sides of a hyphen (100-0001), otherwise a part with a digit.
_POST_CODE = re.compile(r"(?:^|-)([0-9]+-[0-9]+|[^-]*[0-9][^-]*)$")


@dataclass(frozen=True)
class Region:
    """A destination: the country's English name, and the other parts as entered, empty if unknown.

    `territory`: the external territory of Australia that it is in, empty for none. The other parts are then
    those of its Australian addresses, however the address was entered.
    """

    country: str
    province: str = ""
    city: str = ""
    area: str = ""
    zip_code: str = ""
    territory: str = ""

    @classmethod
    def from_wire(cls, text: str) -> "Region":
        """Parse country, province, city, area and post code joined by `-`, without empty parts.

        See docs/wire.md#commonfreight. Raises ShopError(address_error) if the text is empty or the country is
        not in the list.
        """
        country = _leading_country(text.strip())
        rest = text.strip()[len(country) + 1 :]
        post_code = _POST_CODE.search(rest)
        if post_code:
            rest = rest[: post_code.start()]
        province, city, area = (*rest.split("-", 2), "", "")[:3]
        code = post_code[1] if post_code else ""
        territory = territory_of(country, (province, city, area), code)
        if territory:
            name = territory.name
            return cls(HOME_COUNTRY, territory.state, name, "", territory.post_code, territory=name)
        return cls(country, province, city, area, code)

    @classmethod
    def of_address(cls, address: Address) -> "Region":
        """Parse a stored address as the freight call does, so that an order costs the amount shown before.

        Raises ShopError(address_error) if the country is not in the list.
        """
        return cls.from_wire(address.wire_text())

    @property
    def export_country(self) -> str:
        """The country for tax and customs: an external territory counts as its own."""
        return self.territory or self.country

    @property
    def is_abroad(self) -> bool:
        """True if it is outside the indirect tax zone of Australia, so that an order to it is an export."""
        return self.export_country != HOME_COUNTRY

    @cached_property
    def council(self) -> str:
        """The council of Perth that the region is in; empty for none."""
        return council_of(self._parts, self.zip_code) if self.country == COUNCILS_COUNTRY else ""

    @cached_property
    def zone(self) -> str:
        """The part of Malaysia that the region is in; empty for none."""
        return zone_of(self._parts, self.zip_code) if self.country == ZONES_COUNTRY else ""

    @property
    def _parts(self) -> Sequence[str]:
        return [self.province, self.city, self.area]

    def is_covered_by(self, rule: FreightRule) -> bool:
        """Return True if this region matches all region fields of a rule."""
        if rule.country not in ("", self.country, self.territory) or rule.zone not in ("", self.zone):
            return False
        if not self.zip_code.startswith(rule.zip_prefix) or not self._is_in_range(rule):
            return False
        if rule.council and (not self.council or rule.council not in (ANY_COUNCIL, self.council)):
            return False
        # Names may contain hyphens, so the province is compared with all parts together.
        parts = "-".join(filter(None, self._parts))
        return not rule.province or f"{parts}-".startswith(f"{rule.province}-")

    def _is_in_range(self, rule: FreightRule) -> bool:
        """Return True if the post code, with leading zeros added, is in the range of a rule."""
        if not rule.zip_from:
            return True
        if not (self.zip_code.isascii() and self.zip_code.isdigit()):
            return False
        code = self.zip_code.zfill(len(rule.zip_from))
        # Digit texts of equal length compare like numbers.
        return len(rule.zip_from) == len(code) == len(rule.zip_to) and rule.zip_from <= code <= rule.zip_to


@dataclass(frozen=True)
class Parcel:
    """One parcel: storage kind, weight in grams, price in dollars, and an explanation of the price.

    `days_from`, `days_to`: working days from payment to delivery; None if staff have configured none, or if
    the van brings the parcel.
    """

    storage: str
    weight: int
    freight: Decimal
    reason_zh: str
    reason_en: str
    days_from: int | None = None
    days_to: int | None = None


@dataclass(frozen=True)
class FreeFrom:
    """The product value, in dollars, from which the parcels of a storage kind are free.

    `missing`: additional product value until then; 0 if they are free. `saved`: how much less the delivery
    then costs than without it.
    """

    storage: str
    amount: Decimal
    missing: Decimal
    saved: Decimal


@dataclass(frozen=True)
class FreightQuote:
    """The parcels of an order.

    `free_from`: the amount of each storage kind that has one, the nearest first. `missing_for_free`:
    additional product value, in dollars, for all parcels to be free; 0 if they are free; None if no amount
    makes all of them free.
    """

    parcels: list[Parcel]
    free_from: list[FreeFrom] = field(default_factory=list)
    missing_for_free: Decimal | None = None

    @property
    def freight(self) -> Decimal:
        """The price of all parcels in dollars."""
        return sum((parcel.freight for parcel in self.parcels), ZERO)


def quote(
    region: Region,
    weights: Mapping[str, Sequence[tuple[int, int]]],
    rules: Iterable[FreightRule],
    *,
    amount: Decimal,
    day: date,
) -> FreightQuote:
    """Price the parcels of products to a region; `day`: in the shop's time zone.

    `weights`: storage kind → pairs of (grams of one unit, units). `amount`: price of the products, in
    dollars. Raises ShopError(address_error) if no rule covers a kind, or if its rule excludes delivery, then
    with the rule's reason. Raises ShopError(amount_above_limit) above MAX_PARCELS.
    """
    fitting = [rule for rule in rules if rule.is_valid_on(day) and region.is_covered_by(rule)]
    rules_by_storage = {
        storage: _most_specific(region, [rule for rule in fitting if rule.storage == storage])
        for storage in Storage.values
        if weights.get(storage)
    }
    in_parcels = {storage: split(weights[storage]) for storage in rules_by_storage}
    if sum(map(len, in_parcels.values())) > MAX_PARCELS:
        raise ShopError(Err.amount_above_limit)
    by_van = goes_by_van(region, rules_by_storage)
    free = _free_at(rules_by_storage, amount)
    prices = _prices(rules_by_storage, in_parcels, free, by_van=by_van)
    parcels: list[Parcel] = []
    for storage, rule in rules_by_storage.items():
        days = (None, None) if by_van else (rule.days_from, rule.days_to)
        reasons = reasons_of(rule, prices[storage], is_free=storage in free)
        for price, why in zip(prices[storage], reasons, strict=True):
            parcels.append(Parcel(storage, price.weight, price.total, why.zh, why.en, *days))
    free_from = []
    for storage, rule in rules_by_storage.items():
        if rule.free_from is None:
            continue
        # What is free from a lower amount is free by then.
        free_by_then = _free_at(rules_by_storage, max(amount, rule.free_from))
        costs = [
            _sum_of(_prices(rules_by_storage, in_parcels, those, by_van=by_van))
            for those in (free_by_then - {storage}, free_by_then)
        ]
        missing = max(ZERO, rule.free_from - amount)
        free_from.append(FreeFrom(storage, rule.free_from, missing, costs[0] - costs[1]))
    free_from.sort(key=lambda each: each.missing)
    can_be_free = free_from and len(free_from) == len(rules_by_storage)
    return FreightQuote(
        parcels,
        # A parcel that costs nothing in the van has nothing to save.
        [each for each in free_from if each.saved],
        free_from[-1].missing if can_be_free else None,
    )


def _free_at(rules_by_storage: Mapping[str, FreightRule], amount: Decimal) -> set[str]:
    """Return the storage kinds whose parcels are free for products of this price, in dollars."""
    return {
        storage
        for storage, rule in rules_by_storage.items()
        if rule.free_from is not None and amount >= rule.free_from
    }


def goes_by_van(region: Region, storages: Iterable[str]) -> bool:
    """Return True if the van delivers an order: it has chilled or frozen products, and goes to Perth.

    See docs/product.md#delivery-windows. `storages`: the storage kinds of its products.
    """
    return bool(region.council) and not COLD.isdisjoint(storages)


def split(weights: Sequence[tuple[int, int]]) -> list[int]:
    """Pack units into parcels of at most `MAX_PARCEL_GRAMS` grams, heavy units first, first fit.

    `weights`: pairs of (grams of one unit, units). A unit above the limit is a parcel of its own. Returns the
    parcels' weights in grams. Raises ShopError(amount_above_limit) above `MAX_PARCELS`.
    """
    parcels: list[int] = []
    for grams, units in sorted(weights, reverse=True):
        for i, weight in enumerate(parcels):
            fitting = min(units, max(0, MAX_PARCEL_GRAMS - weight) // grams)
            parcels[i] += fitting * grams
            units -= fitting
        per_parcel = max(1, MAX_PARCEL_GRAMS // grams)
        full, rest = divmod(units, per_parcel)
        if len(parcels) + full > MAX_PARCELS:
            raise ShopError(Err.amount_above_limit)
        parcels += [per_parcel * grams] * full + [rest * grams] * bool(rest)
    return parcels


def _prices(
    rules_by_storage: Mapping[str, FreightRule],
    in_parcels: Mapping[str, Sequence[int]],
    free: Collection[str],
    *,
    by_van: bool,
) -> dict[str, list[ParcelPrice]]:
    """Return storage kind → prices of its parcels; `in_parcels`: storage kind → grams of each parcel.

    `free`: the storage kinds whose parcels cost nothing. By van one parcel pays its first price and
    surcharge, that of the dearest rule; the others pay their further steps (docs/freight.md#one-van-one-fee).
    """
    paying = [storage for storage in rules_by_storage if storage not in free]
    dearest = max(paying, key=lambda storage: first_of(rules_by_storage[storage]), default=None)
    return {
        storage: [
            price_of(
                rules_by_storage[storage],
                weight,
                is_free=storage in free,
                comes_along=by_van and (storage != dearest or number > 0),
            )
            for number, weight in enumerate(weights)
        ]
        for storage, weights in in_parcels.items()
    }


def _sum_of(prices: Mapping[str, Sequence[ParcelPrice]]) -> Decimal:
    return sum((price.total for each in prices.values() for price in each), ZERO)


def _most_specific(region: Region, rules: Sequence[FreightRule]) -> FreightRule:
    """Return the winning rule of those that cover a region (docs/freight.md#which-rule-wins).

    Raises ShopError(address_error) if there is no rule, or if the winning rule excludes delivery.
    """
    best = min(rules, key=lambda rule: _rank(region, rule), default=None)
    if best is None or best.excluded:
        why = TwoTexts(best.why_zh, best.why_en) if best else None
        raise ShopError(Err.address_error, fields={"address": "address_error"}, why=why)
    return best


def _rank(region: Region, rule: FreightRule) -> tuple[float, ...]:
    """Return the sort key of a rule among those that cover a region: the narrowest rule first.

    Forms refuse two rules for the same place and time. If they exist anyway, the rule that began last is
    first, then the rule that was created last.
    """
    return (
        min(_codes_in_prefix(region, rule), _codes_in_range(rule), _codes_in_territory(region, rule)),
        (rule.council == ANY_COUNCIL) if rule.council else 2,
        not rule.province,
        not rule.zone,
        not rule.country,
        -rule.valid_from.toordinal() if rule.valid_from else 0,
        -(rule.pk or 0),
    )


def _codes_in_prefix(region: Region, rule: FreightRule) -> float:
    # A float, with at most 300 digits, since a client may send a post code of any length.
    digits = min(len(region.zip_code) - len(rule.zip_prefix), 300)
    return 10.0**digits if rule.zip_prefix else inf


def _codes_in_range(rule: FreightRule) -> float:
    return int(rule.zip_to) - int(rule.zip_from) + 1 if rule.zip_from else inf


def _codes_in_territory(region: Region, rule: FreightRule) -> float:
    # A territory has one post code.
    return 1 if region.territory and rule.country == region.territory else inf


def _leading_country(text: str) -> str:
    leading = [name for name in country_codes() if f"{text}-".startswith(f"{name}-")]
    if not leading:
        raise ShopError(Err.address_error, fields={"address": "address_error"})
    return max(leading, key=len)
