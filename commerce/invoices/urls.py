"""The URL of an invoice; the same in every language, as the invoice is."""

from django.urls import path

from commerce.invoices import views

urlpatterns = [path("invoices/<str:name>", views.invoice, name="invoice")]
