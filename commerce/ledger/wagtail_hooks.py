"""Wallet, points and debt in the back office, on a customer's page; services adjust and settle them."""

from django.contrib.auth.models import Permission
from django.db.models import QuerySet
from django.urls import URLPattern, path
from wagtail import hooks

from commerce.accounts.customer_lists import CUSTOMER_FACTS
from commerce.accounts.wagtail_hooks import CUSTOMER_PAGE
from commerce.approvals.models import Approval
from commerce.approvals.services import APPROVAL_KINDS, Handler
from commerce.ledger import statement_views, views
from commerce.ledger.pending import customer_debts
from core.pending import PENDING_WORK

hooks.register(
    APPROVAL_KINDS,
    lambda: {
        Approval.Kind.points: Handler(views.MAY_ADJUST, views.adjust_approved),
        Approval.Kind.debt: Handler(views.MAY_SETTLE, views.settle_debt_approved),
    },
)
hooks.register(CUSTOMER_PAGE, views.points_part)
hooks.register(CUSTOMER_PAGE, views.debt_part)
hooks.register(CUSTOMER_FACTS, statement_views.wallet_fact)
hooks.register(CUSTOMER_FACTS, statement_views.points_fact)
hooks.register(CUSTOMER_FACTS, statement_views.debt_fact)
hooks.register(PENDING_WORK, customer_debts)


@hooks.register("register_admin_urls")
def points_urls() -> list[URLPattern]:
    """Add the URLs of the forms for points and debts, and of the statements."""
    return [
        path("customers/<int:pk>/points/", views.adjust, name="adjust_points"),
        path("customers/<int:pk>/debt/", views.settle_debt, name="settle_debt"),
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
        path(
            "customers/<int:pk>/debt-statement/",
            statement_views.DebtView.as_view(),
            name="customer_debt",
        ),
    ]


@hooks.register("register_permissions")
def points_permissions() -> QuerySet[Permission]:
    """Add the permissions for statements, points adjustments and debts to the group form."""
    return Permission.objects.filter(
        content_type__app_label="ledger",
        codename__in=["view_ledgerentry", "adjust_points", "settle_debt"],
    )
