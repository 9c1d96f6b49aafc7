"""Prices parcels by their rules, and explains each price in both languages.

See docs/freight.md#every-dollar-is-explained.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from django.utils import translation
from django.utils.translation import gettext

from commerce.delivery.models.freight import FreightRule, first_text, kilograms
from core.languages import CHINESE, ENGLISH, TwoTexts
from core.money import ZERO, aud_text


@dataclass(frozen=True)
class ParcelPrice:
    """The price of one parcel: weight in grams, started steps above the first grams, total in dollars.

    `comes_along`: another parcel in the same van pays the first price.
    """

    weight: int
    steps: int
    total: Decimal
    comes_along: bool


def price_of(
    rule: FreightRule, weight: int, *, is_free: bool = False, comes_along: bool = False
) -> ParcelPrice:
    """Return the price of a parcel by a rule: the first price, each started step, and the surcharge.

    `weight`: in grams. `comes_along`: only the steps count.
    """
    steps = -(-max(0, weight - rule.first_grams) // rule.step_grams)
    total = ZERO if is_free else steps * rule.step_price + (ZERO if comes_along else first_of(rule))
    return ParcelPrice(weight, steps, total, comes_along)


def first_of(rule: FreightRule) -> Decimal:
    """Return what a parcel costs that has no further steps, in dollars."""
    return rule.first_price + rule.surcharge


def reasons_of(rule: FreightRule, prices: Sequence[ParcelPrice], *, is_free: bool) -> list[TwoTexts]:
    """Return an explanation of each price by a rule, in both languages."""
    of_language = []
    for language in (CHINESE, ENGLISH):
        with translation.override(language):
            of_language.append(_reasons(rule, prices, is_free=is_free))
    return [TwoTexts(*texts) for texts in zip(*of_language, strict=True)]


def _reasons(rule: FreightRule, prices: Sequence[ParcelPrice], *, is_free: bool) -> list[str]:
    """Return the explanations in the active language; texts that parcels share are looked up once."""
    parcel = gettext("%(storage)s, %(weight)s kg to %(place)s: %(price)s")
    same = {"storage": rule.get_storage_display(), "place": rule.region_name}
    if is_free and rule.free_from:
        price = gettext("free from %(price)s") % {"price": aud_text(rule.free_from)}
        return [parcel % (same | {"weight": kilograms(each.weight), "price": price}) for each in prices]
    first = first_text(rule)
    along = gettext("no base fee in the same van")
    further = gettext("%(steps)d × %(price)s for each further %(weight)s kg")
    step = {"price": aud_text(rule.step_price), "weight": kilograms(rule.step_grams)}
    surcharge = ""
    if rule.surcharge:
        surcharge = gettext("remote surcharge %(price)s") % {"price": aud_text(rule.surcharge)}
    reasons = []
    for each in prices:
        steps_text = further % (step | {"steps": each.steps}) if each.steps else ""
        parts = [along, steps_text] if each.comes_along else [first, steps_text, surcharge]
        price = " + ".join(filter(None, parts))
        reasons.append(parcel % (same | {"weight": kilograms(each.weight), "price": price}))
    return reasons
