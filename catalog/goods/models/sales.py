"""Units sold per day, from which popularity is computed."""

from django.db import models

from catalog.goods.models.products import Product
from core.update_only import UpdateOnlyModel


class SoldDay(UpdateOnlyModel):
    """The paid units of a product on one day of the shop's calendar."""

    UPDATE_ONLY = frozenset({"units"})

    product = models.ForeignKey(Product, models.CASCADE, related_name="sold_days", db_index=False)
    day = models.DateField()
    units = models.PositiveIntegerField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["product", "day"], name="sold_day_once")]
        indexes = [models.Index(fields=["day", "product"], include=["units"], name="sold_by_day")]
