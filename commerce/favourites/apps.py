from django.apps import AppConfig


class FavouritesConfig(AppConfig):
    name = "commerce.favourites"
