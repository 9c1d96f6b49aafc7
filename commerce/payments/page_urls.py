"""The URL of the wallet's page, in each language."""

from django.urls import path

from commerce.payments import views

urlpatterns = [path("home/account/wallet", views.wallet, name="wallet")]
