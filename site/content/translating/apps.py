from django.apps import AppConfig


class TranslatingConfig(AppConfig):
    name = "content.translating"

    def ready(self) -> None:
        """Bring what is published to the translation of its page."""
        from content.translating import following

        following.listen()
