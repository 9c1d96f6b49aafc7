from django.db import migrations, models

from core.migration_operations import AddIndexConcurrently


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("ledger", "0002_debts")]
    operations = [
        AddIndexConcurrently(
            "ledgeraccount",
            models.Index(
                fields=["id"], condition=models.Q(("balance__gt", 0), ("kind", "debt")), name="debt_open"
            ),
        )
    ]
