"""The back office's screens for products, brands, categories and product groups."""

from collections.abc import Sequence
from functools import reduce
from operator import or_
from typing import Any

from django.db.models import Q, QuerySet
from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django_filters import ChoiceFilter
from wagtail import hooks
from wagtail.admin import messages
from wagtail.admin.filters import WagtailFilterSet
from wagtail.admin.panels import FieldPanel, FieldRowPanel, ObjectList
from wagtail.admin.views.generic import IndexView
from wagtail.admin.viewsets.base import ViewSet
from wagtail.admin.viewsets.model import ModelViewSet

from catalog.goods.models import Brand, Category, Product, ProductGroup, ProductTag
from catalog.goods.productform import NAMES, PRODUCT_PANELS
from catalog.goods.writing import delete_rows, save_brand, save_category
from catalog.rates.backoffice import ExchangeRateViewSet
from catalog.search.backoffice import MAX_SOUNDING, FindsByPinyin, NamesIndexView
from catalog.search.suggesting import suggest
from core.backoffice import ProtectedDeleteView, ProtectedEditView, ProtectedForm
from core.menu_groups import CATALOGUE

# Texts that a product's form does not require in both languages.
TEXTS_THAT_MAY_LACK = ("description", "ingredients", "variant", "directions", "warnings")


class CatalogueDeleteView(ProtectedDeleteView):
    """The page that deletes a product, brand or category."""

    delete_rows = staticmethod(delete_rows)


class BrandForm(ProtectedForm):
    """The form of a brand."""

    write = staticmethod(save_brand)


class CategoryForm(ProtectedForm):
    """The form of a category of either level."""

    write = staticmethod(save_category)


class ProductIndexView(FindsByPinyin, IndexView):
    """The list of products, without a query for each category and brand."""

    def get_base_queryset(self) -> QuerySet[Product]:
        """Return all products with their categories and brands."""
        return Product.objects.select_related("category", "brand")

    def sounding_like(self, word: str, _rows: QuerySet[Product]) -> Sequence[int]:
        """Return the ids of the products that the shop suggests for a word."""
        return suggest(word, MAX_SOUNDING).products


class ProductFilterSet(WagtailFilterSet):
    """The filters of the product list, including one for products without a text in one language."""

    lacking = ChoiceFilter(
        label=_("Lacks a text in"),
        choices=[("en", _("English")), ("zh", _("Chinese"))],
        method="lacking_text",
    )

    class Meta:
        model = Product
        fields = ("on_sale", "storage", "is_advance", "is_self", "category", "brand")

    def lacking_text(self, rows: QuerySet[Product], _name: str, language: str) -> QuerySet[Product]:
        """Return the products that lack a text in this language and have it in the other one."""
        other = "zh" if language == "en" else "en"
        lacking = (
            Q(**{f"{text}_{language}": ""}) & ~Q(**{f"{text}_{other}": ""}) for text in TEXTS_THAT_MAY_LACK
        )
        return rows.filter(reduce(or_, lacking))


class ProductEditView(ProtectedEditView):
    """The form of a product."""

    def get_success_buttons(self) -> list[Any]:
        """Add a link to the product's page in the shop, in the language of the back office."""
        buttons: list[Any] = super().get_success_buttons()
        if self.object.on_sale:
            there = reverse("goods", args=[self.object.pk])
            buttons.append(messages.button(there, gettext("See it in the shop"), new_window=True))
        return buttons


class ProductViewSet(ModelViewSet):
    """The screens for products; stock cannot be changed here."""

    model = Product
    icon = "tag"
    menu_hook = CATALOGUE
    menu_order = 100
    copy_view_enabled = False
    index_view_class = ProductIndexView
    list_display = ("name_en", "name_zh", "sku", "brand", "category", "price", "on_sale")
    filterset_class = ProductFilterSet
    search_fields = ("name_en", "name_zh", "sku", "gtin", "brand__name_en", "brand__name_zh")
    # Products are not in Wagtail's search index.
    search_backend_name = None
    edit_view_class = ProductEditView
    delete_view_class = CatalogueDeleteView
    edit_handler = PRODUCT_PANELS


class BrandViewSet(ModelViewSet):
    """The screens for brands."""

    model = Brand
    icon = "pick"
    menu_hook = CATALOGUE
    menu_order = 130
    copy_view_enabled = False
    index_view_class = NamesIndexView
    list_display = ("name_en", "name_zh", "origin", "is_house")
    list_filter = ("is_house", "origin")
    search_fields = ("name_en", "name_zh")
    search_backend_name = None
    edit_view_class = ProtectedEditView
    delete_view_class = CatalogueDeleteView
    edit_handler = ObjectList(
        [
            NAMES,
            FieldPanel("picture"),
            FieldRowPanel([FieldPanel("origin"), FieldPanel("is_house")]),
            FieldPanel("popular_place"),
        ],
        base_form_class=BrandForm,
    )


class CategoryIndexView(NamesIndexView):
    """The list of categories, without a query for each parent."""

    def get_base_queryset(self) -> QuerySet[Category]:
        """Return all categories with their parents."""
        return Category.objects.select_related("parent")


class CategoryViewSet(ModelViewSet):
    """The screens for categories of both levels."""

    model = Category
    icon = "folder-open-inverse"
    menu_hook = CATALOGUE
    menu_order = 140
    copy_view_enabled = False
    index_view_class = CategoryIndexView
    list_display = ("name_en", "name_zh", "parent", "sort", "unit_rule")
    search_fields = ("name_en", "name_zh")
    search_backend_name = None
    edit_view_class = ProtectedEditView
    delete_view_class = CatalogueDeleteView
    edit_handler = ObjectList(
        [
            NAMES,
            FieldPanel("parent"),
            FieldPanel("picture"),
            FieldRowPanel([FieldPanel("tint"), FieldPanel("sort")]),
            FieldPanel("unit_rule"),
        ],
        base_form_class=CategoryForm,
    )


class ProductGroupViewSet(ModelViewSet):
    """The screens for product groups."""

    model = ProductGroup
    icon = "list-ul"
    menu_hook = CATALOGUE
    menu_order = 150
    copy_view_enabled = False
    index_view_class = NamesIndexView
    list_display = ("code", "name_en", "name_zh")
    search_fields = ("code", "name_en", "name_zh")
    search_backend_name = None
    edit_view_class = ProtectedEditView
    edit_handler = ObjectList([FieldPanel("code"), NAMES], base_form_class=ProtectedForm)


class ProductTagViewSet(ModelViewSet):
    """The screens for tags."""

    model = ProductTag
    icon = "thumbtack"
    menu_hook = CATALOGUE
    menu_order = 160
    copy_view_enabled = False
    list_display = ("name",)
    search_fields = ("name",)
    search_backend_name = None
    edit_view_class = ProtectedEditView
    edit_handler = ObjectList([FieldPanel("name")], base_form_class=ProtectedForm)


@hooks.register("register_admin_viewset")
def catalogue_viewsets() -> tuple[ViewSet, ...]:
    """Register the screens for the catalogue and the exchange rate."""
    return (
        ProductViewSet("goods"),
        BrandViewSet("brands"),
        CategoryViewSet("categories"),
        ProductGroupViewSet("spec_groups"),
        ProductTagViewSet("goods_tags"),
        ExchangeRateViewSet("exchange_rates"),
    )
