"""Fill what is derived from goods that were there before it was."""

from django.db import migrations
from django.db.models import F, OuterRef, Subquery
from django.db.models.functions import Coalesce


def fill(apps, schema_editor):
    Product = apps.get_model("goods", "Product")
    Category = apps.get_model("goods", "Category")
    PriceChange = apps.get_model("goods", "PriceChange")
    parent = Category.objects.filter(pk=OuterRef("category_id")).values("parent_id")
    Product.objects.update(top_category_id=Coalesce(Subquery(parent), F("category_id")))
    rows = Product.objects.values_list("pk", "price", "created_at").iterator(1000)
    PriceChange.objects.bulk_create(
        (PriceChange(product_id=pk, price=price, charged_from=since) for pk, price, since in rows),
        batch_size=1000,
    )


class Migration(migrations.Migration):
    dependencies = [("goods", "0002_retail")]
    operations = [migrations.RunPython(fill, migrations.RunPython.noop)]
