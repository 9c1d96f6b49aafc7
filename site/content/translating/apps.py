from django.apps import AppConfig


class TranslatingConfig(AppConfig):
    name = "content.translating"

    def ready(self) -> None:
        """Bring what is published to the translation of its page, and name the filters of the report."""
        from content.translating import following
        from content.translating.report import name_filters

        following.listen()
        name_filters()
