from django.db import migrations, models

from core.migration_operations import AddIndexConcurrently


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("orders", "0007_from_order_to_doorstep")]

    operations = [
        AddIndexConcurrently(
            "order",
            models.Index(
                condition=models.Q(("delivery_slot__isnull", False)),
                fields=["delivery_slot"],
                name="order_of_window",
            ),
        ),
        AddIndexConcurrently(
            "order",
            models.Index(
                condition=models.Q(("status__in", [6, 100, 102, 106])),
                fields=["complete_at"],
                name="order_completing",
            ),
        ),
        AddIndexConcurrently(
            "orderstatuschange",
            models.Index(
                condition=models.Q(("message_due", True)), fields=["id"], name="status_change_untold"
            ),
        ),
    ]
