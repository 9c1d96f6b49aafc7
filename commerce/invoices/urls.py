"""The URL of an invoice; it has no language prefix, since an invoice contains both languages."""

from django.urls import path

from commerce.invoices import views

urlpatterns = [path("invoices/<str:name>", views.invoice, name="invoice")]
