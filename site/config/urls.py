"""The shop's URLs: those without a language first, then the pages in both languages, Wagtail's last."""

from django.conf import settings
from django.conf.urls.i18n import i18n_patterns
from django.urls import include, path, re_path
from django.views.decorators.cache import cache_control
from django.views.generic import RedirectView
from django.views.static import serve
from wagtail import urls as wagtail_urls
from wagtail.admin import urls as wagtailadmin_urls
from wagtail.documents import urls as wagtaildocs_urls
from wagtail.utils.urlpatterns import decorate_urlpatterns

from catalog.browse.views import merchant_feed, to_home
from config.api import api, unknown
from config.health import live, ready
from config.middleware.back_office_conflicts import checked_again
from config.middleware.back_office_dead_ends import without_dead_ends
from config.middleware.back_office_saves import one_save_at_a_time
from config.middleware.back_office_sending_again import keeping_what_was_typed
from config.staff_login import StaffLoginView, StaffPasswordResetView
from content import pwa, sitemaps
from content.views import editors_page, without_slash

handler404 = "catalog.browse.views.not_found"
handler500 = "config.faults.failed"
back_office_urls = wagtailadmin_urls.urlpatterns
for decorate in (keeping_what_was_typed, without_dead_ends, one_save_at_a_time, checked_again):
    decorate_urlpatterns(back_office_urls, decorate)
# A document may be private, and its collection may become private later.
document_urls = decorate_urlpatterns(wagtaildocs_urls.urlpatterns, cache_control(private=True, no_cache=True))
urlpatterns = [
    path("livez", live),
    path("readyz", ready),
    # Ninja's own view here only shows where the documentation is.
    path("api/", unknown),
    path("api/", api.urls),
    re_path("^api/", unknown),
    # Forms of the address that people type; the shop's own URLs have no slash at the end.
    re_path("^(zh-hans/)?admin$|^zh-hans/admin/$", RedirectView.as_view(url="/admin/")),
    path("admin/login/", StaffLoginView.as_view()),
    path("admin/password_reset/", StaffPasswordResetView.as_view()),
    path("admin/", include(back_office_urls)),
    path("documents/", include(document_urls)),
    path("", include("commerce.payments.urls")),
    path("", include("commerce.shipments.urls")),
    path("", include("commerce.invoices.urls")),
    path("", include("commerce.refunds.urls")),
    path("", include("commerce.claims.urls")),
    path("sw.js", pwa.service_worker),
    path("favicon.ico", pwa.favicon),
    path("robots.txt", sitemaps.robots),
    path("sitemap.xml", sitemaps.sitemap),
    path("sitemap-pages.xml", sitemaps.pages),
    path("sitemap-goods-<int:number>.xml", sitemaps.products),
    re_path("^google-feed-(?P<language>en|zh)\\.xml$", merchant_feed),
    # The prefix alone, which i18n_patterns only matches with a slash.
    path("zh-hans", to_home),
    # In production the proxy serves these from the data folder. The limit is that of a file name.
    re_path("^media/(?P<path>[!-~]{1,255})$", serve, {"document_root": settings.MEDIA_ROOT}),
    *i18n_patterns(
        path("", include("catalog.browse.urls")),
        path("", include("content.urls")),
        path("", include("commerce.cart.urls")),
        path("", include("commerce.delivery.urls")),
        path("", include("commerce.favourites.urls")),
        path("", include("commerce.stock_alerts.urls")),
        path("", include("commerce.enquiries.urls")),
        path("", include("commerce.orders.urls")),
        path("", include("commerce.claims.page_urls")),
        path("", include("commerce.accounts.urls")),
        path("", include("commerce.privacy.urls")),
        path("", include("commerce.payments.page_urls")),
        path("", include("commerce.payments.providers.sandbox.urls")),
        re_path("^(?!media/|static/)(?P<path>.+)/$", without_slash),
        re_path(wagtail_urls.serve_pattern, editors_page, name="wagtail_serve"),
        path("", include(wagtail_urls)),
        prefix_default_language=False,
    ),
]
