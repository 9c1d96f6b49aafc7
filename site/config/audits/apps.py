from django.apps import AppConfig


class AuditsConfig(AppConfig):
    name = "config.audits"
