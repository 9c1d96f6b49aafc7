"""Points in the back office: on a customer's page, adjusted by a service."""

from django.contrib.auth.models import Permission
from django.db.models import QuerySet
from django.urls import URLPattern, path
from wagtail import hooks

from commerce.accounts.wagtail_hooks import CUSTOMER_PAGE
from commerce.ledger import views

hooks.register(CUSTOMER_PAGE, views.points_part)


@hooks.register("register_admin_urls")
def points_urls() -> list[URLPattern]:
    """Add what the form on a customer's page posts to."""
    return [path("customers/<int:pk>/points/", views.adjust, name="adjust_points")]


@hooks.register("register_permissions")
def points_permissions() -> QuerySet[Permission]:
    """Offer the permission to adjust points in the form of a group."""
    return Permission.objects.filter(content_type__app_label="ledger", codename="adjust_points")
