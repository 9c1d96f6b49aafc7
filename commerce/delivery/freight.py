"""Computes delivery costs: parcels by storage and weight, priced by the most specific rule.

See docs/freight.md.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from functools import cached_property
from math import inf

from catalog.goods.models import Storage
from commerce.accounts.models import Address
from commerce.delivery.models import FreightRule
from commerce.delivery.reasons import reasons_of, steps_of
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
    """One parcel: storage kind, weight in grams, price in dollars, and an explanation of the price."""

    storage: str
    weight: int
    freight: Decimal
    reason_zh: str
    reason_en: str


@dataclass(frozen=True)
class FreeFrom:
    """The product value, in dollars, from which the parcels of a storage kind are free.

    `missing`: additional product value until then; 0 if they are free. `saved`: the price of these parcels.
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
    parcels: list[Parcel] = []
    free_from: list[FreeFrom] = []
    for storage, rule in rules_by_storage.items():
        is_free = rule.free_from is not None and amount >= rule.free_from
        in_parcels = split(weights[storage])
        if len(parcels) + len(in_parcels) > MAX_PARCELS:
            raise ShopError(Err.amount_above_limit)
        reasons = reasons_of(rule, in_parcels, is_free=is_free)
        prices = [price_of(rule, weight) for weight in in_parcels]
        for weight, price, why in zip(in_parcels, prices, reasons, strict=True):
            parcels.append(Parcel(storage, weight, ZERO if is_free else price, why.zh, why.en))
        if rule.free_from is not None:
            missing = max(ZERO, rule.free_from - amount)
            free_from.append(FreeFrom(storage, rule.free_from, missing, sum(prices, ZERO)))
    free_from.sort(key=lambda each: each.missing)
    can_be_free = free_from and len(free_from) == len(rules_by_storage)
    return FreightQuote(parcels, free_from, free_from[-1].missing if can_be_free else None)


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


def price_of(rule: FreightRule, weight: int) -> Decimal:
    """Return the price of one parcel: the first price, each started step, and the surcharge."""
    return rule.first_price + steps_of(rule, weight) * rule.step_price + rule.surcharge


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
