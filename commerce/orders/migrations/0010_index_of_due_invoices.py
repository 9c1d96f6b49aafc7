from django.db import migrations, models

from core.migration_operations import AddIndexConcurrently


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("orders", "0009_invoice_due")]

    operations = [
        AddIndexConcurrently(
            "order",
            models.Index(
                condition=models.Q(("invoice_due", True), ("paid_at__isnull", False)),
                fields=["paid_at", "id"],
                name="order_invoice_due",
            ),
        ),
    ]
