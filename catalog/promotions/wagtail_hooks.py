"""Promotions in the back office."""

from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _
from wagtail import hooks
from wagtail.admin import messages
from wagtail.admin.panels import FieldPanel, FieldRowPanel, InlinePanel, MultiFieldPanel, ObjectList
from wagtail.admin.views.generic import CreateView, EditView
from wagtail.admin.viewsets.model import ModelViewSet

from catalog.promotions import offers
from catalog.promotions.forms import PromotionForm
from catalog.promotions.models import Promotion
from catalog.promotions.services import rivals

# Overlaps that one message tells at most.
TOLD = 10


class _TellsOfRivals:
    """After saving, tells which goods cost less or more in another promotion at the same time."""

    request: HttpRequest

    def save_instance(self) -> Promotion:
        """Save the promotion and look for the same goods elsewhere."""
        saved: Promotion = super().save_instance()  # type: ignore[misc]
        offers.forget()
        for item in rivals(saved)[:TOLD]:
            text = _(
                "%(good)s is also in “%(promotion)s” for $%(price)s at the same time: the lower price holds."
            ) % {"good": item.product.name, "promotion": item.promotion.name, "price": item.price}
            messages.warning(self.request, text)
        return saved


class PromotionCreateView(_TellsOfRivals, CreateView):
    """Making a promotion."""


class PromotionEditView(_TellsOfRivals, EditView):
    """Changing a promotion."""


class PromotionViewSet(ModelViewSet):
    """Promotions with their goods."""

    model = Promotion
    icon = "pick"
    menu_label = _("Promotions")
    menu_order = 125
    add_to_admin_menu = True
    copy_view_enabled = False
    add_view_class = PromotionCreateView
    edit_view_class = PromotionEditView
    list_display = ("name_en", "name_zh", "starts_at", "ends_at", "is_active")
    list_filter = ("is_active",)
    search_fields = ("name_en", "name_zh")
    search_backend_name = None
    ordering = ("-ends_at",)
    edit_handler = ObjectList(
        [
            FieldRowPanel([FieldPanel("name_en"), FieldPanel("name_zh")]),
            FieldPanel("picture"),
            MultiFieldPanel(
                [FieldRowPanel([FieldPanel("starts_at"), FieldPanel("ends_at")]), FieldPanel("is_active")],
                heading=_("When it runs"),
            ),
            InlinePanel(
                "items",
                [
                    FieldPanel("product"),
                    FieldRowPanel([FieldPanel("price"), FieldPanel("quota"), FieldPanel("limit_amount")]),
                ],
                heading=_("Goods"),
                label=_("Good"),
            ),
        ],
        base_form_class=PromotionForm,
    )


@hooks.register("register_admin_viewset")
def promotion_viewset() -> PromotionViewSet:
    """Put promotions into the menu."""
    return PromotionViewSet("promotions")
