from django.apps import AppConfig


class EnquiriesConfig(AppConfig):
    name = "commerce.enquiries"
