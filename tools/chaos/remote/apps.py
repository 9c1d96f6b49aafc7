from django.apps import AppConfig


class RemoteConfig(AppConfig):
    name = "tools.chaos.remote"

    def ready(self) -> None:
        """Let the provider over the network collect what the sandbox gateway would."""
        from commerce.payments.providers import registry
        from tools.chaos.remote.client import RemoteProvider

        registry.SANDBOX = RemoteProvider()
