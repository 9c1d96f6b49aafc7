"""Whether goods are sold out: a column, so that lists read it from their indexes.

It hangs on the smallest amount, which is the goods' own, and on the stock, which stands above goods and is
known here by its relation only.
"""

from typing import Any, Self, TypeVar

from django.db import models
from django.db.models import Exists, F, OuterRef, Q

from catalog.goods.models.indexed import IndexedQuerySet

_M = TypeVar("_M", bound=models.Model)
# Writing one of these fields may make the other untrue.
HANGING = {"min_amount", "sold_out"}


class SoldOutQuerySet(IndexedQuerySet[_M]):
    """Goods, with what keeps `sold_out` true: the smallest amount cannot be bought for delivery."""

    def hold(self) -> None:
        """Let nobody write these goods until the transaction ends; locks them in pk order."""
        list(self.order_by("pk").select_for_update().values("pk"))

    def hold_stock(self) -> None:
        """Let nobody change the stock of these goods, nor the goods, until the transaction ends.

        Locks: the stock levels in pk order, as every writer of stock does, then the goods: whoever makes a
        level holds its good first.
        """
        ids = list(self.values_list("pk", flat=True))
        list(self._levels().filter(product__in=ids).order_by("pk").select_for_update().values("pk"))
        type(self)(self.model).filter(pk__in=ids).hold()

    def with_untrue_sold_out(self) -> Self:
        """Return those whose `sold_out` says what the stock does not."""
        enough = Exists(
            self._levels().filter(
                location__fills_deliveries=True,
                product_id=OuterRef("pk"),
                on_hand__gte=F("reserved") + OuterRef("min_amount"),
            )
        )
        return self.filter(Q(enough, sold_out=True) | Q(~enough, sold_out=False))

    def tell_sold_out(self) -> None:
        """Make `sold_out` true of these goods, whose stock this transaction holds."""
        self.with_untrue_sold_out().update(sold_out=~F("sold_out"))

    def _levels(self) -> models.QuerySet[Any]:
        levels: Any = self.model._meta.get_field("stock_levels").related_model
        rows: models.QuerySet[Any] = levels.objects.all()
        return rows
