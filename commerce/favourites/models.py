"""The products that a customer has marked, in lists."""

from django.db import models

from catalog.goods.models import Product
from commerce.accounts.models import Customer

MAX_NAME = 60


class FavouriteList(models.Model):
    """A list of a customer's; the one without a name is the default list, which the first mark makes."""

    customer = models.ForeignKey(Customer, models.CASCADE, related_name="favourite_lists", db_index=False)
    name = models.CharField(max_length=MAX_NAME, blank=True)
    # The secret of the link that shows the list to everyone; null while it is not shared.
    share_token = models.CharField(max_length=64, null=True, unique=True)  # noqa: DJ001  unique among those shared
    # What the shared page is called, as the customer wrote it for others.
    share_title = models.CharField(max_length=MAX_NAME, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["customer", "name"], name="one_favourite_list_per_name")
        ]


class Favourite(models.Model):
    """A product in a list; the highest id was added last."""

    list = models.ForeignKey(FavouriteList, models.CASCADE, related_name="favourites", db_index=False)
    product = models.ForeignKey(Product, models.CASCADE, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-id"]
        constraints = [models.UniqueConstraint(fields=["list", "product"], name="one_favourite_per_product")]
        indexes = [models.Index(fields=["list", "-id"], name="favourites_of_list")]
