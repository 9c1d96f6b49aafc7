from django.apps import AppConfig


class StockAlertsConfig(AppConfig):
    name = "commerce.stock_alerts"
