from django.db import migrations, models

from core.migration_operations import AddIndexConcurrently


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("payments", "0007_refunds_to_tell")]

    operations = [
        AddIndexConcurrently(
            "refund",
            models.Index(
                condition=models.Q(("message_due", True), ("state", "done")),
                fields=["id"],
                name="refund_untold",
            ),
        ),
    ]
