"""Words that staff put to goods, so that special areas can gather them."""

from typing import TYPE_CHECKING

from django.db import models
from django.utils.translation import gettext_lazy as _
from taggit.models import ItemBase, TagBase

if TYPE_CHECKING:
    from catalog.goods.models.products import Product


class GoodsTag(TagBase):
    """A word of the staff's own; shoppers see the special area that follows it, never the word."""

    class Meta:
        ordering = ["name"]
        verbose_name = _("tag of goods")
        verbose_name_plural = _("tags of goods")


class TaggedGood(ItemBase):
    """A good that has a tag."""

    tag: "models.ForeignKey[GoodsTag, GoodsTag]" = models.ForeignKey(
        GoodsTag, models.CASCADE, related_name="tagged_goods"
    )
    content_object: "models.ForeignKey[Product, Product]" = models.ForeignKey(
        "goods.Product", models.CASCADE, related_name="+"
    )

    class Meta:
        constraints = [models.UniqueConstraint(fields=["content_object", "tag"], name="tag_once_per_good")]
