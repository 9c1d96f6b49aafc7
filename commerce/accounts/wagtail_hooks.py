"""Customers and their levels in the back office."""

from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _
from wagtail import hooks
from wagtail.admin.panels import FieldPanel, FieldRowPanel, ObjectList
from wagtail.admin.views.generic import IndexView
from wagtail.admin.viewsets.base import ViewSet
from wagtail.admin.viewsets.model import ModelViewSet
from wagtail.permission_policies import ModelPermissionPolicy

from commerce.accounts.customer_lists import CUSTOMER_FACTS
from commerce.accounts.forms import CustomerForm, LevelForm
from commerce.accounts.models import Customer, MemberLevel
from core.backoffice import LocalTimesView, ProtectedEditView
from core.menu_groups import SALES, SETTINGS

# Name of the Wagtail hook for functions that take a request and a customer and return HTML for their page.
CUSTOMER_PAGE = "customer_page"


class CustomerPolicy(ModelPermissionPolicy):
    """Lets staff view and change customers, but not add them: customers register themselves."""

    def user_has_permission(self, user: Any, action: str) -> bool:
        """Return True if the user may perform the action."""
        return action in {"view", "change"} and super().user_has_permission(user, action)


class CustomerIndexView(IndexView):
    """The list of customers, in a constant number of queries."""

    def get_base_queryset(self) -> QuerySet[Customer]:
        """Return all customers with their levels."""
        return Customer.objects.select_related("level")


class CustomerView(LocalTimesView):
    """A customer's page, with figures and sections that other apps add."""

    def get_fields_context(self) -> list[dict[str, Any]]:
        """Return the columns and the figures that other apps add."""
        facts = [figure(self.request.user, self.object) for figure in hooks.get_hooks(CUSTOMER_FACTS)]
        figures = [{"label": fact.label, "value": fact.as_html()} for fact in facts if fact]
        return [*super().get_fields_context(), *figures]

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Add the sections of other apps."""
        context: dict[str, Any] = super().get_context_data(**kwargs)
        return context | {
            "parts": [part(self.request, self.object) for part in hooks.get_hooks(CUSTOMER_PAGE)]
        }


class CustomerViewSet(ModelViewSet):
    """All customers with an account."""

    model = Customer
    icon = "group"
    menu_label = _("Customers")
    menu_hook = SALES
    menu_order = 190
    copy_view_enabled = False
    inspect_view_enabled = True
    add_to_reference_index = False
    permission_policy = CustomerPolicy(Customer)
    index_view_class = CustomerIndexView
    inspect_view_class = CustomerView
    inspect_template_name = "accounts/admin/customer.html"
    inspect_view_fields = (
        "account",
        "nickname",
        "language",
        "level",
        "fixed_level",
        "is_active",
        "created_at",
        "last_login_at",
    )
    list_display = ("account", "nickname", "level", "is_active", "created_at")
    list_filter = ("level", "is_active")
    search_fields = ("account", "nickname")
    search_backend_name = None
    edit_view_class = ProtectedEditView
    edit_handler = ObjectList(
        [FieldPanel("fixed_level"), FieldPanel("is_active")], base_form_class=CustomerForm
    )


class LevelPolicy(ModelPermissionPolicy):
    """Lets staff view, add and change levels, but not delete them: prices and customers refer to them."""

    def user_has_permission(self, user: Any, action: str) -> bool:
        """Return True if the user may perform the action."""
        return action in {"view", "add", "change"} and super().user_has_permission(user, action)


class LevelViewSet(ModelViewSet):
    """The member levels, with their minimum yearly spend and their points per dollar."""

    model = MemberLevel
    icon = "order-up"
    menu_label = _("Member levels")
    menu_hook = SETTINGS
    menu_order = 90
    copy_view_enabled = False
    permission_policy = LevelPolicy(MemberLevel)
    list_display = ("number", "name_en", "name_zh", "yearly_spend", "points_rate")
    edit_view_class = ProtectedEditView
    edit_handler = ObjectList(
        [
            FieldPanel("number"),
            FieldRowPanel([FieldPanel("name_en"), FieldPanel("name_zh")]),
            FieldRowPanel([FieldPanel("yearly_spend"), FieldPanel("points_rate")]),
        ],
        base_form_class=LevelForm,
    )


@hooks.register("register_admin_viewset")
def customer_viewsets() -> tuple[ViewSet, ...]:
    """Add customers and member levels to the menu."""
    return (CustomerViewSet("customers"), LevelViewSet("member_levels"))
