"""The blocks of the home page. Each language's tree has its own texts; products come from the catalogue."""

from typing import Any

from django.db.models import prefetch_related_objects
from django.utils.translation import gettext_lazy as _
from wagtail import blocks
from wagtail.images.blocks import ImageBlock

from catalog.browse.brands import POPULAR, BrandTile, all_brands, popular
from catalog.browse.promotion_bands import bands
from catalog.browse.promotions import running
from catalog.browse.showcases import best_of_categories, picked, top_categories
from content.choosers import GoodsChooserBlock
from content.models.slides import HOME_CAROUSEL, LAST_CAROUSEL
from content.richtext import TextBlock
from content.shoplinks import ShopPathBlock
from content.windows import home_areas, slides_of
from core.languages import other_html_language

# How many products a category showcase has in each category, unless an editor chooses another number.
SHOWCASE_PRODUCTS = 5


class LinkBlock(blocks.StructBlock):
    """A link of a slide or tile."""

    label = blocks.CharBlock(max_length=40, label=_("label"))
    path = ShopPathBlock(label=_("path"))


class TileBlock(blocks.StructBlock):
    """A small advertisement beside the carousel."""

    title = blocks.CharBlock(max_length=40, label=_("title"))
    text = blocks.CharBlock(max_length=90, required=False, label=_("text"))
    link = LinkBlock(label=_("link"))
    picture = ImageBlock(label=_("picture"))
    tone = blocks.ChoiceBlock(
        choices=[("mint", _("mint")), ("peach", _("peach")), ("sky", _("sky"))],
        default="mint",
        label=_("tone"),
    )


class HeroBlock(blocks.StructBlock):
    """The carousel and its two side tiles, at the top of the home page."""

    carousel = blocks.IntegerBlock(
        min_value=1,
        max_value=LAST_CAROUSEL,
        default=HOME_CAROUSEL,
        label=_("carousel"),
        help_text=_("Its slides are written under “Shop windows”; without one the tiles stand alone."),
    )
    tiles = blocks.ListBlock(
        TileBlock(),
        min_num=2,
        max_num=2,
        label=_("side tiles"),
        help_text=_("They stand beside the carousel, on a phone below it."),
    )

    def get_context(self, value: Any, parent_context: dict[str, Any] | None = None) -> dict[str, Any]:
        """Add the slides; load the renditions of all pictures with one query."""
        tiles = [tile["picture"] for tile in value["tiles"]]
        prefetch_related_objects(list(filter(None, tiles)), "renditions")
        context: dict[str, Any] = super().get_context(value, parent_context)
        return context | {"slides": slides_of(value["carousel"])}

    class Meta:
        template = "content/blocks/hero.html"
        label = _("Carousel with side tiles")
        description = _("At the top of the home page: slides to leaf through, and two small advertisements.")
        icon = "image"


class CategoryRailBlock(blocks.StructBlock):
    """All top categories as round pictures."""

    heading = blocks.CharBlock(max_length=60, label=_("heading"))

    class Meta:
        template = "content/blocks/category_rail.html"
        label = _("Category rail")
        description = _("All top categories as round pictures; they follow the catalogue.")
        icon = "list-ul"

    def get_context(self, value: Any, parent_context: dict[str, Any] | None = None) -> dict[str, Any]:
        context: dict[str, Any] = super().get_context(value, parent_context)
        return context | {"categories": top_categories()}


class SpecialAreasBlock(blocks.StructBlock):
    """The special areas of the home page, as tiles of several sizes."""

    heading = blocks.CharBlock(max_length=60, label=_("heading"))

    class Meta:
        template = "content/blocks/special_areas.html"
        label = _("Special areas")
        description = _("The areas marked “on the home page” under “Shop windows”, as tiles.")
        icon = "grip"

    def get_context(self, value: Any, parent_context: dict[str, Any] | None = None) -> dict[str, Any]:
        context: dict[str, Any] = super().get_context(value, parent_context)
        return context | {"areas": home_areas()}


class PickedGoodsBlock(blocks.StructBlock):
    """Products that an editor picked, in that order."""

    heading = blocks.CharBlock(max_length=60, label=_("heading"))
    goods = blocks.ListBlock(GoodsChooserBlock(), min_num=1, max_num=24, label=_("products"))

    class Meta:
        template = "content/blocks/picked_products.html"
        label = _("Picked products")
        description = _("Products of your choice, in your order; those not on sale are left out.")
        icon = "pick"

    def get_context(self, value: Any, parent_context: dict[str, Any] | None = None) -> dict[str, Any]:
        context: dict[str, Any] = super().get_context(value, parent_context)
        ids = [product.pk for product in value["goods"] if product]
        return context | {"cards": picked(ids, context["rate"])}


class CategoryShowcaseBlock(blocks.StructBlock):
    """One block for each top category: its subcategories and its best sellers."""

    goods_each = blocks.IntegerBlock(
        min_value=1, max_value=10, default=SHOWCASE_PRODUCTS, label=_("products in each")
    )

    class Meta:
        template = "content/blocks/category_showcase.html"
        label = _("Category showcase")
        description = _("A part for each top category: its subcategories and its best sellers.")
        icon = "grip"

    def get_context(self, value: Any, parent_context: dict[str, Any] | None = None) -> dict[str, Any]:
        context: dict[str, Any] = super().get_context(value, parent_context)
        # A draft may lack the number.
        count = value["goods_each"] or SHOWCASE_PRODUCTS
        return context | {"showcases": best_of_categories(count, context["rate"])}


class PromiseBlock(blocks.StructBlock):
    """One thing the shop promises."""

    symbol = blocks.ChoiceBlock(
        choices=[
            ("truck", _("truck")),
            ("store", _("shop")),
            ("credit-card", _("card")),
            ("message-circle", _("speech bubble")),
        ],
        label=_("symbol"),
    )
    title = blocks.CharBlock(max_length=40, label=_("title"))
    text = blocks.CharBlock(max_length=60, label=_("text"))


class PromisesBlock(blocks.StructBlock):
    """The shop's service promises in a row."""

    promises = blocks.ListBlock(PromiseBlock(), min_num=1, max_num=4, label=_("promises"))

    class Meta:
        template = "content/blocks/promises.html"
        label = _("Service promises")
        description = _("Up to four short promises with a symbol, in a row.")
        icon = "success"


class PromotionBlock(blocks.StaticBlock):
    """The running promotion that ends first, with its products; empty while none runs."""

    class Meta:
        template = "content/blocks/promotion.html"
        label = _("Running promotion")
        admin_text = description = _("The promotion that ends first; nothing while none runs.")
        icon = "time"

    def get_context(self, value: Any, parent_context: dict[str, Any] | None = None) -> dict[str, Any]:
        context: dict[str, Any] = super().get_context(value, parent_context)
        return context | {"bands": bands(running()[:1], context["rate"]), "other_lang": other_html_language()}


class PopularBrandsBlock(blocks.StructBlock):
    """The most popular brands, with their logos where there are any."""

    heading = blocks.CharBlock(max_length=60, label=_("heading"))
    count = blocks.IntegerBlock(min_value=2, max_value=24, default=POPULAR, label=_("brands at most"))

    class Meta:
        template = "content/blocks/popular_brands.html"
        label = _("Popular brands")
        description = _("Those that sell best, pinned ones first; they follow the sales by themselves.")
        icon = "pick"

    def get_context(self, value: Any, parent_context: dict[str, Any] | None = None) -> dict[str, Any]:
        """Add the brands; three queries for any number."""
        context: dict[str, Any] = super().get_context(value, parent_context)
        # A draft may lack the number.
        brands = popular(all_brands(), value["count"] or POPULAR)
        return context | {"brands": [BrandTile(brand) for brand in brands]}


class HomeBody(blocks.StreamBlock):
    """The blocks that an editor may put on the home page."""

    hero = HeroBlock()
    category_rail = CategoryRailBlock()
    promotion = PromotionBlock()
    special_areas = SpecialAreasBlock()
    picked_goods = PickedGoodsBlock()
    category_showcase = CategoryShowcaseBlock()
    popular_brands = PopularBrandsBlock()
    promises = PromisesBlock()
    text = TextBlock(
        features=["h2", "h3", "bold", "italic", "link", "ol", "ul", "hr"],
        template="content/blocks/home_text.html",
        label=_("Text"),
        description=_("Headings, paragraphs, lists and links, as wide as reads well."),
        icon="pilcrow",
    )
