from django.apps import AppConfig


class RefusedNoticesConfig(AppConfig):
    name = "commerce.refused_notices"
