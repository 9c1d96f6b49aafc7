from django.apps import AppConfig


class BreakingConfig(AppConfig):
    name = "config.storm.breaking"
    label = "storm_breaking"

    def ready(self) -> None:
        from config.storm.breaking.points import watch

        watch()
