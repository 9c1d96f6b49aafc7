"""Parcels in the back office: buttons on an order's page, carriers, and files of tracking numbers."""

from django.contrib.auth.models import User
from django.http import HttpRequest
from django.urls import URLPattern, path, reverse_lazy
from django.utils.translation import gettext_lazy as _
from wagtail import hooks
from wagtail.admin.menu import MenuItem
from wagtail.admin.panels import FieldPanel, FieldRowPanel, ObjectList
from wagtail.admin.viewsets.model import ModelViewSet

from catalog.search.backoffice import NamesIndexView
from commerce.orders.wagtail_hooks import ORDER_ACTIONS, ORDER_PAGE
from commerce.shipments import views
from commerce.shipments.file_views import tracking_file
from commerce.shipments.forms import CarrierForm
from commerce.shipments.models import Carrier
from commerce.shipments.pending import stuck_parcels
from core.backoffice import ProtectedEditView
from core.menu_groups import SALES, SETTINGS
from core.pending import PENDING_WORK

hooks.register(ORDER_PAGE, views.order_part)
hooks.register(ORDER_ACTIONS, views.order_actions)
hooks.register(PENDING_WORK, stuck_parcels)


@hooks.register("register_admin_urls")
def order_urls() -> list[URLPattern]:
    """Add the URLs of the buttons on an order's page, and of the file page."""
    return [
        path("orders/<int:pk>/move/", views.move, name="order_move"),
        path("orders/<int:pk>/undo/", views.undo, name="order_undo"),
        path("orders/<int:pk>/ship/", views.ship, name="order_ship"),
        path("orders/<int:pk>/event/", views.event, name="order_event"),
        path("orders/<int:pk>/correction/", views.correct, name="order_correction"),
        path("tracking-numbers/", tracking_file, name="tracking_file"),
    ]


class TrackingFileItem(MenuItem):
    """The menu item of the file page, for staff who may send parcels."""

    def is_shown(self, request: HttpRequest) -> bool:
        """Return True if the user may send parcels."""
        return isinstance(request.user, User) and request.user.has_perm(views.MAY_MOVE)


@hooks.register(SALES)
def tracking_file_item() -> TrackingFileItem:
    """Add the file page to the menu."""
    return TrackingFileItem(
        _("Tracking numbers"), reverse_lazy("tracking_file"), icon_name="upload", order=110
    )


class CarrierViewSet(ModelViewSet):
    """The carriers that staff choose from."""

    model = Carrier
    icon = "truck"
    menu_label = _("Carriers")
    menu_hook = SETTINGS
    menu_order = 80
    copy_view_enabled = False
    edit_view_class = ProtectedEditView
    index_view_class = NamesIndexView
    list_display = ("name_en", "name_zh", "code", "enabled")
    search_fields = ("name_en", "name_zh", "code")
    search_backend_name = None
    edit_handler = ObjectList(
        [
            FieldRowPanel([FieldPanel("name_en"), FieldPanel("name_zh")]),
            FieldPanel("code"),
            FieldPanel("tracking_link"),
            FieldPanel("provider_code"),
            FieldPanel("enabled"),
        ],
        base_form_class=CarrierForm,
    )


@hooks.register("register_admin_viewset")
def carrier_viewset() -> CarrierViewSet:
    """Add the carriers to the menu."""
    return CarrierViewSet("carriers")
