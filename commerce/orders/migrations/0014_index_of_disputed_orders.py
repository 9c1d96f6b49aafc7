from django.db import migrations, models

from core.migration_operations import AddIndexConcurrently


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("orders", "0013_end_of_booked_window")]

    operations = [
        AddIndexConcurrently(
            "order", models.Index(condition=models.Q(("status", 98)), fields=["id"], name="order_disputed")
        ),
    ]
