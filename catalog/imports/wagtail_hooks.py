"""Registers the pages and permissions for imports and exports."""

from django.contrib.auth.models import Permission
from django.db.models import QuerySet
from wagtail import hooks

from catalog.imports.views import FilesViewSet


@hooks.register("register_admin_viewset")
def files_viewset() -> FilesViewSet:
    """Register the pages for imports and exports."""
    return FilesViewSet("files")


@hooks.register("register_permissions")
def file_permissions() -> QuerySet[Permission]:
    """Return the permissions for imports and exports, which can be granted to groups."""
    return Permission.objects.filter(
        content_type__app_label="imports", codename__in=["add_filerun", "view_filerun"]
    )
