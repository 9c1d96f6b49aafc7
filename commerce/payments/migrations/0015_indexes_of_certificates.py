from django.db import migrations, models

from core.migration_operations import AddIndexConcurrently, AddUniqueConstraintConcurrently


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("payments", "0014_transfers_are_reviewed")]

    operations = [
        AddIndexConcurrently(
            "certificate",
            models.Index(
                fields=["order", "id"],
                condition=models.Q(("order__isnull", False)),
                name="certificate_of_order",
            ),
        ),
        AddIndexConcurrently(
            "certificate",
            models.Index(fields=["id"], condition=models.Q(("state", "waiting")), name="certificate_waiting"),
        ),
        AddIndexConcurrently(
            "certificate",
            models.Index(fields=["id"], condition=models.Q(("message_due", True)), name="certificate_untold"),
        ),
        AddUniqueConstraintConcurrently(
            "certificate",
            models.UniqueConstraint(
                fields=["order"],
                condition=models.Q(("state", "waiting")),
                name="one_waiting_certificate_per_order",
            ),
        ),
    ]
