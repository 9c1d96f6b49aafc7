"""The URL of a claim's picture; the same in every language."""

from django.urls import path

from commerce.claims import views

urlpatterns = [path("claims/picture/<str:name>", views.picture, name="claim_picture")]
