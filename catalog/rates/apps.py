from django.apps import AppConfig


class RatesConfig(AppConfig):
    name = "catalog.rates"
