"""The URL of the page about delivery fees and times."""

from django.urls import path

from commerce.delivery import views

urlpatterns = [path("delivery", views.fees, name="delivery-fees")]
