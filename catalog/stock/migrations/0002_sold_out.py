"""Tell of every good whether a delivery order can buy it."""

from django.db import migrations
from django.db.models import Exists, F, OuterRef


def fill(apps, schema_editor):
    Product = apps.get_model("goods", "Product")
    StockLevel = apps.get_model("stock", "StockLevel")
    enough = StockLevel.objects.filter(
        location__fills_deliveries=True,
        product_id=OuterRef("pk"),
        on_hand__gte=F("reserved") + OuterRef("min_amount"),
    )
    Product.objects.filter(Exists(enough)).update(sold_out=False)


class Migration(migrations.Migration):
    dependencies = [("stock", "0001_initial"), ("goods", "0004_top_category_always")]
    operations = [migrations.RunPython(fill, migrations.RunPython.noop)]
