"""A customer's payments in the back office: their number, their list, and the causes of wallet entries."""

from collections.abc import Sequence
from typing import Any

from django.db.models import QuerySet
from django.urls import reverse
from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from wagtail.admin.ui.tables import Column

from commerce.accounts.customer_lists import CustomerListView, Fact
from commerce.accounts.models import Customer
from commerce.ledger.models import LedgerEntry
from commerce.ledger.statement_views import EntrySource
from commerce.orders.customer_views import MAY_VIEW as MAY_VIEW_ORDERS
from commerce.orders.customer_views import order_link
from commerce.orders.pay_types import pay_type_name_of_row
from commerce.payments.models import Payment
from commerce.payments.personal import payments_of
from commerce.payments.providers.names import provider_name
from commerce.payments.state_texts import shown_state
from commerce.payments.wallet_sources import Source, sources_of
from core.backoffice import link_to

MAY_VIEW = "payments.view_payment"


def payments_fact(user: Any, customer: Customer) -> Fact | None:
    """Return the number of a customer's payments, for staff who may see them; one query."""
    if not user.has_perm(MAY_VIEW):
        return None
    url = reverse("customer_payments", args=[customer.pk])
    number = number_format(payments_of(customer).count())
    return Fact(_("Payments"), number, url, _("All payments of this customer"))


def sources_of_money(user: Any, entries: Sequence[LedgerEntry]) -> dict[int, EntrySource]:
    """Return the order or top-up behind each entry of a wallet or debt, by entry key; one query."""
    sources = sources_of({entry.reference for entry in entries})
    return {
        entry.pk: _linked(user, sources[entry.reference]) for entry in entries if entry.reference in sources
    }


def _linked(user: Any, source: Source) -> EntrySource:
    if source.order_no:
        may_view = user.has_perm(MAY_VIEW_ORDERS)
        return EntrySource(
            source.order_no, reverse("orders:inspect", args=[source.order_id]) if may_view else ""
        )
    may_view = user.has_perm("payments.view_recharge")
    return EntrySource(
        source.recharge_no or "", reverse("recharges:inspect", args=[source.recharge_id]) if may_view else ""
    )


class CustomerPaymentsView(CustomerListView):
    """The payments of a customer, newest first."""

    model = Payment
    page_title = gettext_lazy("Payments")
    header_icon = "tick-inverse"

    def get_base_queryset(self) -> QuerySet[Payment]:
        """Return the payments with their orders or top-ups and the names of their pay types."""
        payments = payments_of(self.customer).select_related("order", "recharge")
        return payments.annotate(pay_type_name=pay_type_name_of_row())

    @property
    def columns(self) -> list[Column]:
        """The columns, with links to each payment and its order."""
        return [
            Column(
                "reference",
                label=_("Payment"),
                accessor=lambda row: link_to(row.reference, reverse("payments:inspect", args=[row.pk])),
            ),
            Column("pays", label=_("Pays"), accessor=self._pays),
            Column("pay_type_name", label=_("Payment method")),
            Column("provider", label=_("Provider"), accessor=lambda row: provider_name(row.provider)),
            Column("amount", label=_("Amount"), accessor=lambda row: "{1} {0}".format(*row.collected)),
            Column("state", label=_("State"), accessor=shown_state),
            Column("created_at", label=_("Begun at")),
        ]

    def _pays(self, payment: Payment) -> str:
        if payment.order:
            return order_link(self.request.user, payment.order)
        return _("Top-up %(number)s") % {"number": payment.number}
