"""Wallet and points in the back office, on a customer's page; a service adjusts points."""

from django.contrib.auth.models import Permission
from django.db.models import QuerySet
from django.urls import URLPattern, path
from wagtail import hooks

from commerce.accounts.customer_lists import CUSTOMER_FACTS
from commerce.accounts.wagtail_hooks import CUSTOMER_PAGE
from commerce.ledger import statement_views, views

hooks.register(CUSTOMER_PAGE, views.points_part)
hooks.register(CUSTOMER_FACTS, statement_views.wallet_fact)
hooks.register(CUSTOMER_FACTS, statement_views.points_fact)


@hooks.register("register_admin_urls")
def points_urls() -> list[URLPattern]:
    """Add the URLs of the points form and of the statements."""
    return [
        path("customers/<int:pk>/points/", views.adjust, name="adjust_points"),
        path(
            "customers/<int:pk>/wallet-statement/",
            statement_views.WalletView.as_view(),
            name="customer_wallet",
        ),
        path(
            "customers/<int:pk>/points-statement/",
            statement_views.PointsView.as_view(),
            name="customer_points",
        ),
    ]


@hooks.register("register_permissions")
def points_permissions() -> QuerySet[Permission]:
    """Add the permissions for statements and points adjustments to the group form."""
    return Permission.objects.filter(
        content_type__app_label="ledger", codename__in=["view_ledgerentry", "adjust_points"]
    )
