"""Products, their groups and pictures."""

from decimal import Decimal

from django.core.exceptions import ValidationError
from django.core.validators import MinValueValidator, RegexValidator
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from modelcluster.fields import ParentalKey
from modelcluster.models import ClusterableModel
from taggit.managers import TaggableManager

from catalog.goods.dietary import Allergen, Diet, contradicted
from catalog.goods.gtin import gtin_fault
from catalog.goods.models.brands import Brand
from catalog.goods.models.categories import Category
from catalog.goods.models.names import TwoNames
from catalog.goods.models.prices import PriceChange
from catalog.goods.wasprices import charged_prices, was_price_fault
from core.protected import ProtectedModel
from core.update_only import UpdateOnlyModel

# The number of a medicine in the Australian Register of Therapeutic Goods; (A): assessed listed.
AUST_NUMBER = r"AUST (L|R|L\(A\)) [0-9]{1,6}"


def _no_codes() -> models.Value:
    return models.Value([], models.JSONField())


class ProductGroup(models.Model):
    """Products that differ in size or flavour only; each variant is a product of its own."""

    code = models.SlugField(_("code"), unique=True)
    name_en = models.CharField(_("what differs, English"), max_length=60)
    name_zh = models.CharField(_("what differs, Chinese"), max_length=60)

    class Meta:
        verbose_name = _("product group")
        verbose_name_plural = _("product groups")

    def __str__(self) -> str:
        return f"{self.name_en} {self.name_zh}"


class Storage(models.TextChoices):
    """How products are stored and therefore shipped."""

    ambient = "ambient", _("Room temperature")
    chilled = "chilled", _("Chilled")
    frozen = "frozen", _("Frozen")


class UnitMeasure(models.TextChoices):
    """The measure of a unit price (docs/wire.md#goods)."""

    per_100g = "100g"
    per_100ml = "100mL"
    per_kg = "kg"
    per_litre = "L"
    each = "each"
    per_100_each = "100each"


class Product(ProtectedModel, UpdateOnlyModel, TwoNames, ClusterableModel):
    """A product: one article that customers can buy, with its own price, stock and picture."""

    WRITTEN_BY = "catalog.goods.writing (save_product, create_products, update_products …)"
    UPDATE_ONLY = frozenset({"units_sold", "sold_out"})

    # Units that a delivery order can buy now; not a column: `catalog.browse.listing` annotates it.
    available: int

    sku = models.CharField("SKU", max_length=40, unique=True)
    category = models.ForeignKey(
        Category, models.PROTECT, related_name="products", verbose_name=_("category")
    )
    # The category's parent, or the category itself: a column, so that an index has a whole section in order.
    top_category = models.ForeignKey(Category, models.PROTECT, related_name="+", editable=False)
    brand = models.ForeignKey(Brand, models.PROTECT, related_name="products", verbose_name=_("brand"))
    group = models.ForeignKey(
        ProductGroup,
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="products",
        verbose_name=_("product group"),
    )
    variant_en = models.CharField(_("variant, English"), max_length=60, blank=True)
    variant_zh = models.CharField(_("variant, Chinese"), max_length=60, blank=True)
    pack = models.CharField(
        _("pack"), max_length=40, help_text=_("As printed on the card: 500 g, 6 x 330 mL.")
    )
    pack_zh = models.CharField(
        _("pack, Chinese"),
        max_length=40,
        blank=True,
        help_text=_("Where the words differ: 12 包. Empty: as in English."),
    )
    net_weight = models.PositiveIntegerField(_("weight in grams"), validators=[MinValueValidator(1)])
    unit_en = models.CharField(_("unit, English"), max_length=20)
    unit_zh = models.CharField(_("unit, Chinese"), max_length=20)
    price = models.DecimalField(
        _("price, AUD with GST"),
        max_digits=12,
        decimal_places=2,
        validators=[MinValueValidator(Decimal("0.01"))],
    )
    market_price = models.DecimalField(
        _("was-price, AUD with GST"),
        max_digits=12,
        decimal_places=2,
        null=True,
        blank=True,
        help_text=_("A higher price that the shop has really charged; it disappears when it is too old."),
    )
    gst_free = models.BooleanField(_("GST-free"), default=False)
    storage = models.CharField(_("storage"), max_length=10, choices=Storage.choices, default=Storage.ambient)
    origin = models.CharField(_("country of origin"), max_length=2)
    picture = models.ForeignKey(
        "wagtailimages.Image",
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("picture"),
    )
    description_en = models.TextField(_("description, English"), blank=True)
    description_zh = models.TextField(_("description, Chinese"), blank=True)
    ingredients_en = models.TextField(_("ingredients, English"), blank=True)
    ingredients_zh = models.TextField(_("ingredients, Chinese"), blank=True)
    allergens = models.JSONField(_("allergens"), default=list, blank=True)
    may_contain = models.JSONField(_("may contain"), default=list, db_default=_no_codes(), blank=True)
    allergens_checked = models.BooleanField(
        _("all allergens entered"),
        default=False,
        db_default=False,
        help_text=_(
            "Tick it once both lists are as on the label, also if they are empty. Only then do filters such "
            "as “No milk” show the product."
        ),
    )
    diets = models.JSONField(_("suitable for"), default=list, db_default=_no_codes(), blank=True)
    # Texts by the names of `catalog.goods.nutrition`; null without a panel.
    nutrition = models.JSONField(_("nutrition panel"), null=True, blank=True)
    directions_en = models.TextField(_("directions, English"), blank=True, default="", db_default="")
    directions_zh = models.TextField(_("directions, Chinese"), blank=True, default="", db_default="")
    warnings_en = models.TextField(_("warnings, English"), blank=True, default="", db_default="")
    warnings_zh = models.TextField(_("warnings, Chinese"), blank=True, default="", db_default="")
    aust_number = models.CharField(
        _("AUST L or AUST R number"),
        max_length=20,
        blank=True,
        default="",
        db_default="",
        validators=[RegexValidator(f"^{AUST_NUMBER}\\Z", _("Write it as on the label: AUST L 123456."))],
    )
    gtin = models.CharField(
        _("barcode number"),
        max_length=14,
        blank=True,
        default="",
        db_default="",
        help_text=_("The digits below the barcode: EAN, UPC or GTIN. Search and stock files know it."),
    )
    best_before = models.DateField(
        _("best before"), null=True, blank=True, help_text=_("The earliest date of what is in stock.")
    )
    no_export = models.BooleanField(
        _("not sent abroad"),
        default=False,
        db_default=False,
        help_text=_("Customs keep it out, such as fresh food. Chilled and frozen products stay anyway."),
    )
    is_self = models.BooleanField(_("direct mail"), default=False)
    is_advance = models.BooleanField(_("advance or limited"), default=False)
    expected_on = models.DateField(
        _("expected in the shop on"),
        null=True,
        blank=True,
        help_text=_("Of an advance product. Shoppers see the date until it has passed."),
    )
    min_amount = models.PositiveIntegerField(
        _("minimum amount"), default=1, validators=[MinValueValidator(1)]
    )
    limit_amount = models.PositiveIntegerField(
        _("most per order"), default=0, help_text=_("0 means no limit.")
    )
    is_bulk = models.BooleanField(_("bulk buying"), default=False)
    carton_size = models.PositiveIntegerField(
        _("units in a carton"), default=1, validators=[MinValueValidator(1)]
    )
    on_sale = models.BooleanField(_("on sale"), default=True)
    tags = TaggableManager(
        through="goods.TaggedProduct",
        blank=True,
        verbose_name=_("tags"),
        help_text=_(
            "Words for your own use, separated by commas: a special area can show all products of a tag."
        ),
    )
    units_sold = models.PositiveIntegerField(_("units sold"), default=0, editable=False)
    # Whether a delivery order cannot buy the minimum amount; `catalog.stock.soldout` updates it.
    sold_out = models.BooleanField(default=True, editable=False)
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["-units_sold", "id"]
        verbose_name = _("product")
        verbose_name_plural = _("products")
        constraints = [
            models.CheckConstraint(condition=Q(price__gt=0), name="product_price_positive"),
            models.CheckConstraint(condition=Q(net_weight__gt=0), name="product_weight_positive"),
            models.CheckConstraint(condition=Q(min_amount__gte=1), name="product_min_amount_positive"),
        ]
        # The indexes contain products on sale only, because lists show no others.
        indexes = [
            models.Index(fields=["id"], name="sold_out_on_sale", condition=Q(on_sale=True, sold_out=True))
        ] + [
            models.Index(fields=fields, name=f"on_sale_by_{name}", condition=Q(on_sale=True))
            for name, fields in {
                "category_shop_order": ["category", "-units_sold", "id"],
                "category_price": ["category", "price", "id"],
                "top_shop_order": ["top_category", "-units_sold", "id"],
                "top_price": ["top_category", "price", "id"],
                "brand_shop_order": ["brand", "-units_sold", "id"],
                "shop_order": ["-units_sold", "id"],
                "price": ["price", "id"],
                "newest": ["-created_at", "id"],
                "category_newest": ["category", "-created_at", "id"],
                "top_newest": ["top_category", "-created_at", "id"],
                "brand_price": ["brand", "price", "id"],
                "brand_newest": ["brand", "-created_at", "id"],
            }.items()
        ]

    def clean(self) -> None:
        """Refuse a was-price that was never charged, unknown codes, false claims; raises ValidationError."""
        super().clean()
        if self.price is not None:
            history = PriceChange.histories([self.pk])[self.pk] if self.pk else []
            charged = charged_prices(history, timezone.now())
            if fault := was_price_fault(self.price, self.market_price, charged):
                raise ValidationError({"market_price": fault})
        for name, choices in (("allergens", Allergen), ("may_contain", Allergen), ("diets", Diet)):
            if not set(getattr(self, name)) <= set(choices.values):
                raise ValidationError({name: _("Choose from the list.")})
        if wrong_number := gtin_fault(self.gtin):
            raise ValidationError({"gtin": wrong_number})
        if wrong := contradicted(self.diets, self.allergens, self.may_contain):
            claims = ", ".join(str(Diet(claim).label) for claim in sorted(wrong))
            raise ValidationError(
                {"diets": gettext("The allergens contradict: %(claims)s.") % {"claims": claims}}
            )


class ProductPicture(models.Model):
    """A further picture of a product; the gallery shows the product's `picture` before it."""

    # The field by which the back office sorts the pictures.
    sort_order_field = "sort"

    product = ParentalKey(Product, related_name="gallery")
    picture = models.ForeignKey(
        "wagtailimages.Image", models.CASCADE, related_name="+", verbose_name=_("picture")
    )
    sort = models.PositiveSmallIntegerField(_("place in the list"), default=0)

    class Meta:
        ordering = ["sort", "id"]
        verbose_name = _("picture")
        verbose_name_plural = _("pictures")
