from django.db import migrations, models

from core.migration_operations import AddIndexConcurrently, AddUniqueConstraintConcurrently


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("payments", "0010_refunds_of_before")]

    operations = [
        AddIndexConcurrently(
            model_name="refund",
            index=models.Index(fields=["payment"], name="refund_of_payment"),
        ),
        AddIndexConcurrently(
            model_name="refund",
            index=models.Index(
                condition=models.Q(("next_query_at__isnull", False)),
                fields=["next_query_at"],
                name="refund_query_due",
            ),
        ),
        AddIndexConcurrently(
            model_name="refund",
            index=models.Index(
                condition=models.Q(("state", "done"), _negated=True), fields=["id"], name="refund_not_done"
            ),
        ),
        AddUniqueConstraintConcurrently(
            model_name="refund",
            constraint=models.UniqueConstraint(
                condition=models.Q(("reference", ""), _negated=True),
                fields=("reference",),
                name="one_refund_per_reference",
            ),
        ),
        AddUniqueConstraintConcurrently(
            model_name="refund",
            constraint=models.UniqueConstraint(
                condition=models.Q(("reason__in", ["order_refund", "chargeback"]), _negated=True),
                fields=("payment", "reason"),
                name="one_refund_by_itself",
            ),
        ),
        AddIndexConcurrently(
            model_name="payment",
            index=models.Index(
                condition=models.Q(("recharge__isnull", False)),
                fields=["recharge"],
                name="payment_of_recharge",
            ),
        ),
        AddIndexConcurrently(
            model_name="payment",
            index=models.Index(condition=models.Q(("is_held", True)), fields=["order"], name="payment_held"),
        ),
        AddUniqueConstraintConcurrently(
            model_name="payment",
            constraint=models.UniqueConstraint(
                condition=models.Q(("state", "pending")),
                fields=("order", "pay_type", "amount"),
                name="one_open_attempt_per_amount",
            ),
        ),
    ]
