import django.db.models.deletion
from django.db import migrations, models

# Code on the wire, name, pay code, picture, provider, switched on (docs/product.md#constants).
PAY_TYPES = [
    ("5", "RoyalPayCard", "RoyalPayCard", "card", "royalpay", True),
    ("2", "Wechat", "Wechat", "qr", "royalpay", True),
    ("4", "Ali", "Ali", "phone", "royalpay", True),
    ("Paypal", "Paypal", "Paypal", "online", "paypal", True),
    ("0", "Pre-deposit", "PreDeposit", "wallet", "wallet", True),
    ("transfer", "OffLine Transfer", "transfer", "transfer", "", False),
    ("cashOnDelivery", "Cash on delivery", "cashOnDelivery", "cash", "", False),
    ("3", "Poli", "Poli", "bank", "", False),
    ("1", "Contact customer service", "service", "service", "", False),
]


def add_pay_types(apps, schema_editor):
    pay_type = apps.get_model("payments", "PayType")
    for sort, (code, name, pay_code, picture, provider, enabled) in enumerate(PAY_TYPES, start=1):
        pay_type.objects.get_or_create(
            code=code,
            defaults={
                "pay_name": name,
                "pay_code": pay_code,
                "picture": f"img/pay/{picture}.svg",
                "provider": provider,
                "enabled": enabled,
                "sort": sort,
            },
        )


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("accounts", "0001_initial"),
        ("orders", "0001_initial"),
    ]

    operations = [
        migrations.CreateModel(
            name="PayType",
            fields=[
                (
                    "code",
                    models.CharField(
                        max_length=16, primary_key=True, serialize=False, verbose_name="code on the wire"
                    ),
                ),
                ("pay_name", models.CharField(max_length=60, verbose_name="name")),
                ("pay_code", models.CharField(max_length=20, verbose_name="pay code")),
                ("picture", models.CharField(max_length=200, verbose_name="picture")),
                ("provider", models.CharField(max_length=20, verbose_name="provider")),
                ("enabled", models.BooleanField(default=False, verbose_name="on")),
                ("sort", models.PositiveSmallIntegerField(default=0, verbose_name="place in the list")),
            ],
            options={
                "verbose_name": "pay type",
                "verbose_name_plural": "pay types",
                "ordering": ["sort"],
            },
        ),
        migrations.CreateModel(
            name="Certificate",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(max_length=43, unique=True, verbose_name="name")),
                ("created_at", models.DateTimeField(auto_now_add=True, verbose_name="uploaded at")),
                (
                    "customer",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="certificates",
                        to="accounts.customer",
                        verbose_name="customer",
                    ),
                ),
            ],
            options={
                "verbose_name": "payment certificate",
                "verbose_name_plural": "payment certificates",
                "ordering": ["-id"],
            },
        ),
        migrations.CreateModel(
            name="Payment",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "reference",
                    models.CharField(max_length=60, unique=True, verbose_name="reference at the provider"),
                ),
                ("pay_type", models.CharField(max_length=16, verbose_name="pay type")),
                ("provider", models.CharField(max_length=20, verbose_name="provider")),
                ("amount", models.DecimalField(decimal_places=2, max_digits=12, verbose_name="amount")),
                ("currency", models.CharField(default="AUD", max_length=3, verbose_name="currency")),
                (
                    "state",
                    models.CharField(
                        choices=[("pending", "Pending"), ("paid", "Paid"), ("failed", "Failed")],
                        default="pending",
                        max_length=8,
                        verbose_name="state",
                    ),
                ),
                ("jump_url", models.URLField(blank=True, max_length=500)),
                ("language", models.CharField(default="en", max_length=8)),
                ("created_at", models.DateTimeField(auto_now_add=True, verbose_name="begun at")),
                ("settled_at", models.DateTimeField(null=True, verbose_name="settled at")),
                ("next_query_at", models.DateTimeField(null=True, verbose_name="next question at")),
                ("queries", models.PositiveSmallIntegerField(default=0, verbose_name="questions asked")),
                (
                    "order",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="payments",
                        to="orders.order",
                        verbose_name="order",
                    ),
                ),
            ],
            options={
                "verbose_name": "payment",
                "verbose_name_plural": "payments",
                "ordering": ["-id"],
            },
        ),
        migrations.CreateModel(
            name="PaymentEvent",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("provider", models.CharField(max_length=20)),
                ("event_id", models.CharField(max_length=80)),
                ("body", models.JSONField()),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "payment",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="events",
                        to="payments.payment",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Refund",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("amount", models.DecimalField(decimal_places=2, max_digits=12, verbose_name="amount")),
                (
                    "reason",
                    models.CharField(
                        choices=[
                            ("paid_twice", "Paid twice"),
                            ("order_canceled", "Paid after the order was canceled"),
                        ],
                        max_length=20,
                        verbose_name="reason",
                    ),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[("due", "Due"), ("done", "Done")],
                        default="due",
                        max_length=6,
                        verbose_name="state",
                    ),
                ),
                ("created_at", models.DateTimeField(auto_now_add=True, verbose_name="due since")),
                (
                    "payment",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="refunds",
                        to="payments.payment",
                        verbose_name="payment",
                    ),
                ),
            ],
            options={
                "verbose_name": "refund",
                "verbose_name_plural": "refunds",
                "ordering": ["-id"],
            },
        ),
        migrations.AddIndex(
            model_name="payment",
            index=models.Index(
                condition=models.Q(("state", "pending")), fields=["next_query_at"], name="payment_to_query"
            ),
        ),
        migrations.AddConstraint(
            model_name="payment",
            constraint=models.CheckConstraint(
                condition=models.Q(("amount__gt", 0)), name="payment_amount_positive"
            ),
        ),
        migrations.AddConstraint(
            model_name="payment",
            constraint=models.UniqueConstraint(
                condition=models.Q(("state", "pending")),
                fields=("order", "pay_type"),
                name="one_open_attempt_per_pay_type",
            ),
        ),
        migrations.AddConstraint(
            model_name="paymentevent",
            constraint=models.UniqueConstraint(fields=("provider", "event_id"), name="one_event_per_id"),
        ),
        migrations.AddConstraint(
            model_name="refund",
            constraint=models.CheckConstraint(
                condition=models.Q(("amount__gt", 0)), name="refund_amount_positive"
            ),
        ),
        migrations.RunPython(add_pay_types, migrations.RunPython.noop),
    ]
