from django.apps import AppConfig


class NotificationsConfig(AppConfig):
    name = "commerce.notifications"
