"""URLs of the claims pages."""

from django.urls import path

from commerce.claims import views

urlpatterns = [
    path("home/account/claims", views.claims, name="claims"),
    path("home/account/claims/new/<slug:order_no>", views.new_claim, name="new-claim"),
    path("home/account/claims/<slug:claim_no>", views.claim, name="claim"),
]
