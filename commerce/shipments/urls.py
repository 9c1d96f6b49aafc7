"""The URL of tracking providers' notices; the same in every language."""

from django.urls import path

from commerce.shipments import notice_views

urlpatterns = [
    path("tracking/notice/<slug:provider_name>", notice_views.notice, name="tracking_notice"),
]
