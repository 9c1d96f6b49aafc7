"""URL of the cart page."""

from django.urls import path

from commerce.cart import views

urlpatterns = [path("home/cart", views.cart, name="cart")]
