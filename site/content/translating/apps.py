from django.apps import AppConfig


class TranslatingConfig(AppConfig):
    name = "content.translating"

    def ready(self) -> None:
        """Connect the updates of translations and the check before saving; translate the report's filters."""
        from content.translating import complete_translations, updates
        from content.translating.report import name_filters

        updates.listen()
        complete_translations.check_before_saving()
        name_filters()
