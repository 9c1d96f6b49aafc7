from django.db import migrations, models

from core.migration_operations import AddIndexConcurrently, AddUniqueConstraintConcurrently


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("payments", "0002_what_was_received")]

    operations = [
        AddIndexConcurrently(
            model_name="payment",
            index=models.Index(
                condition=models.Q(("next_query_at__isnull", False)),
                fields=["next_query_at"],
                name="payment_query_due",
            ),
        ),
        AddIndexConcurrently(
            model_name="payment",
            index=models.Index(
                condition=models.Q(("overdue_at__isnull", False), ("state", "pending")),
                fields=["overdue_at"],
                name="payment_overdue",
            ),
        ),
        AddUniqueConstraintConcurrently(
            model_name="refund",
            constraint=models.UniqueConstraint(fields=("payment", "reason"), name="one_refund_per_reason"),
        ),
    ]
