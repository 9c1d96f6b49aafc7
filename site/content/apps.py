from django.apps import AppConfig


class ContentConfig(AppConfig):
    name = "content"

    def ready(self) -> None:
        """Translate labels and permissions of the back office; share privacy, and protect used pictures."""
        from content import privacy, uses
        from content.labels import translate_labels
        from content.permission_names import translate_permissions

        translate_labels()
        translate_permissions()
        privacy.listen()
        uses.protect_used()
