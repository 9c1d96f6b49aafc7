from django.apps import AppConfig


class StockConfig(AppConfig):
    name = "catalog.stock"

    def ready(self) -> None:
        """Register the module that updates `sold_out` of products."""
        from catalog.goods.writing import register_stock_upkeep
        from catalog.stock import soldout

        register_stock_upkeep(soldout)
