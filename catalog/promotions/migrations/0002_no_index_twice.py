import django.db.models.deletion
import modelcluster.fields
from django.db import migrations

from core.migration_operations import RemoveColumnIndexConcurrently


class Migration(migrations.Migration):
    atomic = False

    dependencies = [
        ("promotions", "0001_initial"),
    ]

    operations = [
        RemoveColumnIndexConcurrently(
            model_name="promotionitem",
            name="promotion",
            field=modelcluster.fields.ParentalKey(
                db_index=False,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="items",
                to="promotions.promotion",
                verbose_name="promotion",
            ),
        ),
    ]
