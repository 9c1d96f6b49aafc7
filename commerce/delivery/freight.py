"""What sending goods costs: parcels by storage and weight, priced by the most telling rule (CONTRACT 4)."""

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

# Grams: what carriers hand over at a door without a second pair of hands.
PARCEL_LIMIT = 22_000
# More than a van holds is no parcel post; it also bounds the work one request can ask for.
MOST_PARCELS = 200

# A post code closes the text: digits on both sides of a hyphen (100-0001), else a part with a digit in it.
_POST_CODE = re.compile(r"(?:^|-)([0-9]+-[0-9]+|[^-]*[0-9][^-]*)$")


@dataclass(frozen=True)
class Place:
    """A part of the world: the country by its English name, the rest as written, empty where unknown."""

    country: str
    province: str = ""
    city: str = ""
    area: str = ""
    zip_code: str = ""

    @classmethod
    def from_wire(cls, text: str) -> "Place":
        """Read country, province, city, area and post code joined by `-`, empty parts kept out (CONTRACT 4).

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
    def of_address(cls, address: Address) -> "Place":
        """Read a kept address as the freight call reads it, so that an order costs what was shown.

        Raises ShopError(address_error) for a country that is not in the list.
        """
        return cls.from_wire(address.wire_text())

    def lies_in(self, rule: FreightRule) -> bool:
        """Tell whether every part of the world that a rule names holds this place."""
        # Names may hold hyphens themselves, so the province is sought at the head of all parts together.
        parts = "-".join(filter(None, [self.province, self.city, self.area]))
        return (
            rule.country in ("", self.country)
            and (not rule.province or f"{parts}-".startswith(f"{rule.province}-"))
            and self.zip_code.startswith(rule.zip_prefix)
        )


@dataclass(frozen=True)
class Parcel:
    """One parcel: its storage kind, its weight in grams, its price in dollars."""

    storage: str
    weight: int
    freight: Decimal


@dataclass(frozen=True)
class FreightQuote:
    """The parcels an order goes in."""

    parcels: list[Parcel]

    @property
    def freight(self) -> Decimal:
        """The price of all parcels in dollars."""
        return sum((parcel.freight for parcel in self.parcels), ZERO)


def quote(
    place: Place, weights: Mapping[str, Sequence[tuple[int, int]]], rules: Iterable[FreightRule]
) -> FreightQuote:
    """Price the parcels of goods to a place.

    `weights`: storage kind → pairs of (grams of one unit, units). Raises ShopError(address_error) where no
    rule covers a kind, ShopError(amount_above_limit) for more than parcels can carry.
    """
    fitting = [rule for rule in rules if place.lies_in(rule)]
    parcels = []
    for storage in Storage.values:
        if not weights.get(storage):
            continue
        rule = _most_telling(rule for rule in fitting if rule.storage == storage)
        for weight in split(weights[storage]):
            parcels.append(Parcel(storage, weight, price_of(rule, weight)))
    if len(parcels) > MOST_PARCELS:
        raise ShopError(Err.amount_above_limit)
    return FreightQuote(parcels)


def split(goods: Sequence[tuple[int, int]]) -> list[int]:
    """Pack units into parcels of at most `PARCEL_LIMIT` grams, heavy units first, each where it first fits.

    `goods`: pairs of (grams of one unit, units). A unit above the limit travels alone. Returns the parcels'
    weights in grams. Raises ShopError(amount_above_limit) past `MOST_PARCELS`.
    """
    parcels: list[int] = []
    for grams, units in sorted(goods, reverse=True):
        for i, weight in enumerate(parcels):
            fitting = min(units, max(0, PARCEL_LIMIT - weight) // grams)
            parcels[i] += fitting * grams
            units -= fitting
        per_parcel = max(1, PARCEL_LIMIT // grams)
        full, rest = divmod(units, per_parcel)
        if len(parcels) + full > MOST_PARCELS:
            raise ShopError(Err.amount_above_limit)
        parcels += [per_parcel * grams] * full + [rest * grams] * bool(rest)
    return parcels


def price_of(rule: FreightRule, weight: int) -> Decimal:
    """Return the price of one parcel: the first grams, then every step begun."""
    steps = -(-max(0, weight - rule.first_grams) // rule.step_grams)
    return rule.first_price + steps * rule.step_price


def _most_telling(rules: Iterable[FreightRule]) -> FreightRule:
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
