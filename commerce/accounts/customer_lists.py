"""The back office's view of one customer: figures on their page, and the lists that those link to."""

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

# The Wagtail hook of functions that take the user and a customer, and return a `Fact`; None for what the user
# may not see.
CUSTOMER_FACTS = "customer_facts"


@dataclass(frozen=True)
class Fact:
    """A figure of a customer and the list behind it; `url` is empty for staff who may not view the list."""

    label: str
    value: str
    url: str = ""
    link: str = ""

    def as_html(self) -> str:
        """Return the value with its link."""
        return format_html("{} · {}", self.value, link_to(self.link, self.url)) if self.url else self.value


class CustomerListView(PermissionCheckedMixin, BaseListingView):
    """Rows of one customer, the newest first, for staff who may view customers and such rows."""

    any_permission_required = ["view"]
    paginate_by = 20
    customer: Customer

    @property
    def permission_policy(self) -> ReadOnlyPolicy:
        """The permissions on the rows."""
        return ReadOnlyPolicy(self.model)

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Find the customer; raises PermissionDenied, Http404."""
        if not request.user.has_perm("accounts.view_customer"):
            raise PermissionDenied
        self.customer = get_object_or_404(Customer, pk=kwargs["pk"])
        answer: HttpResponseBase = super().dispatch(request, *args, **kwargs)
        return answer

    def get_page_subtitle(self) -> str:
        """Return who it is about."""
        return str(self.customer)

    def get_breadcrumbs_items(self) -> list[dict[str, str]]:
        """Link back to the customer, and to all of them."""
        customers = {"url": reverse("customers:index"), "label": capfirst(Customer._meta.verbose_name_plural)}
        page = {"url": reverse("customers:inspect", args=[self.customer.pk]), "label": str(self.customer)}
        here = {"url": "", "label": self.get_page_title(), "sublabel": self.get_page_subtitle()}
        return [*self.breadcrumbs_items, customers, page, here]
