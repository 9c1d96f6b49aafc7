"""What must follow every change of goods, however they are written: the one door to their table."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.db.models.functions import Coalesce
from django.utils import timezone

from catalog.goods.models.prices import PriceChange
from catalog.goods.models.shelves import Category
from catalog.goods.models.soldout import HANGING, SoldOutQuerySet
from catalog.goods.models.wasprice import untrue

if TYPE_CHECKING:
    from catalog.goods.models.products import Product

# Whether a caller further out keeps what is derived: one time for many rows, not for each batch of them.
_is_followed: ContextVar[bool] = ContextVar("is_followed", default=False)
# Changes of these fields concern nothing but the row.
_OF_THE_ROW_ALONE = {"units_sold", "sold_out"}


class ProductQuerySet(SoldOutQuerySet["Product"]):
    """Goods; each way of writing them keeps what is derived from them."""

    def bulk_create(self, objs: Iterable["Product"], *args: Any, **kw: Any) -> list["Product"]:
        """Make goods with what is derived from them."""
        products = list(objs)
        place(products)
        with transaction.atomic():
            made = super().bulk_create(products, *args, **kw)
            follow(made)
        return made

    def bulk_update(self, objs: Iterable["Product"], fields: Iterable[str], *args: Any, **kw: Any) -> int:
        """Change goods and what is derived from them."""
        products, names = list(objs), set(fields)
        if names & {"category", "category_id"}:
            place(products)
            names.add("top_category")
        written = self.model._default_manager.filter(pk__in=[product.pk for product in products])
        with transaction.atomic(), stock_held(written, names):
            token = _is_followed.set(True)
            try:
                count = super().bulk_update(products, sorted(names), *args, **kw)
            finally:
                _is_followed.reset(token)
            follow(products)
        return count

    def update(self, **kw: Any) -> int:
        """Change goods and what is derived from them."""
        if _is_followed.get() or not kw.keys() - _OF_THE_ROW_ALONE:
            return super().update(**kw)
        with transaction.atomic():
            moved = kw.get("category", kw.get("category_id"))
            if isinstance(moved, Category | int):
                shelf = Category.objects.filter(pk=getattr(moved, "pk", moved))
                kw["top_category"] = shelf.values_list(Coalesce("parent", "pk"), flat=True).first()
            ids = list(self.values_list("pk", flat=True))
            written = self.model._default_manager.filter(pk__in=ids)
            with stock_held(written, kw):
                count = super().update(**kw)
            follow(list(written))
        return count


@contextmanager
def stock_held(products: ProductQuerySet, fields: Iterable[str]) -> Iterator[None]:
    """Write the named fields of goods inside; whether they are sold out is told where it hangs on them."""
    hangs = not HANGING.isdisjoint(fields)
    if hangs:
        products.hold_stock()
    yield
    if hangs:
        products.tell_sold_out()


def place(products: Sequence["Product"]) -> None:
    """Set the top category of goods from their category; one query at most."""
    parents = dict(Category.objects.values_list("pk", "parent_id"))
    for product in products:
        product.top_category_id = parents.get(product.category_id) or product.category_id


def follow(products: Sequence["Product"]) -> None:
    """Write down the prices that are new, within the transaction that changed the goods.

    A was-price that is none, or none any more, goes.
    """
    last = dict(
        PriceChange.objects.filter(product__in=[product.pk for product in products])
        .order_by("charged_from", "id")
        .values_list("product_id", "price")
    )
    now = timezone.now()
    PriceChange.objects.bulk_create(
        PriceChange(product_id=product.pk, price=product.price, charged_from=now)
        for product in products
        if last.get(product.pk) != product.price
    )
    wrong = untrue(products)
    for product in wrong:
        product.market_price = None
    if wrong:
        type(wrong[0]).objects.filter(pk__in=[product.pk for product in wrong]).update(market_price=None)
