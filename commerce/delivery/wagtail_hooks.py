"""Delivery in the back office: freight rules, export limits, pick-up shops and delivery windows."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _
from wagtail import hooks
from wagtail.admin.panels import FieldPanel, FieldRowPanel, InlinePanel, MultiFieldPanel, ObjectList
from wagtail.admin.ui.tables import BooleanColumn, Column
from wagtail.admin.views.generic import CopyView, CreateView
from wagtail.admin.viewsets.base import ViewSet
from wagtail.admin.viewsets.model import ModelViewSet

from commerce.delivery.forms import FreightRuleForm
from commerce.delivery.models import (
    DeliveryDayOff,
    DeliveryWindow,
    ExportLimit,
    FreightRule,
    PickupException,
    PickupShop,
)
from commerce.delivery.models.freight import tariff_text
from commerce.delivery.services import locking_freight_rules
from core.backoffice import ProtectedEditView, ProtectedForm
from core.menu_groups import SETTINGS


class _OneAtATime:
    """Validates and saves freight rules with the rules locked, so that each form sees all saved rules."""

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Validate and save the form, or show it again."""
        with locking_freight_rules():
            response: HttpResponse = super().post(request, *args, **kwargs)  # type: ignore[misc]
            return response


class FreightRuleCreateView(_OneAtATime, CreateView):
    """The form of a new freight rule."""


class FreightRuleCopyView(_OneAtATime, CopyView):
    """The form of a new freight rule, filled in with the values of another rule."""


class FreightRuleEditView(_OneAtATime, ProtectedEditView):
    """The form of a freight rule."""


class FreightRuleViewSet(ModelViewSet):
    """Freight rules: prices of parcels by region and storage."""

    model = FreightRule
    icon = "sliders"
    menu_hook = SETTINGS
    menu_order = 60
    # The rule's name is the link, since a rule for everywhere has no region to click on.
    list_display = (
        "__str__",
        Column("tariff", label=_("Price of one parcel"), accessor=tariff_text),
        "surcharge",
        "free_from",
        "valid_from",
        "valid_until",
    )
    list_filter = ("country", "storage", "excluded")
    add_view_class = FreightRuleCreateView
    copy_view_class = FreightRuleCopyView
    edit_view_class = FreightRuleEditView
    edit_handler = ObjectList(
        [
            MultiFieldPanel(
                [
                    FieldPanel("country"),
                    FieldRowPanel([FieldPanel("province"), FieldPanel("zone")]),
                    FieldPanel("council"),
                    FieldRowPanel([FieldPanel("zip_from"), FieldPanel("zip_to")]),
                    FieldPanel("zip_prefix"),
                    FieldPanel("storage"),
                ],
                heading=_("Destination and storage"),
                help_text=_(
                    "Empty means everywhere. Of the rules that fit an address, the one with the fewest "
                    "postcodes wins, then one with a council, one with every council, one with a state, "
                    "one with a part of Malaysia, one with a country."
                ),
            ),
            MultiFieldPanel(
                [
                    FieldRowPanel([FieldPanel("first_grams"), FieldPanel("first_price")]),
                    FieldRowPanel([FieldPanel("step_grams"), FieldPanel("step_price")]),
                    FieldRowPanel([FieldPanel("surcharge"), FieldPanel("free_from")]),
                ],
                heading=_("Price of one parcel"),
                help_text=_(
                    "Every step begun is charged. A parcel weighs at most 22 kg; heavier orders are split."
                ),
            ),
            MultiFieldPanel(
                [
                    FieldPanel("excluded"),
                    FieldRowPanel([FieldPanel("why_en"), FieldPanel("why_zh")]),
                ],
                heading=_("No delivery"),
                help_text=_(
                    "Orders to such a place are refused with the reason, which is needed in both languages; "
                    "prices are not."
                ),
            ),
            MultiFieldPanel(
                [FieldRowPanel([FieldPanel("days_from"), FieldPanel("days_to")])],
                heading=_("Arrival"),
                help_text=_(
                    "Shoppers see these days next to the parcel. Where the van brings it, they see its next "
                    "window instead."
                ),
            ),
            MultiFieldPanel(
                [FieldRowPanel([FieldPanel("valid_from"), FieldPanel("valid_until")])],
                heading=_("Days"),
                help_text=_(
                    "In the shop’s time zone, both days included. For a new price, end the old rule and "
                    "make another one that begins the day after."
                ),
            ),
        ],
        base_form_class=FreightRuleForm,
    )


class ExportLimitViewSet(ModelViewSet):
    """Export limits by country."""

    model = ExportLimit
    icon = "warning"
    menu_hook = SETTINGS
    menu_order = 70
    list_display = ("__str__", "max_units", "max_value", "valid_from", "valid_until")
    list_filter = ("country",)
    edit_view_class = ProtectedEditView
    edit_handler = ObjectList(
        [
            FieldRowPanel([FieldPanel("country"), FieldPanel("category")]),
            MultiFieldPanel(
                [FieldRowPanel([FieldPanel("max_units"), FieldPanel("max_value")])],
                heading=_("The most of one order"),
                help_text=_("A larger order is refused, and the customer is shown how to split it."),
            ),
            FieldRowPanel([FieldPanel("why_en"), FieldPanel("why_zh")]),
            MultiFieldPanel(
                [FieldRowPanel([FieldPanel("valid_from"), FieldPanel("valid_until")])],
                heading=_("Days"),
                help_text=_("In the shop’s time zone, both days included."),
            ),
        ],
        base_form_class=ProtectedForm,
    )


class PickupShopViewSet(ModelViewSet):
    """Pick-up shops with their hours."""

    model = PickupShop
    icon = "storefront"
    menu_hook = SETTINGS
    menu_order = 20
    list_display = (
        "name_en",
        "name_zh",
        "address",
        BooleanColumn("is_open", label=capfirst(_("takes orders")), sort_key="is_open"),
    )
    edit_view_class = ProtectedEditView
    edit_handler = ObjectList(
        [
            FieldPanel("name_en"),
            FieldPanel("name_zh"),
            FieldPanel("address"),
            FieldPanel("location"),
            FieldPanel("is_open"),
            FieldPanel("cutoff_hours"),
            FieldPanel("sort"),
            InlinePanel(
                "hours",
                heading=_("Hours"),
                label=_("Day"),
                help_text=_("Shoppers can book each whole hour of the next seven days."),
            ),
        ],
        base_form_class=ProtectedForm,
    )


class PickupExceptionViewSet(ModelViewSet):
    """Dates on which pick-up shops are closed or open at other hours."""

    model = PickupException
    icon = "calendar-alt"
    menu_hook = SETTINGS
    menu_order = 30
    copy_view_enabled = False
    list_display = ("date", "shop", "opens", "closes")
    list_filter = ("shop",)
    edit_view_class = ProtectedEditView
    edit_handler = ObjectList(
        [
            FieldPanel("date"),
            FieldPanel("shop"),
            MultiFieldPanel(
                [FieldRowPanel([FieldPanel("opens"), FieldPanel("closes")])],
                heading=_("Hours"),
                help_text=_(
                    "Empty means closed all day. An entry for one shop goes before one for every shop. Hours "
                    "that were booked before stay booked: inform those customers yourself."
                ),
            ),
        ],
        base_form_class=ProtectedForm,
    )


class DeliveryWindowViewSet(ModelViewSet):
    """The van's delivery windows on each weekday."""

    model = DeliveryWindow
    icon = "time"
    menu_hook = SETTINGS
    menu_order = 40
    list_display = ("__str__", "capacity", "cutoff_hours")
    list_filter = ("weekday",)
    edit_view_class = ProtectedEditView
    edit_handler = ObjectList(
        [
            FieldPanel("weekday"),
            FieldRowPanel([FieldPanel("starts"), FieldPanel("ends")]),
            FieldPanel("capacity"),
            FieldPanel("cutoff_hours"),
        ],
        base_form_class=ProtectedForm,
    )


class DeliveryDayOffViewSet(ModelViewSet):
    """Dates on which the van does not deliver."""

    model = DeliveryDayOff
    icon = "calendar-check"
    menu_hook = SETTINGS
    menu_order = 50
    copy_view_enabled = False
    list_display = ("date",)
    edit_view_class = ProtectedEditView
    edit_handler = ObjectList(
        [
            FieldPanel(
                "date",
                help_text=_("Windows that were booked before stay booked: inform those customers yourself."),
            )
        ],
        base_form_class=ProtectedForm,
    )


@hooks.register("register_admin_viewset")
def delivery_viewsets() -> tuple[ViewSet, ...]:
    """Add freight rules, export limits, pick-up shops and delivery windows to the menu."""
    return (
        FreightRuleViewSet("freight_rules"),
        ExportLimitViewSet("export_limits"),
        PickupShopViewSet("pickup_shops"),
        PickupExceptionViewSet("pickup_exceptions"),
        DeliveryWindowViewSet("delivery_windows"),
        DeliveryDayOffViewSet("delivery_days_off"),
    )
