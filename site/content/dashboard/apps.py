from django.apps import AppConfig


class DashboardConfig(AppConfig):
    name = "content.dashboard"

    def ready(self) -> None:
        """Remove formulas from exports, and count rows in the reader's language."""
        from content.dashboard.counts import count_in_words
        from content.dashboard.exports import protect_exports

        protect_exports()
        count_in_words()
