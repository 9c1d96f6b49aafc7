"""Tags of products, which staff use for special areas."""

from typing import TYPE_CHECKING

from django.db import models
from django.utils.translation import gettext_lazy as _
from taggit.models import ItemBase, TagBase

if TYPE_CHECKING:
    from catalog.goods.models.products import Product


class ProductTag(TagBase):
    """A tag; shoppers see the special area with its products, but never the tag."""

    class Meta:
        ordering = ["name"]
        verbose_name = _("product tag")
        verbose_name_plural = _("product tags")


class TaggedProduct(ItemBase):
    """A tag of a product."""

    tag: "models.ForeignKey[ProductTag, ProductTag]" = models.ForeignKey(
        ProductTag, models.CASCADE, related_name="tagged_products"
    )
    content_object: "models.ForeignKey[Product, Product]" = models.ForeignKey(
        "goods.Product", models.CASCADE, related_name="+", db_index=False
    )

    class Meta:
        constraints = [models.UniqueConstraint(fields=["content_object", "tag"], name="tag_once_per_product")]
