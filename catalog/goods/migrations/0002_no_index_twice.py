import django.db.models.deletion
import modelcluster.fields
from django.db import migrations, models

from core.migration_operations import RemoveColumnIndexConcurrently


class Migration(migrations.Migration):
    atomic = False

    dependencies = [
        ("goods", "0001_initial"),
    ]

    operations = [
        RemoveColumnIndexConcurrently(
            model_name="levelprice",
            name="product",
            field=modelcluster.fields.ParentalKey(
                db_index=False,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="level_prices",
                to="goods.product",
            ),
        ),
        RemoveColumnIndexConcurrently(
            model_name="pricechange",
            name="product",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="price_changes",
                to="goods.product",
            ),
        ),
        RemoveColumnIndexConcurrently(
            model_name="pricetier",
            name="product",
            field=modelcluster.fields.ParentalKey(
                db_index=False,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="price_tiers",
                to="goods.product",
            ),
        ),
        RemoveColumnIndexConcurrently(
            model_name="taggedproduct",
            name="content_object",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="+",
                to="goods.product",
            ),
        ),
    ]
