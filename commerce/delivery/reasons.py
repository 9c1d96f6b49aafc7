"""Why a parcel costs what it costs, in both languages (docs/freight.md#every-dollar-is-explained)."""

from collections.abc import Iterator
from decimal import Decimal

from django.utils import translation
from django.utils.translation import gettext

from commerce.delivery.models import FreightRule
from core.errors import Why
from core.languages import CHINESE, ENGLISH


def steps_of(rule: FreightRule, weight: int) -> int:
    """Return how many further steps a parcel of so many grams begins."""
    return -(-max(0, weight - rule.first_grams) // rule.step_grams)


def reasons_of(rule: FreightRule, weight: int, *, is_free: bool) -> Why:
    """Tell why a parcel of so many grams costs what a rule says, whoever reads it."""
    reasons = {}
    for language in (CHINESE, ENGLISH):
        with translation.override(language):
            reasons[language] = _reason(rule, weight, is_free=is_free)
    return Why(reasons[CHINESE], reasons[ENGLISH])


def tariff_text(rule: FreightRule) -> str:
    """Write what a rule charges for one parcel, in the reader's language."""
    if rule.excluded:
        return gettext("nothing is sent there")
    step = gettext("%(price)s for each further %(weight)s kg")
    return " + ".join(
        [_first(rule), step % {"price": rule.step_price, "weight": _kilograms(rule.step_grams)}]
    )


def _reason(rule: FreightRule, weight: int, *, is_free: bool) -> str:
    return gettext("%(storage)s, %(weight)s kg to %(place)s: %(price)s") % {
        "storage": rule.get_storage_display(),
        "weight": _kilograms(weight),
        "place": rule.place_name,
        "price": gettext("free from %(price)s") % {"price": rule.free_from}
        if is_free
        else " + ".join(_parts(rule, weight)),
    }


def _parts(rule: FreightRule, weight: int) -> Iterator[str]:
    """Yield what the price of a parcel is added up from."""
    yield _first(rule)
    steps = steps_of(rule, weight)
    if steps:
        yield gettext("%(steps)d × %(price)s for each further %(weight)s kg") % {
            "steps": steps,
            "price": rule.step_price,
            "weight": _kilograms(rule.step_grams),
        }
    if rule.surcharge:
        yield gettext("remote surcharge %(price)s") % {"price": rule.surcharge}


def _first(rule: FreightRule) -> str:
    return gettext("%(price)s for the first %(weight)s kg") % {
        "price": rule.first_price,
        "weight": _kilograms(rule.first_grams),
    }


def _kilograms(grams: int) -> str:
    return f"{Decimal(grams) / 1000:f}"
