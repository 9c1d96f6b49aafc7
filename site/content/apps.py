from django.apps import AppConfig


class ContentConfig(AppConfig):
    name = "content"

    def ready(self) -> None:
        """Translate labels and permissions; share privacy, protect used pictures, limit redirect files."""
        from wagtail.contrib.redirects.base_formats import DEFAULT_FORMATS, XLSX

        from content import privacy, uses
        from content.labels import translate_labels
        from content.permission_names import translate_permissions

        translate_labels()
        translate_permissions()
        privacy.listen()
        uses.protect_used()
        # Wagtail would unpack a workbook of any size within the request.
        DEFAULT_FORMATS.remove(XLSX)
