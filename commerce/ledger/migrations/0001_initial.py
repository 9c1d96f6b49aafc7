import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("accounts", "0001_initial"),
    ]

    operations = [
        migrations.CreateModel(
            name="LedgerAccount",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[("wallet", "Wallet"), ("points", "Points")],
                        max_length=8,
                        verbose_name="kind",
                    ),
                ),
                (
                    "balance",
                    models.DecimalField(decimal_places=2, default=0, max_digits=12, verbose_name="balance"),
                ),
                (
                    "customer",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="ledger_accounts",
                        to="accounts.customer",
                    ),
                ),
            ],
            options={
                "verbose_name": "ledger account",
                "verbose_name_plural": "ledger accounts",
            },
        ),
        migrations.CreateModel(
            name="LedgerEntry",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("amount", models.DecimalField(decimal_places=2, max_digits=12, verbose_name="amount")),
                (
                    "balance",
                    models.DecimalField(decimal_places=2, max_digits=12, verbose_name="balance after"),
                ),
                (
                    "reason",
                    models.CharField(
                        choices=[
                            ("opening", "Opening balance"),
                            ("payment", "Order payment"),
                            ("refund", "Refund"),
                            ("recharge", "Top-up"),
                            ("adjustment", "Administrator adjustment"),
                        ],
                        max_length=12,
                        verbose_name="reason",
                    ),
                ),
                ("reference", models.CharField(max_length=40, verbose_name="reference")),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "account",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="entries",
                        to="ledger.ledgeraccount",
                    ),
                ),
            ],
            options={
                "verbose_name": "ledger entry",
                "verbose_name_plural": "ledger entries",
                "ordering": ["-id"],
            },
        ),
        migrations.AddConstraint(
            model_name="ledgeraccount",
            constraint=models.UniqueConstraint(fields=("customer", "kind"), name="one_account_per_kind"),
        ),
        migrations.AddConstraint(
            model_name="ledgeraccount",
            constraint=models.CheckConstraint(
                condition=models.Q(("kind", "points"), ("balance__gte", 0), _connector="OR"),
                name="wallet_not_negative",
            ),
        ),
        migrations.AddIndex(
            model_name="ledgerentry",
            index=models.Index(fields=["account", "-id"], name="entry_of_account"),
        ),
        migrations.AddConstraint(
            model_name="ledgerentry",
            constraint=models.UniqueConstraint(
                fields=("account", "reason", "reference"), name="one_entry_per_reference"
            ),
        ),
    ]
