from django.apps import AppConfig


class RateLimitsConfig(AppConfig):
    name = "commerce.rate_limits"
