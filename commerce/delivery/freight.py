"""What sending products costs: parcels by storage and weight, priced by the most specific rule.

See docs/wire.md#orders.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from catalog.goods.models import Storage
from commerce.accounts.models import Address
from commerce.delivery.models import FreightRule
from core.countries import country_codes
from core.errors import Err, ShopError
from core.money import ZERO

# The most that one carrier delivers without help.
MAX_PARCEL_GRAMS = 22_000
# Above this it is no parcel delivery; it also limits the work of one request.
MAX_PARCELS = 200

# A post code closes the text: digits on both sides of a hyphen (100-0001), else a part with a digit in it.
_POST_CODE = re.compile(r"(?:^|-)([0-9]+-[0-9]+|[^-]*[0-9][^-]*)$")


@dataclass(frozen=True)
class Region:
    """A part of the world: the country by its English name, the rest as written, empty where unknown."""

    country: str
    province: str = ""
    city: str = ""
    area: str = ""
    zip_code: str = ""

    @classmethod
    def from_wire(cls, text: str) -> "Region":
        """Read country, province, city, area and post code joined by `-`, without empty parts.

        See docs/wire.md#commonfreight.

        Raises ShopError(address_error) for empty text and for a country that is not in the list.
        """
        country = _leading_country(text.strip())
        rest = text.strip()[len(country) + 1 :]
        post_code = _POST_CODE.search(rest)
        if post_code:
            rest = rest[: post_code.start()]
        province, city, area = (*rest.split("-", 2), "", "")[:3]
        return cls(country, province, city, area, post_code[1] if post_code else "")

    @classmethod
    def of_address(cls, address: Address) -> "Region":
        """Read a stored address as the freight call reads it, so that an order costs what was shown.

        Raises ShopError(address_error) for a country that is not in the list.
        """
        return cls.from_wire(address.wire_text())

    def is_covered_by(self, rule: FreightRule) -> bool:
        """Return whether every part of the world that a rule names covers this region."""
        if rule.country not in ("", self.country) or not self.zip_code.startswith(rule.zip_prefix):
            return False
        # Names may contain hyphens, so the province is compared with all parts together.
        parts = "-".join(filter(None, [self.province, self.city, self.area]))
        return not rule.province or f"{parts}-".startswith(f"{rule.province}-")


@dataclass(frozen=True)
class Parcel:
    """One parcel: its storage kind, its weight in grams, its price in dollars."""

    storage: str
    weight: int
    freight: Decimal


@dataclass(frozen=True)
class FreightQuote:
    """The parcels of an order."""

    parcels: list[Parcel]

    @property
    def freight(self) -> Decimal:
        """The price of all parcels in dollars."""
        return sum((parcel.freight for parcel in self.parcels), ZERO)


def quote(
    region: Region, weights: Mapping[str, Sequence[tuple[int, int]]], rules: Iterable[FreightRule]
) -> FreightQuote:
    """Price the parcels of products to a region.

    `weights`: storage kind → pairs of (grams of one unit, units). Raises ShopError(address_error) where no
    rule covers a kind, ShopError(amount_above_limit) for more than parcels can carry.
    """
    fitting = [rule for rule in rules if region.is_covered_by(rule)]
    parcels = []
    for storage in Storage.values:
        if not weights.get(storage):
            continue
        rule = _most_specific(rule for rule in fitting if rule.storage == storage)
        for weight in split(weights[storage]):
            parcels.append(Parcel(storage, weight, price_of(rule, weight)))
    if len(parcels) > MAX_PARCELS:
        raise ShopError(Err.amount_above_limit)
    return FreightQuote(parcels)


def split(weights: Sequence[tuple[int, int]]) -> list[int]:
    """Pack units into parcels of at most `MAX_PARCEL_GRAMS` grams, heavy units first, first fit.

    `weights`: pairs of (grams of one unit, units). A unit above the limit travels alone. Returns the parcels'
    weights in grams. Raises ShopError(amount_above_limit) past `MAX_PARCELS`.
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
    """Return the price of one parcel: the first grams, then every started step."""
    steps = -(-max(0, weight - rule.first_grams) // rule.step_grams)
    return rule.first_price + steps * rule.step_price


def _most_specific(rules: Iterable[FreightRule]) -> FreightRule:
    best = max(
        rules,
        key=lambda rule: (len(rule.zip_prefix), bool(rule.province), bool(rule.country)),
        default=None,
    )
    if best is None:
        raise ShopError(Err.address_error, fields={"address": "address_error"})
    return best


def _leading_country(text: str) -> str:
    leading = [name for name in country_codes() if f"{text}-".startswith(f"{name}-")]
    if not leading:
        raise ShopError(Err.address_error, fields={"address": "address_error"})
    return max(leading, key=len)
