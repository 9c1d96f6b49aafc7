from django.db import migrations, models

from core.migration_operations import AddIndexConcurrently


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("invoices", "0002_missing_characters")]
    operations = [
        AddIndexConcurrently(
            "invoice",
            models.Index(
                fields=["made_at"],
                condition=models.Q(("missing_characters", ""), _negated=True),
                name="invoice_missing_characters",
            ),
        )
    ]
