"""Privacy in the back office: a part of a customer's page, and the list of customers with consent."""

from django.contrib.auth.models import Permission
from django.db.models import QuerySet
from django.urls import URLPattern, path
from django.utils.translation import gettext_lazy as _
from wagtail import hooks
from wagtail.admin.views.generic import IndexView

from commerce.accounts.wagtail_hooks import CUSTOMER_PAGE
from commerce.privacy import customer_views
from commerce.privacy.models import MarketingConsent
from commerce.privacy.services import may_be_written_to
from core.backoffice import ReadOnlyViewSet
from core.menu_groups import SALES

hooks.register(CUSTOMER_PAGE, customer_views.privacy_part)


class ReaderIndexView(IndexView):
    """Customers with consent, also as an export for the tool that sends the newsletter."""

    def get_base_queryset(self) -> QuerySet[MarketingConsent]:
        """Return the consents that allow marketing messages, with their accounts."""
        return may_be_written_to().select_related("customer")


class ReaderViewSet(ReadOnlyViewSet):
    """Customers who agree to marketing messages, each with the link that withdraws the consent."""

    model = MarketingConsent
    icon = "mail"
    menu_label = _("Newsletter")
    menu_hook = SALES
    menu_order = 200
    inspect_view_enabled = False
    index_view_class = ReaderIndexView
    list_display = ("customer", "language", "changed_at")
    list_export = ("customer.account", "customer.nickname", "language", "changed_at", "unsubscribe_link")
    list_filter = ("language", "changed_at")
    search_fields = ("customer__account", "customer__nickname")
    search_backend_name = None


@hooks.register("register_admin_viewset")
def reader_viewset() -> ReaderViewSet:
    """Add the readers of the newsletter to the menu."""
    return ReaderViewSet("newsletter")


@hooks.register("register_admin_urls")
def privacy_urls() -> list[URLPattern]:
    """Add the URLs to which the customer page's privacy part posts, and the deletion page."""
    return [
        path("customers/<int:pk>/consent/", customer_views.change_consent, name="customer_consent"),
        path("customers/<int:pk>/copy/", customer_views.give_copy, name="customer_copy"),
        path("customers/<int:pk>/deletion/", customer_views.delete_account, name="customer_deletion"),
    ]


@hooks.register("register_permissions")
def privacy_permissions() -> QuerySet[Permission]:
    """Offer the permission to handle privacy requests in the form of a group."""
    return Permission.objects.filter(content_type__app_label="privacy", codename="handle_request")
