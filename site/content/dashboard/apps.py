from django.apps import AppConfig


class DashboardConfig(AppConfig):
    name = "content.dashboard"

    def ready(self) -> None:
        """Keep formulas out of exports."""
        from content.dashboard.exports import protect_exports

        protect_exports()
