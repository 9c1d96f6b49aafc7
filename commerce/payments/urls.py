"""The URLs of notices and returning customers; the same in every language."""

from django.urls import path

from commerce.payments import views

urlpatterns = [
    path("pay/notice/<slug:provider_name>", views.notice, name="pay_notice"),
    path("pay/certificate/<str:name>", views.certificate, name="pay_certificate"),
    path("pay/return/<slug:reference>", views.provider_return, name="pay_return"),
]
