"""The sandbox gateway's page, in each language."""

from django.urls import path

from commerce.payments.providers.sandbox import views

urlpatterns = [path("sandbox-pay/<slug:reference>", views.pay, name="sandbox_pay")]
