from django.apps import AppConfig


class CartConfig(AppConfig):
    name = "commerce.cart"
