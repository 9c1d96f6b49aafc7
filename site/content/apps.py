from django.apps import AppConfig


class ContentConfig(AppConfig):
    name = "content"

    def ready(self) -> None:
        """Let the forms of the back office show labels and permissions in the reader's language."""
        from content.labels import translate_labels
        from content.permission_names import translate_permissions

        translate_labels()
        translate_permissions()
