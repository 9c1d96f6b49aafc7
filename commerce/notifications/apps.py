from django.apps import AppConfig


class NotificationsConfig(AppConfig):
    name = "commerce.notifications"

    def ready(self) -> None:
        """Register how long messages about orders stay true."""
        from commerce.messaging.states import register_state
        from commerce.notifications.lasting import LASTING

        for kind, lasting in LASTING.items():
            register_state(kind.value, lasting)
