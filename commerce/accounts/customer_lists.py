"""Figures on a customer's back office page, and the lists that these figures link to."""

from dataclasses import dataclass
from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.html import format_html
from django.utils.text import capfirst
from wagtail.admin.views.generic.base import BaseListingView
from wagtail.admin.views.generic.permissions import PermissionCheckedMixin

from commerce.accounts.models import Customer
from core.backoffice import ReadOnlyPolicy, link_to

# Name of the Wagtail hook for functions that take the user and a customer. They return a `Fact`, or None if
# the user may not see it.
CUSTOMER_FACTS = "customer_facts"


@dataclass(frozen=True)
class Fact:
    """A figure of a customer and the link to its list; `url` is empty if staff may not view the list."""

    label: str
    value: str
    url: str = ""
    link: str = ""

    def as_html(self) -> str:
        """Return the value with its link."""
        return format_html("{} · {}", self.value, link_to(self.link, self.url)) if self.url else self.value


class CustomerListView(PermissionCheckedMixin, BaseListingView):
    """Rows of one customer, newest first, for staff who may view customers and rows of this model."""

    any_permission_required = ["view"]
    paginate_by = 20
    customer: Customer

    @property
    def permission_policy(self) -> ReadOnlyPolicy:
        """The permissions for the rows."""
        return ReadOnlyPolicy(self.model)

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Load the customer, then handle the request; raises PermissionDenied, Http404."""
        if not request.user.has_perm("accounts.view_customer"):
            raise PermissionDenied
        self.customer = get_object_or_404(Customer, pk=kwargs["pk"])
        answer: HttpResponseBase = super().dispatch(request, *args, **kwargs)
        return answer

    def get_page_subtitle(self) -> str:
        """Return the customer's name."""
        return str(self.customer)

    def get_breadcrumbs_items(self) -> list[dict[str, str]]:
        """Return links to the list of customers and to this customer."""
        customers = {"url": reverse("customers:index"), "label": capfirst(Customer._meta.verbose_name_plural)}
        page = {"url": reverse("customers:inspect", args=[self.customer.pk]), "label": str(self.customer)}
        here = {"url": "", "label": self.get_page_title(), "sublabel": self.get_page_subtitle()}
        return [*self.breadcrumbs_items, customers, page, here]
