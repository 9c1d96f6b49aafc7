"""The URL of a credit note; it is the same in every language, like the PDF."""

from django.urls import path

from commerce.refunds import views

urlpatterns = [path("credit-notes/<str:name>", views.credit_note, name="credit_note")]
