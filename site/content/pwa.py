"""The progressive web app: manifest, service worker, and the offline page."""

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.templatetags.static import static
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control

from content.models import ShopSettings
from core.islands import built
from core.languages import CHINESE, ENGLISH, HTML_LANGUAGE, in_language, localised, reader_language
from core.pages.public import read_only

ICONS = (
    ("icon-192.png", 192, "any"),
    ("icon-512.png", 512, "any"),
    ("icon-maskable-512.png", 512, "maskable"),
)


@read_only
@cache_control(public=True, max_age=3600)
def manifest(request: HttpRequest) -> HttpResponse:
    """Describe the shop as an app (W3C Web Application Manifest)."""
    shop = ShopSettings.load(request)
    data = {
        "name": shop.name,
        "short_name": shop.name[:12],
        "description": shop.tagline,
        "lang": HTML_LANGUAGE[reader_language()],
        "start_url": localised("/home"),
        "scope": "/",
        "display": "standalone",
        "theme_color": "#121f5e",
        "background_color": "#ffffff",
        "icons": [
            {"src": static(f"img/{name}"), "sizes": f"{side}x{side}", "type": "image/png", "purpose": purpose}
            for name, side, purpose in ICONS
        ],
        "shortcuts": [
            {"name": _("Cart"), "url": localised("/home/cart")},
            {"name": _("My orders"), "url": localised("/home/account/orders")},
        ],
    }
    return JsonResponse(
        data, json_dumps_params={"ensure_ascii": False}, content_type="application/manifest+json"
    )


@read_only
@cache_control(public=True, no_cache=True)
def service_worker(request: HttpRequest) -> HttpResponse:
    """Serve the service worker, which shows the offline page without a network."""
    bundle = built("css/shop")
    cached = [
        *(in_language("/offline", code) for code in (ENGLISH, CHINESE)),
        bundle.url if bundle else static("css/shop.css"),
        static("img/icons.svg"),
        static("img/logo.svg"),
    ]
    return render(request, "content/sw.js", {"cached": cached}, content_type="text/javascript; charset=utf-8")


@read_only
@cache_control(public=True, max_age=86_400)
def favicon(request: HttpRequest) -> HttpResponse:
    """Redirect /favicon.ico to the icon."""
    return redirect(static("img/icon-192.png"))


@read_only
def offline(request: HttpRequest) -> HttpResponse:
    """Show the offline page."""
    return render(request, "content/offline.html", {"noindex": True})
