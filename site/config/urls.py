"""Every address of the shop."""

from django.conf.urls.i18n import i18n_patterns
from django.urls import include, path
from wagtail import urls as wagtail_urls
from wagtail.admin import urls as wagtailadmin_urls

from config.api import api

urlpatterns = [
    path("api/", api.urls),
    path("admin/", include(wagtailadmin_urls)),
    path("", include("commerce.payments.urls")),
    *i18n_patterns(
        path("", include("commerce.payments.sandbox.urls")),
        path("", include(wagtail_urls)),
        prefix_default_language=False,
    ),
]
