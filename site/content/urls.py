"""Pages that Wagtail's tree cannot hold; `config.urls` puts them under both languages."""

from django.urls import path

from content import phone, views

urlpatterns = [
    path("areas", views.areas, name="areas"),
    path("areas/<str:area_id>", views.area, name="area"),
    path("home/about-us/information-zh", views.information_in_chinese),
    path("download", views.download, name="download"),
    path("manifest.webmanifest", phone.manifest),
    path("offline", phone.offline),
]
