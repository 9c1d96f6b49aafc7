from django.apps import AppConfig


class SandboxConfig(AppConfig):
    name = "commerce.payments.providers.sandbox"
