"""The URL of a claim's picture, without a language prefix."""

from django.urls import path

from commerce.claims import views

urlpatterns = [path("claims/picture/<str:name>", views.picture, name="claim_picture")]
