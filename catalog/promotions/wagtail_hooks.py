"""Promotions in the back office."""

from typing import Any

from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _
from wagtail import hooks
from wagtail.admin import messages
from wagtail.admin.panels import FieldPanel, FieldRowPanel, InlinePanel, MultiFieldPanel, ObjectList
from wagtail.admin.ui.tables import BooleanColumn
from wagtail.admin.views.generic import CreateView, DeleteView
from wagtail.admin.viewsets.model import ModelViewSet

from catalog.promotions import offers
from catalog.promotions.forms import PromotionForm
from catalog.promotions.models import Promotion
from catalog.promotions.rules import rule_of_item
from catalog.promotions.services import locking_promotion, overlapping_items
from catalog.search.backoffice import NamesIndexView
from core.backoffice import ProtectedEditView
from core.menu_groups import CATALOGUE

# The most overlaps that one message names.
MAX_NAMED = 10


class _WarnsOfOverlaps:
    """Warns, after saving, about products that are in another promotion at the same time."""

    request: HttpRequest

    def save_instance(self) -> Promotion:
        """Save the promotion and add a warning for each product that is also in another promotion."""
        saved: Promotion = super().save_instance()  # type: ignore[misc]
        transaction.on_commit(offers.invalidate)
        for item in overlapping_items(saved)[:MAX_NAMED]:
            text = _(
                "%(product)s is also in “%(promotion)s” (%(rule)s) at the same time: an order takes products "
                "of one promotion, and pages show the one with the lower price."
            ) % {
                "product": item.product.name,
                "promotion": item.promotion.name,
                "rule": rule_of_item(item),
            }
            messages.warning(self.request, text)
        return saved


class PromotionCreateView(_WarnsOfOverlaps, CreateView):
    """The form that creates a promotion."""


class PromotionEditView(_WarnsOfOverlaps, ProtectedEditView):
    """The form that changes a promotion."""

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Validate and save the form while no order can take units of the promotion."""
        with locking_promotion(self.get_object().pk):
            response: HttpResponse = super().post(request, *args, **kwargs)
            return response


class PromotionDeleteView(DeleteView):
    """The page that deletes a promotion without orders."""

    def delete_action(self) -> None:
        """Delete the promotion while no order can take its units; raises ProtectedError if it has orders."""
        with locking_promotion(self.object.pk):
            super().delete_action()
            transaction.on_commit(offers.invalidate)


class PromotionViewSet(ModelViewSet):
    """The screens for promotions with their products."""

    model = Promotion
    icon = "percent"
    menu_label = _("Promotions")
    menu_hook = CATALOGUE
    menu_order = 110
    copy_view_enabled = False
    add_view_class = PromotionCreateView
    index_view_class = NamesIndexView
    edit_view_class = PromotionEditView
    delete_view_class = PromotionDeleteView
    list_display = (
        "name_en",
        "name_zh",
        "kind",
        "starts_at",
        "ends_at",
        BooleanColumn("is_active", label=capfirst(_("switched on")), sort_key="is_active"),
    )
    list_filter = ("kind", "is_active")
    search_fields = ("name_en", "name_zh")
    search_backend_name = None
    ordering = ("-ends_at",)
    edit_handler = ObjectList(
        [
            FieldRowPanel([FieldPanel("name_en"), FieldPanel("name_zh")]),
            FieldPanel("picture"),
            MultiFieldPanel(
                [
                    FieldPanel("kind"),
                    FieldPanel("percent_off"),
                    FieldRowPanel([FieldPanel("buy_units"), FieldPanel("free_units")]),
                    FieldPanel("gift_from"),
                    FieldPanel("bundle_price"),
                ],
                heading=_("What it does to prices"),
                help_text=_("Fill in what the kind needs; no customer pays more than without the promotion."),
            ),
            MultiFieldPanel(
                [FieldRowPanel([FieldPanel("starts_at"), FieldPanel("ends_at")]), FieldPanel("is_active")],
                heading=_("When it runs"),
            ),
            InlinePanel(
                "items",
                [
                    FieldPanel("product"),
                    FieldRowPanel(
                        [
                            FieldPanel("price"),
                            FieldPanel("quota", help_text=_("For all customers together.")),
                            FieldPanel("limit_amount"),
                        ]
                    ),
                    FieldRowPanel([FieldPanel("units"), FieldPanel("is_gift")]),
                ],
                heading=_("Products"),
                label=_("Product"),
            ),
        ],
        base_form_class=PromotionForm,
    )


@hooks.register("register_admin_viewset")
def promotion_viewset() -> PromotionViewSet:
    """Register the screens for promotions."""
    return PromotionViewSet("promotions")
