"""Every URL of the shop, and three minimal views.

They show the best that framework, server and database can do on this machine.
"""

from django.db import transaction
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.urls import path
from django.utils import timezone
from django.views.decorators.csrf import csrf_exempt

from catalog.goods.models import Product
from commerce.rate_limits.models import RateLimitCounter
from config import urls
from core.ids import new_secret
from tools.bench.steps import LIMIT

ROWS = 24


def bare(_request: HttpRequest) -> HttpResponse:
    """Answer with two letters."""
    return HttpResponse("ok", content_type="text/plain")


def rows(_request: HttpRequest) -> HttpResponse:
    """Answer with the rows of one plain query."""
    found = Product.objects.order_by("pk").values("pk", "sku", "name_en", "name_zh", "price")[:ROWS]
    return JsonResponse({"list": list(found)})


@csrf_exempt
def insert(_request: HttpRequest) -> HttpResponse:
    """Write one row in a transaction: a counter of no one's attempts, which has ended already."""
    with transaction.atomic():
        RateLimitCounter.objects.create(limit=LIMIT, subject=new_secret()[:64], window_ends_at=timezone.now())
    return HttpResponse("ok", content_type="text/plain")


handler404 = urls.handler404
urlpatterns = [
    path("bench/bare", bare),
    path("bench/rows", rows),
    path("bench/insert", insert),
    *urls.urlpatterns,
]
