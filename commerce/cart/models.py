"""Customers' carts."""

from django.db import models
from django.db.models import Q
from django.utils import timezone

from catalog.goods.models import Product
from commerce.accounts.models import Customer


class CartType(models.TextChoices):
    """The two carts that the server stores (docs/wire.md#cart); the client stores the promotion cart."""

    direct_mail = "DirectMailCart"
    bulk = "BulkCart"


class CartItem(models.Model):
    """A product and its amount in one of a customer's carts."""

    customer = models.ForeignKey(Customer, models.CASCADE, related_name="cart_items")
    type = models.CharField(max_length=16, choices=CartType.choices, default=CartType.direct_mail)
    product = models.ForeignKey(Product, models.CASCADE, related_name="+")
    amount = models.PositiveIntegerField()
    # The newest product is first. A product that is put back behind another gets a slightly older time.
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["-created_at", "-id"]
        constraints = [
            models.UniqueConstraint(fields=["customer", "type", "product"], name="one_cart_item_per_product"),
            models.CheckConstraint(condition=Q(amount__gte=1), name="cart_amount_positive"),
        ]
