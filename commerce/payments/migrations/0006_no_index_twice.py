import django.db.models.deletion
from django.db import migrations, models

from core.migration_operations import RemoveColumnIndexConcurrently


class Migration(migrations.Migration):
    atomic = False

    dependencies = [
        ("payments", "0005_reports_of_notices"),
    ]

    operations = [
        RemoveColumnIndexConcurrently(
            model_name="refund",
            name="payment",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="refunds",
                to="payments.payment",
                verbose_name="payment",
            ),
        ),
    ]
