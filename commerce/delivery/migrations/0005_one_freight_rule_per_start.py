from django.db import migrations, models

from core.migration_operations import AddUniqueConstraintConcurrently


class Migration(migrations.Migration):
    atomic = False

    dependencies = [
        ("delivery", "0004_freight_by_council_range_and_day"),
    ]

    operations = [
        AddUniqueConstraintConcurrently(
            model_name="freightrule",
            constraint=models.UniqueConstraint(
                condition=models.Q(("valid_from", None)),
                fields=(
                    "zip_prefix",
                    "zip_from",
                    "zip_to",
                    "council",
                    "province",
                    "zone",
                    "country",
                    "storage",
                ),
                name="one_undated_freight_rule",
                violation_error_message="There is a rule for this place and storage at the same time already.",
            ),
        ),
        AddUniqueConstraintConcurrently(
            model_name="freightrule",
            constraint=models.UniqueConstraint(
                fields=(
                    "zip_prefix",
                    "zip_from",
                    "zip_to",
                    "council",
                    "province",
                    "zone",
                    "country",
                    "storage",
                    "valid_from",
                ),
                name="one_freight_rule_per_start",
                violation_error_message="There is a rule for this place and storage at the same time already.",
            ),
        ),
    ]
