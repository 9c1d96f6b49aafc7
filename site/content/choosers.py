"""Choosers of products, brands, categories and promotions that use the shop's own search."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.db.models import Case, QuerySet, When
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _
from wagtail.admin.forms.choosers import BaseFilterForm
from wagtail.admin.ui.tables import Column, DateColumn
from wagtail.admin.views.generic.chooser import ChooseResultsView, ChooseView, ChosenMultipleView
from wagtail.admin.viewsets.chooser import ChooserViewSet

from catalog.browse.listing import Filters, listing
from catalog.goods.models import Brand, Category, Product
from catalog.promotions.models import Promotion
from catalog.search.naming import is_named
from content.matching import FOUND, suggested, with_names

OTHER_NAME = Column("other_name", label=_("Name in the other language"), accessor="other_name")


class FindForm(BaseFilterForm):
    """Filters a chooser by the shop's own search, most relevant first."""

    q = forms.CharField(label=_("Search"), required=False, help_text=_("In English, Chinese or pinyin."))

    def found(self, word: str) -> Sequence[int]:
        """Return the ids of the rows that match a word, in order."""
        raise NotImplementedError

    def filter(self, objects: QuerySet[Any]) -> QuerySet[Any]:
        """Return the rows that match the word; all rows without a word."""
        word = self.cleaned_data["q"].strip()
        self.is_searching, self.search_query = bool(word), word
        if not word:
            return objects
        ids = self.found(word)
        places = Case(*(When(pk=pk, then=place) for place, pk in enumerate(ids)), default=len(ids))
        return objects.filter(pk__in=ids).order_by(places)


class FindGoods(FindForm):
    """Finds products as the shop lists them."""

    def found(self, word: str) -> Sequence[int]:
        """Return the ids of the products that the shop lists for a word."""
        return listing(Filters(word=word)).ids(0, FOUND)


class FindBrands(FindForm):
    """Finds brands as the shop suggests them."""

    def found(self, word: str) -> Sequence[int]:
        """Return the ids of the brands that the shop suggests for a word."""
        return with_names(Brand, word, suggested(word).brands)


class FindCategories(FindForm):
    """Finds categories as the shop suggests them."""

    def found(self, word: str) -> Sequence[int]:
        """Return the ids of the categories that the shop suggests for a word."""
        return with_names(Category, word, suggested(word).categories)


class FindPromotions(FindForm):
    """Finds promotions by their names."""

    def found(self, word: str) -> Sequence[int]:
        """Return the ids of the promotions with a word in one of their names."""
        rows = Promotion.objects.values_list("pk", "name_en", "name_zh")
        return [pk for pk, *names in rows if is_named(word, *names)]


class TwoNamesView:
    """The columns of a chooser."""

    more_columns: Sequence[Column] = ()
    title_column: Column

    @property
    def columns(self) -> list[Column]:
        """Both names, and columns that distinguish rows with the same name."""
        return [self.title_column, OTHER_NAME, *self.more_columns]


class ChooseByName(TwoNamesView, ChooseView):
    """The chooser's dialog."""


class ChooseByNameResults(TwoNamesView, ChooseResultsView):
    """The chooser's list after a search."""


class ChosenInOrder(ChosenMultipleView):
    """The rows that were chosen together."""

    def get_objects(self, pks: list[str]) -> list[Any]:
        """Return the rows in the order in which they were ticked."""
        return sorted(super().get_objects(pks), key=lambda row: pks.index(str(row.pk)))


class ByNameViewSet(ChooserViewSet):
    """A chooser of rows with two names."""

    find_form: type[FindForm]
    more_columns: Sequence[Column] = ()
    choose_view_class = ChooseByName
    choose_results_view_class = ChooseByNameResults
    chosen_multiple_view_class = ChosenInOrder

    def get_common_view_kwargs(self, **kw: Any) -> dict[str, Any]:
        """Pass the search form and the columns to the views."""
        options = {"filter_form_class": self.find_form, "more_columns": self.more_columns}
        common: dict[str, Any] = super().get_common_view_kwargs(**options, **kw)
        return common


class GoodsChooserViewSet(ByNameViewSet):
    """The chooser of products, for blocks of a page and for forms."""

    model = Product
    icon = "tag"
    choose_one_text = _("Choose a product")
    choose_another_text = _("Choose another product")
    find_form = FindGoods
    more_columns = (
        Column("sku", label="SKU", accessor="sku"),
        Column("price", label=capfirst(_("price, AUD with GST")), accessor="price"),
    )


class BrandChooserViewSet(ByNameViewSet):
    """The chooser of brands."""

    model = Brand
    icon = "pick"
    choose_one_text = _("Choose a brand")
    choose_another_text = _("Choose another brand")
    register_widget = False
    find_form = FindBrands


class CategoryChooserViewSet(ByNameViewSet):
    """The chooser of categories of both levels."""

    model = Category
    icon = "folder-open-inverse"
    choose_one_text = _("Choose a category")
    choose_another_text = _("Choose another category")
    register_widget = False
    find_form = FindCategories
    more_columns = (Column("parent", label=capfirst(_("category above")), accessor="parent"),)

    def get_object_list(self) -> QuerySet[Category]:
        """Return all categories with their parents."""
        return Category.objects.select_related("parent")


class PromotionChooserViewSet(ByNameViewSet):
    """The chooser of promotions, past and future ones too."""

    model = Promotion
    icon = "time"
    choose_one_text = _("Choose a promotion")
    choose_another_text = _("Choose another promotion")
    register_widget = False
    find_form = FindPromotions
    more_columns = (
        DateColumn("starts_at", label=capfirst(_("starts")), accessor="starts_at"),
        DateColumn("ends_at", label=capfirst(_("ends")), accessor="ends_at"),
    )


goods_chooser_viewset = GoodsChooserViewSet("goods_chooser")
brand_chooser_viewset = BrandChooserViewSet("brand_chooser")
category_chooser_viewset = CategoryChooserViewSet("category_chooser")
promotion_chooser_viewset = PromotionChooserViewSet("promotion_chooser")
CHOOSERS = (
    goods_chooser_viewset,
    brand_chooser_viewset,
    category_chooser_viewset,
    promotion_chooser_viewset,
)
GoodsChooserBlock = goods_chooser_viewset.get_block_class(
    name="GoodsChooserBlock", module_path="content.choosers"
)
