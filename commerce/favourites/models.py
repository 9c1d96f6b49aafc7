"""Customers' lists of favourite products."""

from django.db import models

from catalog.goods.models import Product
from commerce.accounts.models import Customer

MAX_NAME = 60


class FavouriteList(models.Model):
    """A customer's list of favourites; the default list has no name and is created with its first product."""

    customer = models.ForeignKey(Customer, models.CASCADE, related_name="favourite_lists", db_index=False)
    name = models.CharField(max_length=MAX_NAME, blank=True)
    # The secret in the link that shows the list to everyone; null if the list is not shared.
    share_token = models.CharField(max_length=64, null=True, unique=True)  # noqa: DJ001  unique if shared
    # The title of the shared page; empty for none.
    share_title = models.CharField(max_length=MAX_NAME, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["customer", "name"], name="one_favourite_list_per_name")
        ]


class Favourite(models.Model):
    """A product in a list; the newest has the highest id."""

    list = models.ForeignKey(FavouriteList, models.CASCADE, related_name="favourites", db_index=False)
    product = models.ForeignKey(Product, models.CASCADE, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-id"]
        constraints = [models.UniqueConstraint(fields=["list", "product"], name="one_favourite_per_product")]
        indexes = [models.Index(fields=["list", "-id"], name="favourites_of_list")]
