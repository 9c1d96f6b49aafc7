"""Registers the help in the back office."""

from django.templatetags.static import static
from django.urls import URLPattern, URLResolver, include, path, reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _
from wagtail import hooks
from wagtail.admin.menu import MenuItem

from content.help import views


@hooks.register("register_admin_urls")
def help_urls() -> list[URLPattern | URLResolver]:
    """Register the URLs of the help."""
    urls = [path("", views.index, name="index"), path("<slug:slug>/", views.topic, name="topic")]
    return [path("help/", include((urls, "help")))]


@hooks.register("register_help_menu_item")
def help_entry() -> MenuItem:
    """Register the help's menu item."""
    return MenuItem(_("Step by step"), reverse("help:index"), name="help-topics", icon_name="help", order=100)


@hooks.register("insert_global_admin_css")
def help_style() -> SafeString:
    """Add the stylesheet of the help and its links."""
    return format_html('<link rel="stylesheet" href="{}">', static("css/admin/help.css"))
