from django.apps import AppConfig


class RemoteConfig(AppConfig):
    name = "config.storm.remote"

    def ready(self) -> None:
        """Let the provider over the network collect what the sandbox gateway would."""
        from commerce.payments.providers import registry
        from config.storm.remote.client import RemoteProvider

        registry.SANDBOX = RemoteProvider()
