import django.db.models.deletion
import modelcluster.fields
from django.db import migrations, models

from core.migration_operations import RemoveColumnIndexConcurrently


class Migration(migrations.Migration):
    atomic = False

    dependencies = [
        ("delivery", "0002_hours_names"),
    ]

    operations = [
        RemoveColumnIndexConcurrently(
            model_name="pickuphours",
            name="shop",
            field=modelcluster.fields.ParentalKey(
                db_index=False,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="hours",
                to="delivery.pickupshop",
            ),
        ),
        RemoveColumnIndexConcurrently(
            model_name="pickupslot",
            name="shop",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="slots",
                to="delivery.pickupshop",
            ),
        ),
    ]
