"""Special areas: themed selections of products."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, RegexValidator
from django.db import models, transaction
from django.utils.translation import gettext_lazy as _
from modelcluster.fields import ParentalKey
from wagtail.admin.forms import WagtailAdminModelForm
from wagtail.images.models import AbstractImage

from catalog.browse.cards import hue_class
from catalog.goods.models import Brand, Category, Product, ProductTag, TwoNames, is_chinese
from catalog.promotions.models import Promotion
from content.models.scheduling import PlaceForm, ScheduleForm, WholeListForm
from content.models.window import LAST_PLACE, Window
from core.languages import localised
from core.pictures.renditions import PictureFiles, picture_files
from core.pictures.shapes import odd_whole
from core.rows_within import clear_places, refuse_same_rows

# The colour of a new area, and of a draft without one.
DEFAULT_TINT = "#E6F4E1"
NO_PRODUCT = _("Pick at least one product below, or choose a rule.")


class AreaForm(PlaceForm, ScheduleForm, WholeListForm, WagtailAdminModelForm):
    """Validates the products of an area before it is saved."""

    def sibling_rows(self) -> models.QuerySet[Any]:
        """Return all areas."""
        return SpecialArea.objects.all()

    def clean(self) -> dict[str, Any]:
        """Refuse an area of picked products without a product, repeated products, and unsuitable pictures.

        Raises ValidationError.
        """
        cleaned: dict[str, Any] = super().clean()
        refuse_same_rows(self, _("%(value)s is already in this area."))
        picked = self.formsets["picked"].forms
        filled = [form for form in picked if form.is_valid() and not form.cleaned_data.get("DELETE", False)]
        has_goods = any(form.cleaned_data.get("product") for form in filled)
        is_bare = cleaned.get("rule") == SpecialArea.Rule.picked and not has_goods
        picture = cleaned.get("picture")
        if picture and not self.is_deferred_validation and (text := odd_whole(picture)):
            self.add_error("picture", text)
        # A draft may lack products.
        if is_bare and not self.is_deferred_validation:
            self.add_error("rule", NO_PRODUCT)
        return cleaned


class AreaTile(NamedTuple):
    """A special area as a page shows it, in the reader's language."""

    name: str
    text: str
    url: str
    hue: str
    picture: PictureFiles | None


class SpecialArea(TwoNames, Window):
    """A themed selection of products, picked by hand or by a rule (docs/wire.md#specialarea)."""

    class Rule(models.TextChoices):
        """How an area's products are selected."""

        picked = "picked", _("Products picked by hand, in their order")
        brand = "brand", _("All products of a brand")
        category = "category", _("All products of a category")
        promotion = "promotion", _("All products of a promotion, while it runs")
        tag = "tag", _("All products that have a tag")

    text_en = models.CharField(_("text, English"), max_length=120, blank=True)
    text_zh = models.CharField(_("text, Chinese"), max_length=120, blank=True)
    picture = models.ForeignKey(
        "wagtailimages.Image",
        models.PROTECT,
        related_name="+",
        verbose_name=_("picture"),
        help_text=_(
            "On the area’s tile; shown whole, nothing is cut off. The name next to it explains what it is."
        ),
    )
    tint = models.CharField(
        _("background colour"),
        max_length=7,
        default=DEFAULT_TINT,
        validators=[RegexValidator("^#[0-9A-Fa-f]{6}$", _("Write a colour such as #E6F4E1."))],
    )
    checked = models.BooleanField(
        _("on the home page"), default=True, help_text=_("Otherwise it is in the list of all areas only.")
    )
    sort = models.PositiveSmallIntegerField(
        _("place in the list"),
        default=0,
        validators=[MaxValueValidator(LAST_PLACE)],
        help_text=_("The lowest number comes first."),
    )
    rule = models.CharField(_("products"), max_length=10, choices=Rule.choices, default=Rule.picked)
    brand = models.ForeignKey(
        Brand, models.PROTECT, null=True, blank=True, related_name="+", verbose_name=_("brand")
    )
    category = models.ForeignKey(
        Category, models.PROTECT, null=True, blank=True, related_name="+", verbose_name=_("category")
    )
    promotion = models.ForeignKey(
        Promotion,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="special_areas",
        verbose_name=_("promotion"),
    )
    tag = models.ForeignKey(
        ProductTag,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("tag"),
        help_text=_("Products get their tags under Catalogue, in the form of each product."),
    )

    class Meta:
        ordering = ["sort", "id"]
        verbose_name = _("special area")
        verbose_name_plural = _("special areas")

    base_form_class = AreaForm

    @property
    def text(self) -> str:
        """The description in the reader's language."""
        return self.text_zh if is_chinese() else self.text_en

    @property
    def lacks_choice(self) -> bool:
        """Whether the brand, category, promotion or tag of its rule is missing, as it may be in a draft."""
        # A draft's rule may be empty too.
        is_picked = self.rule in ("", self.Rule.picked)
        return not is_picked and getattr(self, f"{self.rule}_id") is None

    @property
    def image(self) -> AbstractImage | None:
        """The picture; None in a draft whose picture was deleted."""
        return self.picture if self.picture_id else None

    def tile(self) -> AreaTile:
        """Return the area's tile, which links to the area's page."""
        url, hue = localised(f"/areas/{self.pk}"), hue_class(self.tint or DEFAULT_TINT)
        return AreaTile(self.name, self.text, url, hue, picture_files(self.image))

    def clean(self) -> None:
        """Refuse a rule without its brand, category, promotion or tag; raises ValidationError."""
        super().clean()
        if self.lacks_choice:
            raise ValidationError({self.rule: _("Choose which products the area shows.")})

    def lacking(self) -> Iterator[str]:
        """Yield what the area lacks: a picked product, or a suitable picture."""
        if self.rule == self.Rule.picked and not self.picked.all():
            yield str(NO_PRODUCT)
        yield from super().lacking()

    def picture_notes(self) -> Iterator[str]:
        """Yield what is wrong with its picture."""
        picture = self.image
        if picture and (text := odd_whole(picture)):
            yield text

    def save(self, *args: Any, **kw: Any) -> None:
        """Save the area with its products; with `update_fields`, save only columns."""
        with transaction.atomic():
            if kw.get("update_fields") is None:
                clear_places(self)
            super().save(*args, **kw)

    def get_preview_context(self, request: Any, mode_name: str) -> dict[str, Any]:
        """Add the area's tile."""
        return super().get_preview_context(request, mode_name) | {"tile": self.tile()}

    def get_preview_template(self, request: Any, mode_name: str) -> str:
        """Return the template of the area's tile."""
        return "content/previews/area.html"


class AreaGood(models.Model):
    """A product that an editor picked for an area."""

    area = ParentalKey(SpecialArea, on_delete=models.CASCADE, related_name="picked", db_index=False)
    product = models.ForeignKey(
        Product, models.CASCADE, related_name="area_places", verbose_name=_("product")
    )
    sort_order = models.IntegerField(null=True, blank=True, editable=False)
    # Lets editors reorder the rows.
    sort_order_field = "sort_order"

    class Meta:
        ordering = ["sort_order"]
        verbose_name = _("product")
        verbose_name_plural = _("products")
        constraints = [models.UniqueConstraint(fields=["area", "product"], name="good_once_per_area")]
