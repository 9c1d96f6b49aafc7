"""Vouchers in the back office."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _
from wagtail import hooks
from wagtail.admin.panels import FieldPanel, FieldRowPanel, InlinePanel, MultiFieldPanel, ObjectList
from wagtail.admin.ui.tables import BooleanColumn
from wagtail.admin.viewsets.model import ModelViewSet

from catalog.search.backoffice import NamesIndexView
from commerce.vouchers.forms import VoucherForm
from commerce.vouchers.models import Voucher
from commerce.vouchers.services import locking_voucher
from core.backoffice import ProtectedEditView
from core.menu_groups import CATALOGUE


class VoucherEditView(ProtectedEditView):
    """The view that edits a voucher."""

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Validate and save the form with the voucher locked, so that no order uses it concurrently."""
        with locking_voucher(self.get_object().pk):
            response: HttpResponse = super().post(request, *args, **kwargs)
            return response


class VoucherViewSet(ModelViewSet):
    """The screens of vouchers; the number of uses is read-only."""

    model = Voucher
    icon = "ticket"
    menu_label = _("Vouchers")
    menu_hook = CATALOGUE
    menu_order = 120
    copy_view_enabled = False
    edit_view_class = VoucherEditView
    list_display = (
        "code",
        "name_en",
        "name_zh",
        "kind",
        "value",
        "taken",
        "total_limit",
        "ends_at",
        BooleanColumn("is_active", label=capfirst(_("switched on")), sort_key="is_active"),
    )
    index_view_class = NamesIndexView
    list_filter = ("kind", "is_active")
    search_fields = ("code", "name_en", "name_zh")
    search_backend_name = None
    ordering = ("-ends_at", "-id")
    edit_handler = ObjectList(
        [
            FieldPanel("code"),
            FieldRowPanel([FieldPanel("name_en"), FieldPanel("name_zh")]),
            MultiFieldPanel(
                [
                    FieldPanel("kind"),
                    FieldRowPanel([FieldPanel("value"), FieldPanel("from_amount")]),
                    FieldPanel("first_order_only"),
                ],
                heading=_("What it takes off"),
            ),
            InlinePanel(
                "scopes",
                [FieldRowPanel([FieldPanel("brand"), FieldPanel("category")])],
                heading=_("What it is for"),
                help_text=_("Without any it is for all products."),
                label=_("Brand or category"),
            ),
            MultiFieldPanel(
                [FieldRowPanel([FieldPanel("total_limit"), FieldPanel("customer_limit")])],
                heading=_("How often"),
            ),
            MultiFieldPanel(
                [FieldRowPanel([FieldPanel("starts_at"), FieldPanel("ends_at")]), FieldPanel("is_active")],
                heading=_("When it can be used"),
            ),
        ],
        base_form_class=VoucherForm,
    )


@hooks.register("register_admin_viewset")
def voucher_viewset() -> VoucherViewSet:
    """Register the screens of vouchers."""
    return VoucherViewSet("vouchers")
