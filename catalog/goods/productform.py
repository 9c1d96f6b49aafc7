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

from catalog.goods.models import Allergen, Diet
from catalog.goods.nutritionfield import NutritionField
from catalog.goods.writing import save_product
from core.backoffice import ProtectedForm
from core.ordered_rows import OrderedRowsPanel

NAMES = FieldRowPanel([FieldPanel("name_en"), FieldPanel("name_zh")])
VARIANTS = FieldRowPanel([FieldPanel("variant_en"), FieldPanel("variant_zh")])
PRICES_SHOWN = 20


def _checkboxes(label: Any, choices: Any, help_text: Any) -> forms.MultipleChoiceField:
    return forms.MultipleChoiceField(
        label=label,
        choices=choices,
        widget=forms.CheckboxSelectMultiple,
        required=False,
        help_text=help_text,
    )


class ProductForm(ProtectedForm):
    """The form of a product; checkboxes list the allergens and claims of labels."""

    write = staticmethod(save_product)

    allergens = _checkboxes(
        _("allergens"),
        Allergen.choices,
        _("What the label declares; the page of the product shows it in bold."),
    )
    may_contain = _checkboxes(_("may contain"), Allergen.choices, _("The traces of which the label warns."))
    diets = _checkboxes(
        _("suitable for"),
        Diet.choices,
        _("Only what the label claims or a certificate proves: shoppers filter by it."),
    )
    nutrition = NutritionField(
        label=_("nutrition panel"),
        help_text=_(
            "As on the label; the page calculates the amounts per serving. Leave it empty if there is none."
        ),
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
                    [
                        FieldPanel("ingredients_en"),
                        FieldPanel("ingredients_zh"),
                        FieldPanel("allergens"),
                        FieldPanel("may_contain"),
                        FieldPanel("allergens_checked"),
                        FieldPanel("diets"),
                    ],
                    heading=_("What is in it"),
                ),
                MultiFieldPanel([FieldPanel("nutrition")], heading=_("Nutrition information")),
                MultiFieldPanel(
                    [
                        FieldPanel("directions_en"),
                        FieldPanel("directions_zh"),
                        FieldPanel("warnings_en"),
                        FieldPanel("warnings_zh"),
                        FieldRowPanel([FieldPanel("aust_number"), FieldPanel("gtin")]),
                    ],
                    heading=_("Also on the label"),
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
                        FieldPanel("expected_on"),
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
