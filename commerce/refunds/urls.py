"""The URL of a credit note; the same in every language, as the credit note is."""

from django.urls import path

from commerce.refunds import views

urlpatterns = [path("credit-notes/<str:name>", views.credit_note, name="credit_note")]
