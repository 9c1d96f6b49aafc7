"""Every URL of the shop, and the minimal views."""

from django.urls import path

from config import urls
from tools.bench import floors

handler404 = urls.handler404
urlpatterns = [
    path("bench/bare", floors.bare),
    path("bench/rows", floors.rows),
    path("bench/insert", floors.insert),
    *urls.urlpatterns,
]
