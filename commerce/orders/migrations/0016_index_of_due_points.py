from django.db import migrations, models

from core.migration_operations import AddIndexConcurrently


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("orders", "0015_points")]

    operations = [
        AddIndexConcurrently(
            "order",
            models.Index(
                condition=models.Q(
                    ("paid_at__isnull", False), ("points_booked_at", None), ("points_rate__gt", 0)
                ),
                fields=["status", "id"],
                name="order_points_due",
            ),
        ),
    ]
