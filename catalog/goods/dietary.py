"""Allergens and dietary claims as labels name them, and the filters that a product passes."""

from collections.abc import Collection

from django.db import models
from django.utils.translation import gettext_lazy as _


class Allergen(models.TextChoices):
    """The allergens of a label's summary statement (Food Standards Code, Standard 1.2.3, Schedule 9)."""

    wheat = "wheat", _("Wheat")
    gluten = "gluten", _("Gluten")
    crustacean = "crustacean", _("Crustacean")
    mollusc = "mollusc", _("Mollusc")
    egg = "egg", _("Egg")
    fish = "fish", _("Fish")
    milk = "milk", _("Milk")
    peanut = "peanut", _("Peanut")
    soy = "soy", _("Soy")
    sesame = "sesame", _("Sesame")
    almond = "almond", _("Almond")
    brazil_nut = "brazil_nut", _("Brazil nut")
    cashew = "cashew", _("Cashew")
    hazelnut = "hazelnut", _("Hazelnut")
    macadamia = "macadamia", _("Macadamia")
    pecan = "pecan", _("Pecan")
    pine_nut = "pine_nut", _("Pine nut")
    pistachio = "pistachio", _("Pistachio")
    walnut = "walnut", _("Walnut")
    # Labels from before February 2024 did not have to name the nut.
    tree_nut = "tree_nut", _("Tree nut")
    lupin = "lupin", _("Lupin")
    sulphites = "sulphites", _("Sulphites")


class Diet(models.TextChoices):
    """The claims of a label that are filters of lists."""

    vegetarian = "vegetarian", _("Vegetarian")
    vegan = "vegan", _("Vegan")
    halal = "halal", _("Halal")
    gluten_free = "gluten_free", _("Gluten free")


class DietaryFilter(models.TextChoices):
    """The filters of lists by diet and allergens."""

    vegetarian = "vegetarian", _("Vegetarian")
    vegan = "vegan", _("Vegan")
    halal = "halal", _("Halal")
    gluten_free = "gluten_free", _("Gluten free")
    no_nuts = "no_nuts", _("No nuts or peanuts")
    no_milk = "no_milk", _("No milk")
    no_egg = "no_egg", _("No egg")
    no_soy = "no_soy", _("No soy")
    no_wheat = "no_wheat", _("No wheat")
    no_sesame = "no_sesame", _("No sesame")
    no_seafood = "no_seafood", _("No fish or shellfish")


_NUTS = frozenset(
    {Allergen.peanut, Allergen.almond, Allergen.brazil_nut, Allergen.cashew, Allergen.hazelnut}
    | {Allergen.macadamia, Allergen.pecan, Allergen.pine_nut, Allergen.pistachio, Allergen.walnut}
    | {Allergen.tree_nut}
)
_SEAFOOD = frozenset({Allergen.fish, Allergen.crustacean, Allergen.mollusc})
# Filter → the allergens of which the product must be free.
_FREE_FROM: dict[str, frozenset[str]] = {
    DietaryFilter.no_nuts: _NUTS,
    DietaryFilter.no_milk: frozenset({Allergen.milk}),
    DietaryFilter.no_egg: frozenset({Allergen.egg}),
    DietaryFilter.no_soy: frozenset({Allergen.soy}),
    DietaryFilter.no_wheat: frozenset({Allergen.wheat}),
    DietaryFilter.no_sesame: frozenset({Allergen.sesame}),
    DietaryFilter.no_seafood: _SEAFOOD,
}
# Claim → the allergens that contradict it.
_CONTRADICTS: dict[str, frozenset[str]] = {
    Diet.vegetarian: _SEAFOOD,
    Diet.vegan: _SEAFOOD | {Allergen.egg, Allergen.milk},
    Diet.gluten_free: frozenset({Allergen.gluten}),
}


def contradicted(
    diets: Collection[str], allergens: Collection[str], may_contain: Collection[str]
) -> frozenset[str]:
    """Return the claims that the allergens of the same label contradict.

    Traces of gluten contradict *gluten free*; traces contradict no other claim.
    """
    traces = {*allergens, *may_contain}
    return frozenset(
        diet
        for diet in diets
        if not _CONTRADICTS.get(diet, frozenset()).isdisjoint(
            traces if diet == Diet.gluten_free else allergens
        )
    )


def dietary_filters(
    diets: Collection[str], allergens: Collection[str], may_contain: Collection[str], *, checked: bool
) -> frozenset[str]:
    """Return the filters that a product passes; only facts from its label count.

    `checked`: whether staff have entered all allergens of the label. Without that, a product passes no
    filter that promises the absence of an allergen.
    """
    claimed = set(diets) - contradicted(diets, allergens, may_contain)
    if Diet.vegan in claimed:
        claimed.add(Diet.vegetarian)
    present = {*allergens, *may_contain}
    free = {name for name, absent in _FREE_FROM.items() if checked and absent.isdisjoint(present)}
    return frozenset(claimed & set(Diet.values) | free)
