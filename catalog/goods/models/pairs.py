"""Products that are often bought together."""

from django.db import models

from catalog.goods.models.products import Product


class BoughtTogether(models.Model):
    """A product that customers have ordered together with another one; `orders`: in how many orders."""

    product = models.ForeignKey(Product, models.CASCADE, related_name="bought_together", db_index=False)
    other = models.ForeignKey(Product, models.CASCADE, related_name="+", db_index=False)
    orders = models.PositiveIntegerField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["product", "other"], name="pair_once")]
        # Deleting a product reads the second one.
        indexes = [models.Index(fields=["other"], name="pair_by_other")]
