from django.apps import AppConfig


class ContentConfig(AppConfig):
    name = "content"

    def ready(self) -> None:
        """Let the forms of the back office speak the language of who reads."""
        from content.labels import translate_labels
        from content.permission_names import translate_permissions

        translate_labels()
        translate_permissions()
