import django.db.models.deletion
from django.db import migrations, models

from core.migration_operations import RemoveColumnIndexConcurrently


class Migration(migrations.Migration):
    atomic = False

    dependencies = [
        ("accounts", "0001_initial"),
        ("orders", "0002_order_line_names"),
    ]

    operations = [
        RemoveColumnIndexConcurrently(
            model_name="order",
            name="customer",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="orders",
                to="accounts.customer",
                verbose_name="customer",
            ),
        ),
        RemoveColumnIndexConcurrently(
            model_name="promotionuse",
            name="customer",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="+",
                to="accounts.customer",
            ),
        ),
        RemoveColumnIndexConcurrently(
            model_name="trade",
            name="customer",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="trades",
                to="accounts.customer",
            ),
        ),
    ]
