from django.db import migrations, models

from core.migration_operations import AddIndexConcurrently


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("orders", "0004_discounts_and_vouchers")]

    operations = [
        AddIndexConcurrently(
            "order",
            models.Index(
                condition=models.Q(("voucher__isnull", False)), fields=["voucher"], name="order_of_voucher"
            ),
        ),
    ]
