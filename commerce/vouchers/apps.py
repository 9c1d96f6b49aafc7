from django.apps import AppConfig


class VouchersConfig(AppConfig):
    name = "commerce.vouchers"
