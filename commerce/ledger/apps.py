from django.apps import AppConfig


class LedgerConfig(AppConfig):
    name = "commerce.ledger"
