"""What is for sale: categories, brands, goods, and the exchange rate their prices are shown with."""

from decimal import Decimal

from django.core.exceptions import ValidationError
from django.core.validators import MinValueValidator, RegexValidator
from django.db import models
from django.db.models import Q
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _


def is_chinese() -> bool:
    """Tell whether the reader's language is Chinese."""
    return (get_language() or "").startswith("zh")


class TwoNames(models.Model):
    """A thing with a Chinese and an English name; the reader's language comes first (UX 1)."""

    name_en = models.CharField(_("English name"), max_length=200)
    name_zh = models.CharField(_("Chinese name"), max_length=200)

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return self.name

    @property
    def name(self) -> str:
        """The name in the reader's language."""
        return self.name_zh if is_chinese() else self.name_en

    @property
    def other_name(self) -> str:
        """The name in the language the reader did not choose."""
        return self.name_en if is_chinese() else self.name_zh


class Category(TwoNames):
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

    class Meta:
        ordering = ["sort", "id"]
        verbose_name = _("category")
        verbose_name_plural = _("categories")

    def clean(self) -> None:
        """Refuse a third level; raises ValidationError."""
        if self.parent_id and self.pk and (self.parent_id == self.pk or self.children.exists()):
            raise ValidationError({"parent": _("A category with others below it must be a top one.")})


class Brand(TwoNames):
    """Whose name is on the pack."""

    origin = models.CharField(_("country"), max_length=2, blank=True)
    is_house = models.BooleanField(_("house label"), default=False)
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


class ProductGroup(models.Model):
    """A joint of goods that differ in size or flavour only; each variant is a product of its own."""

    code = models.SlugField(_("code"), unique=True)
    name_en = models.CharField(_("what differs, English"), max_length=60)
    name_zh = models.CharField(_("what differs, Chinese"), max_length=60)

    class Meta:
        verbose_name = _("spec group")
        verbose_name_plural = _("spec groups")

    def __str__(self) -> str:
        return f"{self.name_en} {self.name_zh}"


class Storage(models.TextChoices):
    """How goods are kept and therefore sent."""

    ambient = "ambient", _("Ambient")
    chilled = "chilled", _("Chilled")
    frozen = "frozen", _("Frozen")


class UnitMeasure(models.TextChoices):
    """What a unit price is told per (CONTRACT 2, Australia's Unit Pricing Code)."""

    per_100g = "100g"
    per_100ml = "100mL"
    per_kg = "kg"
    per_litre = "L"
    each = "each"
    per_100_each = "100each"


class Product(TwoNames):
    """A good: the smallest thing that has a price, a stock and a picture of its own."""

    # Units a delivery order can buy now; no column: `catalog.browse.listing` counts it for its rows.
    available: int

    sku = models.CharField("SKU", max_length=40, unique=True)
    category = models.ForeignKey(
        Category, models.PROTECT, related_name="products", verbose_name=_("category")
    )
    brand = models.ForeignKey(Brand, models.PROTECT, related_name="products", verbose_name=_("brand"))
    group = models.ForeignKey(
        ProductGroup,
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="products",
        verbose_name=_("spec group"),
    )
    variant_en = models.CharField(_("variant, English"), max_length=60, blank=True)
    variant_zh = models.CharField(_("variant, Chinese"), max_length=60, blank=True)
    pack = models.CharField(
        _("pack"), max_length=40, help_text=_("As printed on the card: 500 g, 6 x 330 mL.")
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
        _("was-price, AUD with GST"), max_digits=12, decimal_places=2, null=True, blank=True
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
    is_self = models.BooleanField(_("direct mail"), default=False)
    is_advance = models.BooleanField(_("advance or limited"), default=False)
    min_amount = models.PositiveIntegerField(
        _("smallest amount"), default=1, validators=[MinValueValidator(1)]
    )
    limit_amount = models.PositiveIntegerField(
        _("most per order"), default=0, help_text=_("0 means no limit.")
    )
    on_sale = models.BooleanField(_("on the shelves"), default=True)
    units_sold = models.PositiveIntegerField(_("units sold"), default=0, editable=False)
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["-units_sold", "id"]
        verbose_name = _("good")
        verbose_name_plural = _("goods")
        constraints = [
            models.CheckConstraint(condition=Q(price__gt=0), name="product_price_positive"),
            models.CheckConstraint(condition=Q(net_weight__gt=0), name="product_weight_positive"),
            models.CheckConstraint(condition=Q(min_amount__gte=1), name="product_min_amount_positive"),
        ]
        # Of what is on the shelves only: no list shows anything else.
        indexes = [
            models.Index(fields=fields, name=f"on_sale_by_{name}", condition=Q(on_sale=True))
            for name, fields in {
                "category_shop_order": ["category", "-units_sold", "id"],
                "category_price": ["category", "price", "id"],
                "brand_shop_order": ["brand", "-units_sold", "id"],
                "shop_order": ["-units_sold", "id"],
                "price": ["price", "id"],
                "newest": ["-created_at", "id"],
            }.items()
        ]

    @property
    def description(self) -> str:
        """The description in the reader's language."""
        return self.description_zh if is_chinese() else self.description_en

    @property
    def unit(self) -> str:
        """The unit's word in the reader's language."""
        return self.unit_zh if is_chinese() else self.unit_en


class ExchangeRate(models.Model):
    """CNY for one AUD at a time; the newest row holds, `DEFAULT_RATE` before the first (CONTRACT 2)."""

    DEFAULT_RATE = Decimal("5")

    rate = models.DecimalField(_("CNY per AUD"), max_digits=12, decimal_places=6)
    source = models.CharField(_("source"), max_length=40)
    as_of = models.DateTimeField(_("as of"))

    class Meta:
        ordering = ["-as_of", "-id"]
        indexes = [models.Index(fields=["-as_of", "-id"], name="rate_newest")]
        constraints = [models.CheckConstraint(condition=Q(rate__gt=0), name="rate_positive")]
        verbose_name = _("exchange rate")
        verbose_name_plural = _("exchange rates")

    def __str__(self) -> str:
        return f"{self.rate} ({self.source}, {self.as_of:%Y-%m-%d})"
