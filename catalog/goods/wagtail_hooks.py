"""The catalogue in the back office: goods, brands, categories and spec groups."""

from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _
from wagtail import hooks
from wagtail.admin.panels import FieldPanel, FieldRowPanel
from wagtail.admin.views.generic import IndexView
from wagtail.admin.viewsets.base import ViewSetGroup
from wagtail.admin.viewsets.model import ModelViewSet

from catalog.goods.models import Brand, Category, GoodsTag, Product, ProductGroup
from catalog.goods.productform import NAMES, PRODUCT_PANELS
from catalog.goods.rates.backoffice import ExchangeRateViewSet


class ProductIndexView(IndexView):
    """The list, without a query for each category and brand."""

    def get_base_queryset(self) -> QuerySet[Product]:
        """Return all goods with what the list shows of them."""
        return Product.objects.select_related("category", "brand")


class ProductViewSet(ModelViewSet):
    """Goods: names, price, how they are kept and sold. Their stock is not set here."""

    model = Product
    icon = "tag"
    copy_view_enabled = False
    index_view_class = ProductIndexView
    list_display = ("name_en", "name_zh", "sku", "brand", "category", "price", "on_sale")
    list_filter = ("on_sale", "storage", "is_advance", "is_self", "category", "brand")
    search_fields = ("name_en", "name_zh", "sku", "brand__name_en", "brand__name_zh")
    # Goods are not in Wagtail's index.
    search_backend_name = None
    edit_handler = PRODUCT_PANELS


class BrandViewSet(ModelViewSet):
    """Brands."""

    model = Brand
    icon = "pick"
    copy_view_enabled = False
    list_display = ("name_en", "name_zh", "origin", "is_house")
    list_filter = ("is_house", "origin")
    search_fields = ("name_en", "name_zh")
    search_backend_name = None
    panels = (
        NAMES,
        FieldPanel("picture"),
        FieldRowPanel([FieldPanel("origin"), FieldPanel("is_house")]),
    )


class CategoryIndexView(IndexView):
    """The list, without a query for each category above."""

    def get_base_queryset(self) -> QuerySet[Category]:
        """Return all categories with those above them."""
        return Category.objects.select_related("parent")


class CategoryViewSet(ModelViewSet):
    """Categories of both levels."""

    model = Category
    icon = "folder-open-inverse"
    copy_view_enabled = False
    index_view_class = CategoryIndexView
    list_display = ("name_en", "name_zh", "parent", "sort", "unit_rule")
    search_fields = ("name_en", "name_zh")
    search_backend_name = None
    panels = (
        NAMES,
        FieldPanel("parent"),
        FieldPanel("picture"),
        FieldRowPanel([FieldPanel("tint"), FieldPanel("sort")]),
        FieldPanel("unit_rule"),
    )


class ProductGroupViewSet(ModelViewSet):
    """What the variants of a good differ in."""

    model = ProductGroup
    icon = "list-ul"
    copy_view_enabled = False
    list_display = ("code", "name_en", "name_zh")
    panels = (FieldPanel("code"), NAMES)


class GoodsTagViewSet(ModelViewSet):
    """The words that special areas gather goods by."""

    model = GoodsTag
    icon = "tag"
    copy_view_enabled = False
    list_display = ("name",)
    search_fields = ("name",)
    search_backend_name = None
    panels = (FieldPanel("name"),)


class CatalogueViewSetGroup(ViewSetGroup):
    """The menu entry."""

    menu_label = _("Catalogue")
    menu_icon = "tag"
    menu_order = 120
    items: Any = (
        ProductViewSet("goods"),
        BrandViewSet("brands"),
        CategoryViewSet("categories"),
        ProductGroupViewSet("spec_groups"),
        GoodsTagViewSet("goods_tags"),
        ExchangeRateViewSet("exchange_rates"),
    )


@hooks.register("register_admin_viewset")
def catalogue_viewsets() -> CatalogueViewSetGroup:
    """Put goods, brands, categories, spec groups and the exchange rate into the menu."""
    return CatalogueViewSetGroup()
