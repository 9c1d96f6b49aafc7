"""The pages of favourites; `config.urls` puts them under both languages."""

from django.urls import path

from commerce.favourites import views

urlpatterns = [
    path("home/account/favourites", views.favourites, name="favourites"),
    path("shared/<str:token>", views.shared, name="shared-list"),
]
