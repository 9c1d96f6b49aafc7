"""The blocks of the home page. Each language has its own texts; products come from the catalogue."""

from decimal import Decimal
from typing import Any, NamedTuple

from django.db.models import prefetch_related_objects
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _
from wagtail import blocks

from catalog.browse.brands import POPULAR, BrandLogo, BrandTile, all_brands, popular
from catalog.browse.page_cards import PageCards
from catalog.browse.promotion_bands import banded, bands, ids_of
from catalog.browse.showcases import MAX_BEST, CategoryParts, CategoryShowcase, best_seller_ids
from catalog.promotions.models import Promotion
from content.carousels import CAROUSEL, HOME_CAROUSEL, CarouselBlock
from content.choosers import GoodsChooserBlock
from content.models.areas import AreaTile
from content.models.slides import DisplayedSlide
from content.picture_blocks import PictureBlock
from content.richtext import TextBlock
from content.shoplinks import ShopPathBlock
from content.streams import Body
from content.swatches import TILE_TONES, Swatches
from content.windows import home_areas, slides_of
from core.languages import other_html_language
from core.pages.blocks import block
from core.pictures.renditions import PictureFiles, picture_files

# The number of products for each category of a showcase, unless an editor chooses another.
SHOWCASE_PRODUCTS = 5


class FactsBlock(blocks.StructBlock):
    """A block that shows plain facts only, and is rendered again only if one of them changes.

    See `core.pages.blocks`.
    """

    def facts(self, value: Any) -> Any:
        """Return what the block's template shows: a named tuple of plain values."""
        raise NotImplementedError

    def render(self, value: Any, context: Any = None) -> SafeString:
        """Render the facts, or return their cached rendering."""
        facts = self.facts(value)
        return block(self.meta.template, facts._asdict(), shows=facts)


class LinkBlock(blocks.StructBlock):
    """A link of a slide or tile."""

    label = blocks.CharBlock(max_length=40, label=_("label"))
    path = ShopPathBlock(label=_("path"))


class TileBlock(blocks.StructBlock):
    """A small advertisement next to the carousel."""

    title = blocks.CharBlock(max_length=40, label=_("title"))
    text = blocks.CharBlock(max_length=90, required=False, label=_("text"))
    link = LinkBlock(label=_("link"))
    picture = PictureBlock(label=_("picture"))
    tone = blocks.ChoiceBlock(
        choices=[("mint", _("mint")), ("peach", _("peach")), ("sky", _("sky"))],
        default="mint",
        label=_("colour"),
        widget=Swatches(colours=TILE_TONES),
    )


class HeroTile(NamedTuple):
    """A side tile as a page shows it; `path` is without the language."""

    title: str
    text: str
    path: str
    label: str
    tone: str
    picture: PictureFiles | None
    alt: str


class Hero(NamedTuple):
    """The facts of the carousel and its side tiles."""

    slides: tuple[DisplayedSlide, ...]
    tiles: tuple[HeroTile, ...]


class HeroBlock(FactsBlock):
    """The carousel and its two side tiles, at the top of the home page."""

    carousel = CarouselBlock(
        default=HOME_CAROUSEL,
        label=CAROUSEL,
        help_text=_("Its slides are written under “Shop windows”; without one there are only tiles."),
    )
    tiles = blocks.ListBlock(
        TileBlock(),
        min_num=2,
        max_num=2,
        label=_("side tiles"),
        help_text=_("They appear next to the carousel, on a phone below it."),
    )

    def facts(self, value: Any) -> Hero:
        """Return slides and tiles; one query for the renditions of the tiles, and those of `slides_of`."""
        pictures = [tile["picture"] for tile in value["tiles"]]
        prefetch_related_objects(list(filter(None, pictures)), "renditions")
        slides = tuple(slide.displayed() for slide in slides_of(value["carousel"]))
        return Hero(slides, tuple(map(_hero_tile, value["tiles"])))

    class Meta:
        template = "content/blocks/hero.html"
        label = _("Carousel with side tiles")
        description = _("At the top of the home page: slides to leaf through, and two small advertisements.")
        icon = "image"


def _hero_tile(value: Any) -> HeroTile:
    link, picture = value["link"], value["picture"]
    alt = picture.contextual_alt_text if picture else ""
    return HeroTile(
        value["title"], value["text"], link["path"], link["label"], value["tone"], picture_files(picture), alt
    )


class CategoryRailBlock(blocks.StructBlock):
    """All top categories as round pictures."""

    heading = blocks.CharBlock(max_length=60, label=_("heading"))

    class Meta:
        template = "content/blocks/category_rail.html"
        label = _("Category rail")
        description = _("All top categories as round pictures; they follow the catalogue.")
        icon = "list-ul"

    def render(self, value: Any, context: Any = None) -> SafeString:
        """Render the tiles, or return their cached rendering."""
        tiles = context["catalogue"].tiles
        facts = {"heading": value["heading"], "categories": tiles}
        shows = value["heading"], tuple([tile.shows for tile in tiles])
        return block(self.meta.template, facts, shows=shows)


class AreaTiles(NamedTuple):
    """The facts of the home page's special areas."""

    heading: str
    areas: tuple[AreaTile, ...]


class SpecialAreasBlock(FactsBlock):
    """The special areas of the home page, as tiles of several sizes."""

    heading = blocks.CharBlock(max_length=60, label=_("heading"))

    class Meta:
        template = "content/blocks/special_areas.html"
        label = _("Special areas")
        description = _("The areas marked “on the home page” under “Shop windows”, as tiles.")
        icon = "grip"

    def facts(self, value: Any) -> AreaTiles:
        """Return the tiles; queries as `home_areas`."""
        return AreaTiles(value["heading"], tuple(area.tile() for area in home_areas()))


class PickedGoodsBlock(blocks.StructBlock):
    """Products that an editor has picked, in that order."""

    heading = blocks.CharBlock(max_length=60, label=_("heading"))
    goods = blocks.ListBlock(GoodsChooserBlock(), min_num=1, max_num=24, label=_("products"))

    class Meta:
        template = "content/blocks/picked_products.html"
        label = _("Picked products")
        description = _("Products of your choice, in your order; those not on sale are left out.")
        icon = "pick"

    def get_context(self, value: Any, parent_context: dict[str, Any] | None = None) -> dict[str, Any]:
        context: dict[str, Any] = super().get_context(value, parent_context)
        return context | {"cards": context["catalogue"].cards.of(picked_ids(value))}


def picked_ids(value: Any) -> list[int]:
    """Return the ids of picked products, each once; deleted ones are left out."""
    return list(dict.fromkeys(product.pk for product in value["goods"] if product))


class CategoryShowcaseBlock(blocks.StructBlock):
    """For each top category, its subcategories and best sellers."""

    goods_each = blocks.IntegerBlock(
        min_value=1, max_value=MAX_BEST, default=SHOWCASE_PRODUCTS, label=_("products in each")
    )

    class Meta:
        template = "content/blocks/category_showcase.html"
        label = _("Category showcase")
        description = _("A part for each top category: its subcategories and its best sellers.")
        icon = "grip"

    def render(self, value: Any, context: Any = None) -> SafeString:
        """Render each showcase, or return its cached rendering."""
        showcases = context["catalogue"].showcases(showcase_count(value))
        return SafeString(
            "".join(
                block(self.meta.template, {"showcase": showcase}, shows=showcase.shows)
                for showcase in showcases
            )
        )


def showcase_count(value: Any) -> int:
    """Return the number of products for each category of a showcase; a draft may lack it."""
    return value["goods_each"] or SHOWCASE_PRODUCTS


class PromiseBlock(blocks.StructBlock):
    """One service promise of the shop."""

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


class Promise(NamedTuple):
    """A promise as a page shows it."""

    symbol: str
    title: str
    text: str


class Promises(NamedTuple):
    """The facts of the service promises."""

    promises: tuple[Promise, ...]


class PromisesBlock(FactsBlock):
    """The shop's service promises in a row."""

    promises = blocks.ListBlock(PromiseBlock(), min_num=1, max_num=4, label=_("promises"))

    class Meta:
        template = "content/blocks/promises.html"
        label = _("Service promises")
        description = _("Up to four short promises in a row, each with a symbol.")
        icon = "success"

    def facts(self, value: Any) -> Promises:
        """Return the promises."""
        return Promises(tuple(Promise(**promise) for promise in value["promises"]))


class PromotionBlock(blocks.StaticBlock):
    """The running promotion that ends first, with its products; empty while none runs."""

    class Meta:
        template = "content/blocks/promotion.html"
        label = _("Running promotion")
        admin_text = description = _("The promotion that ends first; nothing while none runs.")
        icon = "time"

    def get_context(self, value: Any, parent_context: dict[str, Any] | None = None) -> dict[str, Any]:
        context: dict[str, Any] = super().get_context(value, parent_context)
        return context | {"bands": context["catalogue"].bands, "other_lang": other_html_language()}


class BrandLogos(NamedTuple):
    """The facts of the popular brands."""

    heading: str
    brands: tuple[BrandLogo, ...]


class PopularBrandsBlock(FactsBlock):
    """The most popular brands, with their logos if they have one."""

    heading = blocks.CharBlock(max_length=60, label=_("heading"))
    count = blocks.IntegerBlock(min_value=2, max_value=24, default=POPULAR, label=_("brands at most"))

    class Meta:
        template = "content/blocks/popular_brands.html"
        label = _("Popular brands")
        description = _("Those that sell best, pinned ones first; they follow the sales automatically.")
        icon = "pick"

    def facts(self, value: Any) -> BrandLogos:
        """Return the brands; queries as `all_brands` and `popular`."""
        # A draft may lack the number.
        brands = popular(all_brands(), value["count"] or POPULAR)
        return BrandLogos(value["heading"], tuple(BrandTile(brand).logo for brand in brands))


class HomeBody(Body):
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


class HomeCatalogue:
    """The catalogue data of all blocks of a home page, read together: one query for their products."""

    def __init__(self, body: Any, rate: Decimal) -> None:
        """Read the data for the blocks of a body; `rate`: CNY per AUD."""
        values: dict[type[blocks.Block], list[Any]] = {}
        for part in body:
            values.setdefault(type(part.block), []).append(part.value)
        ids = [pk for value in values.get(PickedGoodsBlock, ()) for pk in picked_ids(value)]
        counts = set(map(showcase_count, values.get(CategoryShowcaseBlock, ())))
        self._best = {count: best_seller_ids(count) for count in counts}
        first = banded(Promotion.objects.running()[:1]) if PromotionBlock in values else []
        self._categories = CategoryParts()
        ids += [pk for best in self._best.values() for pk in self._categories.all_ids(best)]
        self.cards = PageCards([*ids, *ids_of(first)], rate, picture_ids=self._categories.picture_ids)
        self.bands = bands(first, self.cards)
        self.tiles = self._categories.tiles(self.cards.pictures)

    def showcases(self, count: int) -> list[CategoryShowcase]:
        """Return the showcases with `count` products of each category."""
        return self._categories.showcases(self._best[count], self.cards)
