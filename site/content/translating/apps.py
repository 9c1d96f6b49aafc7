from django.apps import AppConfig


class TranslatingConfig(AppConfig):
    name = "content.translating"

    def ready(self) -> None:
        """Follow what is published, publish translations whole, and name the filters of the report."""
        from content.translating import complete_translations, updates
        from content.translating.report import name_filters

        updates.listen()
        complete_translations.check_before_saving()
        name_filters()
