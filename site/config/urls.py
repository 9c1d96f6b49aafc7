"""Every address of the shop: what knows no language first, then the pages in both, Wagtail's last."""

from django.conf import settings
from django.conf.urls.i18n import i18n_patterns
from django.urls import include, path, re_path
from django.views.static import serve
from wagtail import urls as wagtail_urls
from wagtail.admin import urls as wagtailadmin_urls
from wagtail.documents import urls as wagtaildocs_urls
from wagtail.views import serve as wagtail_serve

from catalog.browse.views import to_home
from config.api import api, unknown
from config.health import live, ready
from content import phone, sitemaps
from content.views import without_slash
from core.publicpages import public_page

handler404 = "catalog.browse.views.not_found"
urlpatterns = [
    path("livez", live),
    path("readyz", ready),
    path("api/", api.urls),
    re_path("^api/", unknown),
    path("admin/", include(wagtailadmin_urls)),
    path("documents/", include(wagtaildocs_urls)),
    path("", include("commerce.payments.urls")),
    path("sw.js", phone.service_worker),
    path("favicon.ico", phone.favicon),
    path("robots.txt", sitemaps.robots),
    path("sitemap.xml", sitemaps.sitemap),
    path("sitemap-pages.xml", sitemaps.pages),
    path("sitemap-goods-<int:number>.xml", sitemaps.goods),
    # The prefix alone, for which i18n_patterns wants a slash.
    path("zh-hans", to_home),
    # In production the proxy in front serves these from the data folder. No longer than a file's name may be.
    re_path("^media/(?P<path>[!-~]{1,255})$", serve, {"document_root": settings.MEDIA_ROOT}),
    *i18n_patterns(
        path("", include("catalog.browse.urls")),
        path("", include("content.urls")),
        path("", include("commerce.cart.urls")),
        path("", include("commerce.notices.urls")),
        path("", include("commerce.orders.urls")),
        path("", include("commerce.accounts.urls")),
        path("", include("commerce.payments.sandbox.urls")),
        re_path("^(?!media/|static/)(?P<path>.+)/$", without_slash),
        re_path(wagtail_urls.serve_pattern, public_page()(wagtail_serve), name="wagtail_serve"),
        path("", include(wagtail_urls)),
        prefix_default_language=False,
    ),
]
