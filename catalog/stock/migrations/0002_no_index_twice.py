import django.db.models.deletion
from django.db import migrations, models

from core.migration_operations import RemoveColumnIndexConcurrently


class Migration(migrations.Migration):
    atomic = False

    dependencies = [
        ("stock", "0001_initial"),
    ]

    operations = [
        RemoveColumnIndexConcurrently(
            model_name="stocklevel",
            name="location",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="stock_levels",
                to="stock.location",
                verbose_name="stock location",
            ),
        ),
    ]
