"""How an editor picks goods: a window that searches names and SKUs."""

from django import forms
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _
from wagtail.admin.forms.choosers import BaseFilterForm
from wagtail.admin.ui.tables import Column
from wagtail.admin.views.generic.chooser import ChooseResultsView, ChooseView
from wagtail.admin.viewsets.chooser import ChooserViewSet

from catalog.browse.listing import Filters, listing
from catalog.goods.models import Product


class GoodsSearchForm(BaseFilterForm):
    """Narrows the goods by what the shop's own search finds."""

    q = forms.CharField(label=_("Search goods"), required=False)

    def filter(self, objects: QuerySet[Product]) -> QuerySet[Product]:
        """Keep the goods that the shop would list for the word."""
        word = self.cleaned_data["q"].strip()
        self.is_searching, self.search_query = bool(word), word
        return objects.filter(pk__in=listing(Filters(word=word)).values("pk")) if word else objects


COLUMNS = [
    Column("other_name", label=_("Name in the other language"), accessor="other_name"),
    Column("sku", label="SKU", accessor="sku"),
    Column("price", label=_("price, AUD with GST"), accessor="price"),
]


class GoodsColumns:
    """What the window shows of each good, and how it is searched."""

    filter_form_class = GoodsSearchForm
    title_column: Column

    @property
    def columns(self) -> list[Column]:
        return [self.title_column, *COLUMNS]


class ChooseGoods(GoodsColumns, ChooseView):
    """The window."""


class ChooseGoodsResults(GoodsColumns, ChooseResultsView):
    """The window's list, after a search."""


class GoodsChooserViewSet(ChooserViewSet):
    """Goods for blocks of a page."""

    model = Product
    icon = "tag"
    choose_one_text = _("Choose a good")
    choose_another_text = _("Choose another good")
    choose_view_class = ChooseGoods
    choose_results_view_class = ChooseGoodsResults


goods_chooser_viewset = GoodsChooserViewSet("goods_chooser")
GoodsChooserBlock = goods_chooser_viewset.get_block_class(
    name="GoodsChooserBlock", module_path="content.choosers"
)
