import django.db.models.deletion
from django.db import migrations, models

from core.migration_operations import RemoveColumnIndexConcurrently


class Migration(migrations.Migration):
    atomic = False

    dependencies = [
        ("accounts", "0001_initial"),
        ("ledger", "0001_initial"),
    ]

    operations = [
        RemoveColumnIndexConcurrently(
            model_name="ledgeraccount",
            name="customer",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="ledger_accounts",
                to="accounts.customer",
            ),
        ),
        RemoveColumnIndexConcurrently(
            model_name="ledgerentry",
            name="account",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="entries",
                to="ledger.ledgeraccount",
            ),
        ),
    ]
