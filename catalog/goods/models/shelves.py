"""Where goods stand: categories of two levels, and brands."""

from collections.abc import Iterable
from typing import Any

from django.core.exceptions import ValidationError
from django.core.validators import RegexValidator
from django.db import models
from django.utils.translation import gettext_lazy as _
from pypinyin import lazy_pinyin

from catalog.goods.models.indexed import Indexed, IndexedQuerySet
from catalog.goods.models.names import TwoNames

MAX_SPELLING = 200


class CategoryQuerySet(IndexedQuerySet["Category"]):
    """Categories."""


class Category(Indexed, TwoNames):
    """A shelf; two levels, the upper one without parent (SPEC 1)."""

    class UnitRule(models.TextChoices):
        """What unit prices are told per; the Unit Pricing Code asks different kinds of goods for it."""

        inherited = "", _("As the category above")
        standard = "standard", _("100 g, 100 mL or item")
        per_kg = "per_kg", _("Kilogram: fresh produce, meat, seafood")
        per_litre = "per_litre", _("Litre: drinks")
        number = "number", _("Item, whatever the pack says")
        exempt = "exempt", _("None: clothing, homewares, toys")

    parent = models.ForeignKey(
        "self",
        models.PROTECT,
        null=True,
        blank=True,
        related_name="children",
        verbose_name=_("category above"),
        limit_choices_to={"parent": None},
    )
    picture = models.ForeignKey(
        "wagtailimages.Image",
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("picture"),
    )
    tint = models.CharField(
        _("background colour"),
        max_length=7,
        default="#F6F7FB",
        validators=[RegexValidator("^#[0-9A-Fa-f]{6}$", _("Write a colour such as #E6F4E1."))],
    )
    sort = models.PositiveIntegerField(_("place in the list"), default=0)
    unit_rule = models.CharField(
        _("unit price per"), max_length=10, choices=UnitRule.choices, default=UnitRule.inherited, blank=True
    )

    objects = CategoryQuerySet.as_manager()

    class Meta:
        ordering = ["sort", "id"]
        verbose_name = _("category")
        verbose_name_plural = _("categories")

    def save(self, *args: Any, **kw: Any) -> None:
        """Write the category; its goods keep the top category that follows from it."""
        is_known = self.pk is not None
        super().save(*args, **kw)
        if is_known:
            self.products.exclude(top_category=self.parent_id or self.pk).update(
                top_category=self.parent_id or self.pk
            )

    def clean(self) -> None:
        """Refuse a third level; raises ValidationError."""
        if self.parent_id and self.pk and (self.parent_id == self.pk or self.children.exists()):
            raise ValidationError({"parent": _("A category with others below it must be a top one.")})


class BrandQuerySet(IndexedQuerySet["Brand"]):
    """Brands; each way of writing them keeps how their Chinese name sounds."""

    def bulk_create(self, objs: Iterable["Brand"], *args: Any, **kw: Any) -> list["Brand"]:
        """Make brands with their sound."""
        brands = list(objs)
        for brand in brands:
            brand.spell()
        return super().bulk_create(brands, *args, **kw)

    def bulk_update(self, objs: Iterable["Brand"], fields: Iterable[str], *args: Any, **kw: Any) -> int:
        """Change brands and their sound."""
        brands, names = list(objs), set(fields)
        if "name_zh" in names:
            for brand in brands:
                brand.spell()
            names.add("pinyin")
        return super().bulk_update(brands, sorted(names), *args, **kw)


class Brand(Indexed, TwoNames):
    """Whose name is on the pack."""

    # Units its best seller has sold; no column: `catalog.goods.sales.brands_on_sale` reads it for its rows.
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

    objects = BrandQuerySet.as_manager()

    class Meta:
        ordering = ["name_en", "id"]
        verbose_name = _("brand")
        verbose_name_plural = _("brands")

    def save(self, *args: Any, **kw: Any) -> None:
        """Write the brand and how its Chinese name sounds."""
        self.spell()
        if kw.get("update_fields") is not None:
            kw["update_fields"] = {*kw["update_fields"], "pinyin"}
        super().save(*args, **kw)

    def spell(self) -> None:
        """Set how the Chinese name sounds: li jin ji."""
        self.pinyin = " ".join(lazy_pinyin(self.name_zh)).lower()[:MAX_SPELLING]
