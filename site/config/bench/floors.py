"""Two minimal views: the best that framework, server and database can do on this machine."""

from django.http import HttpRequest, HttpResponse, JsonResponse

from catalog.goods.models import Product

ROWS = 24


def bare(_request: HttpRequest) -> HttpResponse:
    """Answer with two letters."""
    return HttpResponse("ok", content_type="text/plain")


def rows(_request: HttpRequest) -> HttpResponse:
    """Answer with the rows of one plain query."""
    found = Product.objects.order_by("pk").values("pk", "sku", "name_en", "name_zh", "price")[:ROWS]
    return JsonResponse({"list": list(found)})
