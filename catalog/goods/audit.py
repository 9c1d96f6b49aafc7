"""Audit of products (docs/guarantees/prices.md#was-prices, #one-way-to-write-products)."""

from collections.abc import Iterator

from django.db.models import Exists, F, OuterRef, Q, Subquery
from django.db.models.functions import Coalesce
from django.utils.translation import gettext_noop as _

from catalog.goods.models import PriceChange, Product
from core.audit import Difference, about, run_rules
from core.money import aud_text


def differences() -> Iterator[Difference]:
    """Yield each product with a wrong top category, price history or was-price."""
    yield from run_rules(_top_categories, _price_histories, _was_prices)


def _top_categories() -> Iterator[Difference]:
    products = Product.objects.annotate(top=Coalesce("category__parent", "category"))
    rows = products.exclude(top_category=F("top")).values_list("pk", "top_category", "top")
    for pk, held, top in rows.order_by("pk").iterator():
        yield Difference(
            "top-category",
            f"product {pk}",
            _("top category %(held)s, its category has %(top)s"),
            held=held,
            top=top,
        )


def _price_histories() -> Iterator[Difference]:
    """Compare each product's price with the newest entry of its price history."""
    newest = PriceChange.objects.filter(product=OuterRef("pk")).order_by("-charged_from", "-pk")
    products = Product.objects.annotate(noted=Subquery(newest.values("price")[:1]))
    wrong = products.filter(Q(noted=None) | ~Q(price=F("noted"))).order_by("pk")
    for pk, price, noted in wrong.values_list("pk", "price", "noted").iterator():
        yield Difference(
            "price-history",
            f"product {pk}",
            _("costs %(price)s, its history ends with %(noted)s"),
            price=aud_text(price),
            noted=noted if noted is None else aud_text(noted),
        )


@about(Product.objects.exclude(market_price=None))
def _was_prices() -> Iterator[Difference]:
    """Yield the was-prices that are not above the price, or that the shop never charged."""
    charged = PriceChange.objects.filter(product=OuterRef("pk"), price=OuterRef("market_price"))
    untrue = Q(market_price__lte=F("price")) | ~Exists(charged)
    products = Product.objects.filter(untrue, market_price__isnull=False).order_by("pk")
    for pk, price, was in products.values_list("pk", "price", "market_price").iterator():
        yield Difference(
            "was-price",
            f"product {pk}",
            _("was %(was)s, costs %(price)s, or never cost it"),
            was=was and aud_text(was),
            price=aud_text(price),
        )
