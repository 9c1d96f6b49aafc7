"""Explains the price of a parcel in both languages (docs/freight.md#every-dollar-is-explained)."""

from collections.abc import Sequence

from django.utils import translation
from django.utils.translation import gettext

from commerce.delivery.models.freight import FreightRule, first_text, kilograms
from core.languages import CHINESE, ENGLISH, TwoTexts
from core.money import aud_text


def steps_of(rule: FreightRule, weight: int) -> int:
    """Return the number of started steps above the first grams; `weight`: of the parcel, in grams."""
    return -(-max(0, weight - rule.first_grams) // rule.step_grams)


def reasons_of(rule: FreightRule, weights: Sequence[int], *, is_free: bool) -> list[TwoTexts]:
    """Return an explanation of each parcel's price by a rule, in both languages.

    `weights`: of the parcels, in grams.
    """
    of_language = []
    for language in (CHINESE, ENGLISH):
        with translation.override(language):
            of_language.append(_reasons(rule, weights, is_free=is_free))
    return [TwoTexts(*texts) for texts in zip(*of_language, strict=True)]


def _reasons(rule: FreightRule, weights: Sequence[int], *, is_free: bool) -> list[str]:
    """Return the explanations in the active language; texts that parcels share are looked up once."""
    parcel = gettext("%(storage)s, %(weight)s kg to %(place)s: %(price)s")
    same = {"storage": rule.get_storage_display(), "place": rule.region_name}
    if is_free and rule.free_from:
        price = gettext("free from %(price)s") % {"price": aud_text(rule.free_from)}
        return [parcel % (same | {"weight": kilograms(weight), "price": price}) for weight in weights]
    first = first_text(rule)
    further = gettext("%(steps)d × %(price)s for each further %(weight)s kg")
    step = {"price": aud_text(rule.step_price), "weight": kilograms(rule.step_grams)}
    surcharge = ""
    if rule.surcharge:
        surcharge = gettext("remote surcharge %(price)s") % {"price": aud_text(rule.surcharge)}
    reasons = []
    for weight in weights:
        steps = steps_of(rule, weight)
        steps_text = further % (step | {"steps": steps}) if steps else ""
        parts = [part for part in (first, steps_text, surcharge) if part]
        reasons.append(parcel % (same | {"weight": kilograms(weight), "price": " + ".join(parts)}))
    return reasons
