from django.apps import AppConfig


class BreakingConfig(AppConfig):
    name = "tools.chaos.breaking"
    label = "chaos_breaking"

    def ready(self) -> None:
        from tools.chaos.breaking.points import watch

        watch()
