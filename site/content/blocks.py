"""The blocks of the home page. Texts are written in each language's tree; goods follow the catalogue."""

from typing import Any

from django.db.models import prefetch_related_objects
from django.utils.translation import gettext_lazy as _
from wagtail import blocks
from wagtail.images.blocks import ImageChooserBlock

from catalog.browse.shelves import best_of_categories, picked, top_categories
from content.choosers import GoodsChooserBlock


class LinkBlock(blocks.StructBlock):
    """Where a slide or a tile leads."""

    label = blocks.CharBlock(max_length=40, label=_("label"))
    path = blocks.RegexBlock(
        r"^/(?!/)[^\s]*$",
        max_length=200,
        label=_("path"),
        help_text=_("A path of this shop without the language, like /shop?firstCategoryId=6"),
    )


class SlideBlock(blocks.StructBlock):
    """One picture of the carousel at the top."""

    title = blocks.CharBlock(max_length=60, label=_("title"))
    text = blocks.CharBlock(max_length=140, required=False, label=_("text"))
    link = LinkBlock(label=_("link"))
    pictures = blocks.ListBlock(
        ImageChooserBlock(),
        min_num=1,
        max_num=5,
        label=_("pictures"),
        help_text=_("The first one is the dish."),
    )
    tone = blocks.ChoiceBlock(
        choices=[("cobalt", _("cobalt")), ("jade", _("jade")), ("plum", _("plum"))],
        default="cobalt",
        label=_("tone"),
    )


class TileBlock(blocks.StructBlock):
    """A small advertisement beside the carousel."""

    title = blocks.CharBlock(max_length=40, label=_("title"))
    text = blocks.CharBlock(max_length=90, required=False, label=_("text"))
    link = LinkBlock(label=_("link"))
    picture = ImageChooserBlock(label=_("picture"))
    tone = blocks.ChoiceBlock(
        choices=[("mint", _("mint")), ("peach", _("peach")), ("sky", _("sky"))],
        default="mint",
        label=_("tone"),
    )


class HeroBlock(blocks.StructBlock):
    """The carousel and its two side tiles, at the top of the home page."""

    slides = blocks.ListBlock(SlideBlock(), min_num=1, max_num=6, label=_("slides"))
    tiles = blocks.ListBlock(TileBlock(), min_num=2, max_num=2, label=_("side tiles"))

    def get_context(self, value: Any, parent_context: dict[str, Any] | None = None) -> dict[str, Any]:
        """Fetch what every picture needs at once."""
        pictures = [picture for slide in value["slides"] for picture in slide["pictures"]]
        pictures += [tile["picture"] for tile in value["tiles"]]
        prefetch_related_objects(list(filter(None, pictures)), "renditions")
        context: dict[str, Any] = super().get_context(value, parent_context)
        return context

    class Meta:
        template = "content/blocks/hero.html"
        label = _("Carousel with side tiles")
        icon = "image"


class CategoryRailBlock(blocks.StructBlock):
    """All top categories as round pictures."""

    heading = blocks.CharBlock(max_length=60, label=_("heading"))

    class Meta:
        template = "content/blocks/category_rail.html"
        label = _("Category rail")
        icon = "list-ul"

    def get_context(self, value: Any, parent_context: dict[str, Any] | None = None) -> dict[str, Any]:
        context: dict[str, Any] = super().get_context(value, parent_context)
        return context | {"categories": top_categories()}


class PickedGoodsBlock(blocks.StructBlock):
    """Goods an editor picked, in that order."""

    heading = blocks.CharBlock(max_length=60, label=_("heading"))
    goods = blocks.ListBlock(GoodsChooserBlock(), min_num=1, max_num=24, label=_("goods"))

    class Meta:
        template = "content/blocks/picked_goods.html"
        label = _("Picked goods")
        icon = "pick"

    def get_context(self, value: Any, parent_context: dict[str, Any] | None = None) -> dict[str, Any]:
        context: dict[str, Any] = super().get_context(value, parent_context)
        ids = [product.pk for product in value["goods"] if product]
        return context | {"cards": picked(ids, context["rate"])}


class CategoryShowcaseBlock(blocks.StructBlock):
    """One block for each top category: its subcategories and its best sellers."""

    goods_each = blocks.IntegerBlock(min_value=1, max_value=10, default=5, label=_("goods in each"))

    class Meta:
        template = "content/blocks/category_showcase.html"
        label = _("Category showcase")
        icon = "grip"

    def get_context(self, value: Any, parent_context: dict[str, Any] | None = None) -> dict[str, Any]:
        context: dict[str, Any] = super().get_context(value, parent_context)
        return context | {"shelves": best_of_categories(value["goods_each"], context["rate"])}


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
        icon = "success"


class HomeBody(blocks.StreamBlock):
    """What an editor may put on the home page."""

    hero = HeroBlock()
    category_rail = CategoryRailBlock()
    picked_goods = PickedGoodsBlock()
    category_showcase = CategoryShowcaseBlock()
    promises = PromisesBlock()
