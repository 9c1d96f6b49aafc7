"""Brands."""

from django.db import models
from django.utils.translation import gettext_lazy as _
from pypinyin import lazy_pinyin

from catalog.goods.models.names import TwoNames
from core.protected import ProtectedModel

MAX_SPELLING = 200


class Brand(ProtectedModel, TwoNames):
    """The brand of a product."""

    WRITTEN_BY = "catalog.goods.writing (save_brand, create_brands, delete_rows …)"

    # The units sold of its best seller; not a column: `catalog.goods.sales.brands_on_sale` annotates it.
    best_units: int

    origin = models.CharField(_("country"), max_length=2, blank=True)
    is_house = models.BooleanField(_("house label"), default=False)
    popular_place = models.PositiveSmallIntegerField(
        _("place among the popular brands"),
        null=True,
        blank=True,
        help_text=_("Pinned brands come first, the lowest number before the others; empty: by units sold."),
    )
    pinyin = models.CharField(max_length=MAX_SPELLING, blank=True, editable=False)
    picture = models.ForeignKey(
        "wagtailimages.Image",
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("picture"),
    )

    class Meta:
        ordering = ["name_en", "id"]
        verbose_name = _("brand")
        verbose_name_plural = _("brands")

    def spell(self) -> None:
        """Set the pinyin of the Chinese name: li jin ji."""
        self.pinyin = " ".join(lazy_pinyin(self.name_zh)).lower()[:MAX_SPELLING]
