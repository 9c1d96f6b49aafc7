"""Refuses products that may not be exported, and explains what to change (docs/freight.md#export)."""

from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal

from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext, ngettext

from catalog.goods.listed import CartProduct
from catalog.goods.models import Product, Storage, is_chinese
from commerce.delivery.exports import Exported, Limit, split
from commerce.delivery.models import ExportLimit
from commerce.delivery.territories import HOME_COUNTRY
from core import clock
from core.errors import Err, ShopError
from core.languages import in_both_languages
from core.money import aud_text
from core.snapshots import SharedRows

# The maximum number of orders that the text about a split lists.
MAX_NAMED = 4

_limits = SharedRows(lambda: list(ExportLimit.objects.select_related("category")), ExportLimit)


def check_export(*, country: str, goods: Sequence[tuple[CartProduct, int, Decimal]]) -> None:
    """Check that products may be sent to a country in one order; within Australia all products may.

    One query, and one more every SNAPSHOT_SECONDS. `country`: `Region.export_country`. `goods`: products,
    units and the price of these units in dollars. Raises ShopError(not_exported) with the names of products
    that are never exported, ShopError(export_limit) with the limit and a way to split the order.
    """
    if country == HOME_COUNTRY:
        return
    facts = _export_facts([product.id for product, _, _ in goods])
    staying = [
        product
        for product, _, _ in goods
        if product.storage != Storage.ambient or product.id not in facts or facts[product.id][0]
    ]
    if staying:
        text = in_both_languages(lambda: _not_sent(staying))
        raise ShopError(Err.not_exported, fields={"orderGoods": Err.not_exported.name}, why=text)
    items = [
        Exported(product, units, value, frozenset(facts[product.id][1:])) for product, units, value in goods
    ]
    day = timezone.localdate(timezone=clock.shop_zone())
    rules = [rule for rule in _limits.get() if rule.country == country and rule.is_valid_on(day)]
    limits = [Limit(rule.category_id, rule.max_units, rule.max_value) for rule in rules]
    for rule, limit in zip(rules, limits, strict=True):
        if not limit.is_kept(items):
            raise _above(
                rule, *limit.sums(items), split(items, limits), {each.id: each for each, _, _ in goods}
            )


def _export_facts(product_ids: Iterable[int]) -> dict[int, tuple[bool, int, int]]:
    """Return product id → `no_export` and the keys of category and top category; one query."""
    rows = Product.objects.filter(pk__in=product_ids).values_list(
        "pk", "no_export", "category_id", F("top_category_id")
    )
    return {pk: (stays, category, top) for pk, stays, category, top in rows}


def _not_sent(products: Sequence[CartProduct]) -> str:
    names = [product.name for product in products]
    text = ngettext(
        "Not sent abroad: %(names)s. Please remove it from the order.",
        "Not sent abroad: %(names)s. Please remove these products from the order.",
        len(names),
    )
    return text % {"names": gettext(", ").join(names)}


def _above(
    rule: ExportLimit,
    units: int,
    value: Decimal,
    parts: Sequence[Mapping[int, int]],
    products: Mapping[int, CartProduct],
) -> ShopError:
    why = in_both_languages(lambda: _why(rule, units, value, parts, products))
    return ShopError(Err.export_limit, fields={"orderGoods": Err.export_limit.name}, why=why)


def _why(
    rule: ExportLimit,
    units: int,
    value: Decimal,
    parts: Sequence[Mapping[int, int]],
    products: Mapping[int, CartProduct],
) -> str:
    """Return the limit, the order's amount and a way to split the order, in the active language."""
    sentences = []
    if rule.max_units is not None and units > rule.max_units:
        sentences.append(
            ngettext(
                "%(rule)s: an order may have at most %(most)d unit; this one has %(units)d.",
                "%(rule)s: an order may have at most %(most)d units; this one has %(units)d.",
                rule.max_units,
            )
            % {"rule": rule, "most": rule.max_units, "units": units}
        )
    else:
        sentences.append(
            gettext("%(rule)s: an order may be worth at most %(most)s; this one is worth %(value)s.")
            % {"rule": rule, "most": aud_text(rule.max_value or value), "value": aud_text(value)}
        )
    sentences.append(rule.why)
    orders = gettext("; ").join(
        f"{number}) {_part(part, products)}" for number, part in enumerate(parts[:MAX_NAMED], 1)
    )
    more = gettext("; …") if len(parts) > MAX_NAMED else ""
    sentences.append(
        gettext("Please split it into %(count)d orders, for instance: %(orders)s")
        % {"count": len(parts), "orders": orders + more}
    )
    # A Chinese full stop already includes the space.
    return ("" if is_chinese() else " ").join(filter(None, sentences))


def _part(part: Mapping[int, int], products: Mapping[int, CartProduct]) -> str:
    return gettext(", ").join(f"{products[pk].name} × {units}" for pk, units in part.items())
