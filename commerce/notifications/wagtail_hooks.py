"""Messages about orders in the back office: switches and a preview of the texts."""

from dataclasses import replace
from typing import Any

from django import forms
from django.contrib.auth.mixins import PermissionRequiredMixin
from django.db.models import prefetch_related_objects
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import URLPattern, path, reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views import View
from wagtail import hooks
from wagtail.admin.menu import MenuItem
from wagtail.admin.panels import FieldPanel, ObjectList
from wagtail.admin.ui.tables import BooleanColumn
from wagtail.admin.viewsets.model import ModelViewSet
from wagtail.permission_policies import ModelPermissionPolicy

from commerce.invoices.models import Invoice
from commerce.invoices.services import invoice_url
from commerce.notifications.kinds import OF_CLAIMS, Kind, kind_of
from commerce.notifications.models import NotificationSwitch
from commerce.notifications.texts import Notification, letter, notification_of
from commerce.orders.models import Order
from core.backoffice import ProtectedEditView, ProtectedForm
from core.languages import CHINESE, ENGLISH
from core.menu_groups import SETTINGS
from core.money import aud_text

EXAMPLE_PICKUP_CODE = "123456"


class SwitchPolicy(ModelPermissionPolicy):
    """Lets staff switch messages on and off, but not add or delete switches: the code defines the kinds."""

    def user_has_permission(self, user: Any, action: str) -> bool:
        """Return True if a user may view or change the switches."""
        return action in {"view", "change"} and super().user_has_permission(user, action)


class NotificationSwitchViewSet(ModelViewSet):
    """The switches of optional messages about orders."""

    model = NotificationSwitch
    icon = "mail"
    menu_label = _("Messages about orders")
    menu_hook = SETTINGS
    menu_order = 94
    copy_view_enabled = False
    permission_policy = SwitchPolicy(NotificationSwitch)
    list_display = ("__str__", BooleanColumn("is_on", label=_("Is sent"), sort_key="is_on"))
    edit_view_class = ProtectedEditView
    edit_handler = ObjectList([FieldPanel("is_on")], base_form_class=ProtectedForm)


class PreviewForm(forms.Form):
    """The kind, order and language of the message to preview."""

    kind = forms.ChoiceField(label=_("Message"), choices=Kind.choices)
    language = forms.ChoiceField(label=_("Language"), choices=[(ENGLISH, "English"), (CHINESE, "简体中文")])
    order_no = forms.CharField(
        label=_("Order number"),
        required=False,
        max_length=24,
        help_text=_("Leave empty to use the newest order."),
    )


class PreviewView(PermissionRequiredMixin, View):
    """Shows staff the text of a message; nothing is sent."""

    permission_required = "notifications.view_notificationswitch"
    raise_exception = True

    def get(self, request: HttpRequest) -> HttpResponse:
        """Show the form and the requested message."""
        form = PreviewForm(request.GET if "kind" in request.GET else None)
        written = None
        if form.is_valid():
            typed = form.cleaned_data["order_no"].strip().upper()
            order = Order.objects.filter(order_no=typed).first() if typed else Order.objects.first()
            if order is not None:
                kind, language = Kind(form.cleaned_data["kind"]), form.cleaned_data["language"]
                notification = _example(kind, order)
                _set_examples(kind, order)
                written = letter(kind=kind, order=order, language=language, notification=notification)
            elif typed:
                form.add_error("order_no", _("There is no such order."))
            else:
                form.add_error("order_no", _("There is no order yet to show a message about."))
        return render(request, "notifications/admin/preview.html", {"form": form, "letter": written})


def _example(kind: Kind, order: Order) -> Notification:
    """Return the notification of the order's last change of this kind, or an example.

    The invoice is the order's own, the refund is the order's amount; missing texts are examples.
    """
    if kind == Kind.refunded:
        return Notification(refund=aud_text(order.pay_amount))
    changes = [change for change in order.history.all() if kind_of(change) == kind]
    notification = notification_of(changes[-1]) if changes else Notification()
    if kind == Kind.asking and not notification.text:
        return replace(notification, text=gettext("(The question that staff ask goes here.)"))
    if kind in (Kind.rejected, Kind.part_paid):
        return Notification(text=gettext("(The reason, or how much is missing, goes here.)"))
    if kind == Kind.cancellation_declined:
        return Notification(text=gettext("(What staff have written goes here.)"))
    if kind in OF_CLAIMS:
        return Notification(text=gettext("(What staff have written goes here.)"), claim="C0")
    invoice = Invoice.objects.filter(order=order).first() if kind == Kind.paid else None
    return replace(notification, invoice=invoice_url(invoice)) if invoice else notification


def _set_examples(kind: Kind, order: Order) -> None:
    """Set example values for a message in an order, without saving it.

    The real pick-up code must stay secret, since it proves the hand-over.
    """
    order.pickup_code = EXAMPLE_PICKUP_CODE
    prefetch_related_objects([order], "lines")
    lines = list(order.lines.all())
    if kind == Kind.left_out and not any(line.unsent for line in lines):
        lines[0].unsent = 1


@hooks.register("register_admin_viewset")
def switches() -> NotificationSwitchViewSet:
    """Add the switches to the menu."""
    return NotificationSwitchViewSet("notification_switches")


@hooks.register("register_admin_urls")
def preview_url() -> list[URLPattern]:
    """Add the URL of the preview."""
    return [path("notifications/preview/", PreviewView.as_view(), name="notification_preview")]


@hooks.register(SETTINGS)
def preview_menu_item() -> MenuItem:
    """Add the preview to the menu, below the switches."""
    return PreviewMenuItem(
        _("Preview of messages"), reverse("notification_preview"), icon_name="view", order=95
    )


class PreviewMenuItem(MenuItem):
    """The preview's menu entry, for staff who may see it."""

    def is_shown(self, request: HttpRequest) -> bool:
        """Return True if the user may see the preview."""
        return bool(request.user.has_perm(PreviewView.permission_required))
