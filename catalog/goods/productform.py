"""The back office's form of a product, with its price history."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _
from wagtail.admin.panels import (
    FieldPanel,
    FieldRowPanel,
    InlinePanel,
    MultiFieldPanel,
    ObjectList,
    Panel,
    TabbedInterface,
)

from catalog.goods.models import Allergen
from catalog.goods.writing import save_product
from core.backoffice import ProtectedForm
from core.ordered_rows import OrderedRowsPanel

NAMES = FieldRowPanel([FieldPanel("name_en"), FieldPanel("name_zh")])
VARIANTS = FieldRowPanel([FieldPanel("variant_en"), FieldPanel("variant_zh")])
PRICES_SHOWN = 20


class ProductForm(ProtectedForm):
    """The form of a product; checkboxes list the allergens that labels must declare."""

    write = staticmethod(save_product)

    allergens = forms.MultipleChoiceField(
        label=_("allergens"),
        choices=Allergen.choices,
        widget=forms.CheckboxSelectMultiple,
        required=False,
        help_text=_("What the label declares; the page of the product shows it in bold."),
    )


class PriceHistoryPanel(Panel):
    """The price history of a product, read-only; a changed price adds a line."""

    class BoundPanel(Panel.BoundPanel):
        template_name = "goods/admin/price_history.html"

        def get_context_data(self, parent_context: dict[str, Any] | None = None) -> dict[str, Any]:
            """Add the newest price changes of the product."""
            context: dict[str, Any] = super().get_context_data(parent_context)
            changes = self.instance.price_changes.all()[:PRICES_SHOWN] if self.instance.pk else ()
            return context | {"changes": changes}


PRODUCT_PANELS = TabbedInterface(
    [
        ObjectList(
            [
                MultiFieldPanel(
                    [
                        NAMES,
                        FieldRowPanel([FieldPanel("sku"), FieldPanel("on_sale")]),
                        FieldPanel("category"),
                        FieldPanel("brand"),
                        FieldPanel("tags"),
                    ],
                    heading=_("What it is"),
                ),
                MultiFieldPanel(
                    [FieldPanel("description_en"), FieldPanel("description_zh")], heading=_("Description")
                ),
                MultiFieldPanel(
                    [FieldPanel("group"), VARIANTS],
                    heading=_("Sizes and flavours"),
                    help_text=_(
                        "Products of one product group are offered on each other’s pages, each with its "
                        "own price, stock and picture."
                    ),
                ),
            ],
            heading=_("What it is"),
        ),
        ObjectList(
            [
                MultiFieldPanel(
                    [
                        FieldRowPanel([FieldPanel("price"), FieldPanel("gst_free")]),
                        FieldPanel("market_price"),
                    ],
                    heading=_("Price"),
                ),
                PriceHistoryPanel(heading=_("Prices so far")),
                MultiFieldPanel(
                    [
                        FieldRowPanel([FieldPanel("pack"), FieldPanel("pack_zh")]),
                        FieldPanel("net_weight"),
                        FieldRowPanel([FieldPanel("unit_en"), FieldPanel("unit_zh")]),
                    ],
                    heading=_("Pack"),
                    help_text=_(
                        "The unit price is worked out from the pack by Australia’s Unit Pricing Code: "
                        "write 500 g, 1.5 L, 6 x 330 mL or 10 tablets."
                    ),
                ),
                InlinePanel(
                    "level_prices",
                    panels=[FieldRowPanel([FieldPanel("level"), FieldPanel("price")])],
                    heading=_("Prices for member levels"),
                    label=_("Price for a level"),
                    help_text=_("Members of a level pay the lower of its price and the ordinary one."),
                ),
                MultiFieldPanel(
                    [FieldRowPanel([FieldPanel("is_bulk"), FieldPanel("carton_size")])],
                    heading=_("Bulk buying"),
                ),
                InlinePanel(
                    "price_tiers",
                    panels=[FieldRowPanel([FieldPanel("from_amount"), FieldPanel("price")])],
                    heading=_("Prices in bulk buying"),
                    label=_("Price from an amount"),
                    help_text=_(
                        "What one unit costs from this many units; below that, the ordinary price applies."
                    ),
                ),
            ],
            heading=_("Price and pack"),
        ),
        ObjectList(
            [
                MultiFieldPanel(
                    [FieldPanel("ingredients_en"), FieldPanel("ingredients_zh"), FieldPanel("allergens")],
                    heading=_("What is in it"),
                ),
                MultiFieldPanel(
                    [
                        FieldRowPanel([FieldPanel("storage"), FieldPanel("origin")]),
                        FieldPanel("best_before"),
                    ],
                    heading=_("Storage"),
                ),
                MultiFieldPanel(
                    [
                        FieldRowPanel([FieldPanel("is_self"), FieldPanel("is_advance")]),
                        FieldPanel("no_export"),
                        FieldRowPanel([FieldPanel("min_amount"), FieldPanel("limit_amount")]),
                    ],
                    heading=_("How it is sold"),
                ),
            ],
            heading=_("Facts"),
        ),
        ObjectList(
            [
                FieldPanel("picture"),
                OrderedRowsPanel(
                    "gallery",
                    panels=[FieldPanel("picture")],
                    heading=_("Further pictures"),
                    label=_("Picture"),
                    help_text=_("They follow the first picture on the page of the product, in this order."),
                ),
            ],
            heading=_("Pictures"),
        ),
    ],
    base_form_class=ProductForm,
)
