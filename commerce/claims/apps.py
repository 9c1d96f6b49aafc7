from django.apps import AppConfig


class ClaimsConfig(AppConfig):
    name = "commerce.claims"
