"""Every address of the shop: what knows no language first, then the pages in both, Wagtail's last."""

from django.conf import settings
from django.conf.urls.i18n import i18n_patterns
from django.urls import include, path, re_path
from django.views.static import serve
from wagtail import urls as wagtail_urls
from wagtail.admin import urls as wagtailadmin_urls
from wagtail.documents import urls as wagtaildocs_urls

from catalog.browse.views import to_home
from config.api import api, unknown
from config.health import live, ready

handler404 = "catalog.browse.views.not_found"
urlpatterns = [
    path("livez", live),
    path("readyz", ready),
    path("api/", api.urls),
    re_path("^api/", unknown),
    path("admin/", include(wagtailadmin_urls)),
    path("documents/", include(wagtaildocs_urls)),
    path("", include("commerce.payments.urls")),
    # The prefix alone, for which i18n_patterns wants a slash.
    path("zh-hans", to_home),
    # In production the proxy in front serves these from the data folder. No longer than a file's name may be.
    re_path("^media/(?P<path>[!-~]{1,255})$", serve, {"document_root": settings.MEDIA_ROOT}),
    *i18n_patterns(
        path("", include("catalog.browse.urls")),
        path("", include("commerce.cart.urls")),
        path("", include("commerce.orders.urls")),
        path("", include("commerce.accounts.urls")),
        path("", include("commerce.payments.sandbox.urls")),
        path("", include(wagtail_urls)),
        prefix_default_language=False,
    ),
]
