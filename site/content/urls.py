"""The URLs of pages outside of Wagtail's tree; `config.urls` adds them in both languages."""

from django.urls import path

from content import pwa, views

urlpatterns = [
    path("areas", views.areas, name="areas"),
    path("areas/<str:area_id>", views.area, name="area"),
    path("home/about-us/information-zh", views.information_in_chinese),
    path("download", views.download, name="download"),
    path("manifest.webmanifest", pwa.manifest),
    path("offline", pwa.offline),
]
