"""The form of a pay type: names, picture, place, restrictions, and the reason why it is not offered."""

from typing import Any

from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _
from wagtail.admin.panels import FieldPanel, FieldRowPanel, MultiFieldPanel, ObjectList, Panel

from commerce.payments.models import PayType
from commerce.payments.providers.names import provider_name
from commerce.payments.providers.registry import is_ever_collected, why_not_offered
from core.backoffice import ProtectedForm


class PayTypeForm(ProtectedForm):
    """Refuses to switch on a pay type that can never be collected."""

    def clean(self) -> dict[str, Any]:
        """Add an error to the switch if neither a provider nor staff can ever collect."""
        cleaned: dict[str, Any] = super().clean()
        pay_type: PayType = self.instance
        if cleaned.get("enabled") and not is_ever_collected(pay_type):
            self.add_error("enabled", why_not_offered(pay_type))
        return cleaned


class WhyNotOfferedPanel(Panel):
    """The reason why customers do not see a pay type, read-only."""

    class BoundPanel(Panel.BoundPanel):
        template_name = "payments/admin/why_not_offered.html"

        def get_context_data(self, parent_context: dict[str, Any] | None = None) -> dict[str, Any]:
            """Add the reason; empty for a pay type that is offered."""
            context: dict[str, Any] = super().get_context_data(parent_context)
            return context | {"why": why_not_offered(self.instance)}


class ProviderPanel(FieldPanel):
    """Shows a provider by the name that staff know."""

    def format_value_for_display(self, value: str) -> str:
        """Return the name of a provider."""
        return provider_name(value) or "–"


PAY_TYPE_PANELS = ObjectList(
    [
        WhyNotOfferedPanel(),
        FieldRowPanel(
            [
                FieldPanel("code", heading=capfirst(_("code")), read_only=True),
                ProviderPanel("provider", read_only=True),
            ]
        ),
        FieldRowPanel([FieldPanel("enabled"), FieldPanel("sort")]),
        MultiFieldPanel(
            [
                FieldRowPanel([FieldPanel("name_en"), FieldPanel("name_zh")]),
                FieldRowPanel([FieldPanel("hint_en"), FieldPanel("hint_zh")]),
                FieldPanel("image", help_text=_("Without one, the shop’s own picture is shown.")),
            ],
            heading=_("What customers see"),
        ),
        MultiFieldPanel(
            [
                FieldPanel("countries"),
                FieldRowPanel([FieldPanel("from_amount"), FieldPanel("to_amount")]),
                FieldRowPanel(
                    [FieldPanel("for_domestic"), FieldPanel("for_abroad"), FieldPanel("for_pickup")]
                ),
            ],
            heading=_("Only for"),
            help_text=_("Customers see it for orders alone that are within all of these."),
        ),
    ],
    base_form_class=PayTypeForm,
)
