from django.apps import AppConfig


class DeliveryConfig(AppConfig):
    name = "commerce.delivery"

    def ready(self) -> None:
        """Register the delivery costs in the structured data of products."""
        from catalog.browse.structured_data import register_shipping
        from commerce.delivery.shipping_details import shipping_details

        register_shipping(shipping_details)
