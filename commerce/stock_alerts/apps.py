from django.apps import AppConfig


class StockAlertsConfig(AppConfig):
    name = "commerce.stock_alerts"

    def ready(self) -> None:
        """Register how long an alert stays true."""
        from commerce.messaging.states import register_state
        from commerce.stock_alerts.services import STATE, reopen, still_back

        register_state(STATE, still_back, reopen)
