"""What this framework, server and database can do at best on this machine: the shop is compared with that."""

from django.http import HttpRequest, HttpResponse, JsonResponse

from catalog.goods.models import Product

ROWS = 24


def bare(_request: HttpRequest) -> HttpResponse:
    """Answer with nothing worth mentioning."""
    return HttpResponse("ok", content_type="text/plain")


def rows(_request: HttpRequest) -> HttpResponse:
    """Answer with what one plain query reads."""
    found = Product.objects.order_by("pk").values("pk", "sku", "name_en", "name_zh", "price")[:ROWS]
    return JsonResponse({"list": list(found)})
