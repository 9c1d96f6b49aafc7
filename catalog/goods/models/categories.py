"""Categories with two levels."""

from django.core.exceptions import ValidationError
from django.core.validators import RegexValidator
from django.db import models
from django.utils.translation import gettext_lazy as _

from catalog.goods.models.names import TwoNames
from core.protected import ProtectedModel


class Category(ProtectedModel, TwoNames):
    """A top category, which has no parent, or a subcategory (docs/product.md#categories)."""

    WRITTEN_BY = "catalog.goods.writing (save_category, create_categories, delete_rows …)"

    class UnitRule(models.TextChoices):
        """The measure of unit prices, which the Unit Pricing Code requires by kind of product."""

        inherited = "", _("As the category above")
        standard = "standard", _("100 g, 100 mL or item")
        per_kg = "per_kg", _("Kilogram: fresh produce, meat, seafood")
        per_litre = "per_litre", _("Litre: drinks")
        number = "number", _("Item, independent of the pack")
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

    class Meta:
        ordering = ["sort", "id"]
        verbose_name = _("category")
        verbose_name_plural = _("categories")

    def clean(self) -> None:
        """Refuse a third level of categories; raises ValidationError."""
        if self.parent_id and self.pk and (self.parent_id == self.pk or self.children.exists()):
            raise ValidationError({"parent": _("A category with others below it must be a top one.")})
