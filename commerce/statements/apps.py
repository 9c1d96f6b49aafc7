from django.apps import AppConfig


class StatementsConfig(AppConfig):
    name = "commerce.statements"
