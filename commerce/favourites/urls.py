"""URLs of the favourites pages; `config.urls` includes them for both languages."""

from django.urls import path

from commerce.favourites import views

urlpatterns = [
    path("home/account/favourites", views.favourites, name="favourites"),
    path("shared/<str:token>", views.shared, name="shared-list"),
]
