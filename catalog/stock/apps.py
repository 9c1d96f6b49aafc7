from django.apps import AppConfig


class StockConfig(AppConfig):
    name = "catalog.stock"

    def ready(self) -> None:
        """Register what updates the `sold_out` of products."""
        from catalog.goods.writing import register_stock_upkeep
        from catalog.stock import soldout

        register_stock_upkeep(soldout)
