import django.db.models.deletion
import django.db.models.expressions
import django.db.models.functions.math
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("accounts", "0001_initial"),
        ("delivery", "0001_initial"),
        ("goods", "0001_initial"),
        ("promotions", "0001_initial"),
        ("stock", "0001_initial"),
    ]

    operations = [
        migrations.CreateModel(
            name="Order",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("order_no", models.CharField(max_length=24, unique=True, verbose_name="order number")),
                (
                    "status",
                    models.PositiveSmallIntegerField(
                        choices=[
                            (1, "Unpaid"),
                            (2, "Paid"),
                            (6, "Unreceived"),
                            (7, "Completed"),
                            (10, "Canceled"),
                            (98, "Chargeback"),
                        ],
                        default=1,
                        verbose_name="status",
                    ),
                ),
                (
                    "shipping_type",
                    models.PositiveSmallIntegerField(
                        choices=[
                            (1, "Delivery abroad"),
                            (2, "Delivery in Australia"),
                            (3, "Pick-up in store"),
                        ],
                        verbose_name="shipping",
                    ),
                ),
                (
                    "goods_amount",
                    models.DecimalField(decimal_places=2, max_digits=12, verbose_name="products, AUD"),
                ),
                (
                    "freight",
                    models.DecimalField(decimal_places=2, max_digits=12, verbose_name="freight, AUD"),
                ),
                (
                    "pay_amount",
                    models.DecimalField(decimal_places=2, max_digits=12, verbose_name="to pay, AUD"),
                ),
                (
                    "exchange_rate",
                    models.DecimalField(decimal_places=6, max_digits=12, verbose_name="CNY per AUD"),
                ),
                ("address", models.JSONField(null=True, verbose_name="address")),
                ("shop", models.JSONField(null=True, verbose_name="shop")),
                ("parcels", models.JSONField(default=list, verbose_name="parcels")),
                ("remark", models.CharField(blank=True, max_length=500, verbose_name="remark")),
                ("pay_type", models.CharField(blank=True, max_length=16, verbose_name="pay type")),
                ("pay_img", models.CharField(blank=True, max_length=300, verbose_name="payment image")),
                ("created_at", models.DateTimeField(auto_now_add=True, verbose_name="ordered at")),
                ("expires_at", models.DateTimeField(null=True, verbose_name="held until")),
                ("paid_at", models.DateTimeField(null=True, verbose_name="paid at")),
                ("sales_counted_at", models.DateTimeField(editable=False, null=True)),
                (
                    "customer",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="orders",
                        to="accounts.customer",
                        verbose_name="customer",
                    ),
                ),
                (
                    "location",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="stock.location",
                        verbose_name="stock location",
                    ),
                ),
                (
                    "pickup_slot",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="orders",
                        to="delivery.pickupslot",
                    ),
                ),
            ],
            options={
                "verbose_name": "order",
                "verbose_name_plural": "orders",
                "ordering": ["-id"],
            },
        ),
        migrations.CreateModel(
            name="OrderStatusChange",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("from_status", models.PositiveSmallIntegerField(null=True)),
                (
                    "to_status",
                    models.PositiveSmallIntegerField(
                        choices=[
                            (1, "Unpaid"),
                            (2, "Paid"),
                            (6, "Unreceived"),
                            (7, "Completed"),
                            (10, "Canceled"),
                            (98, "Chargeback"),
                        ]
                    ),
                ),
                (
                    "reason",
                    models.CharField(
                        choices=[
                            ("placed", "Placed"),
                            ("payment", "Payment received"),
                            ("customer", "Canceled by the customer"),
                            ("expired", "Not paid in time"),
                            ("late_payment", "Payment received after it was canceled"),
                        ],
                        max_length=20,
                    ),
                ),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "order",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="history", to="orders.order"
                    ),
                ),
            ],
            options={
                "ordering": ["id"],
            },
        ),
        migrations.CreateModel(
            name="Trade",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("code", models.CharField(max_length=64)),
                ("draft", models.JSONField(null=True)),
                ("payload_hash", models.CharField(blank=True, max_length=64)),
                ("expires_at", models.DateTimeField()),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "customer",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="trades",
                        to="accounts.customer",
                    ),
                ),
            ],
        ),
        migrations.AddField(
            model_name="order",
            name="trade",
            field=models.OneToOneField(
                on_delete=django.db.models.deletion.PROTECT, related_name="order", to="orders.trade"
            ),
        ),
        migrations.CreateModel(
            name="OrderLine",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("sku", models.CharField(max_length=40)),
                ("name_en", models.CharField(max_length=200)),
                ("name_zh", models.CharField(max_length=200)),
                ("pack", models.CharField(max_length=40)),
                ("picture_url", models.CharField(blank=True, max_length=300)),
                (
                    "storage",
                    models.CharField(
                        choices=[("ambient", "Ambient"), ("chilled", "Chilled"), ("frozen", "Frozen")],
                        max_length=10,
                    ),
                ),
                ("net_weight", models.PositiveIntegerField()),
                ("price", models.DecimalField(decimal_places=2, max_digits=12)),
                ("amount", models.PositiveIntegerField()),
                ("line_total", models.DecimalField(decimal_places=2, max_digits=12)),
                ("gst", models.DecimalField(decimal_places=2, max_digits=12)),
                (
                    "order",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="lines", to="orders.order"
                    ),
                ),
                (
                    "product",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="goods.product"
                    ),
                ),
                (
                    "promotion",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="promotions.promotion",
                    ),
                ),
            ],
            options={
                "ordering": ["id"],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("promotion", None)),
                        fields=("order", "product"),
                        name="one_ordinary_line_per_product",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("promotion__isnull", False)),
                        fields=("order", "product"),
                        name="one_promoted_line_per_product",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("amount__gte", 1)), name="line_amount_positive"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            (
                                "line_total",
                                django.db.models.functions.math.Round(
                                    models.ExpressionWrapper(
                                        django.db.models.expressions.CombinedExpression(
                                            models.F("price"), "*", models.F("amount")
                                        ),
                                        output_field=models.DecimalField(decimal_places=2, max_digits=14),
                                    ),
                                    precision=2,
                                ),
                            )
                        ),
                        name="line_total_adds_up",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="PromotionUse",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("amount", models.PositiveIntegerField(default=0)),
                (
                    "customer",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="accounts.customer"
                    ),
                ),
                (
                    "item",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="promotions.promotionitem",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("customer", "item"), name="one_use_per_customer")
                ],
            },
        ),
        migrations.AddConstraint(
            model_name="trade",
            constraint=models.UniqueConstraint(fields=("customer", "code"), name="one_trade_per_code"),
        ),
        migrations.AddIndex(
            model_name="order",
            index=models.Index(fields=["customer", "-id"], name="order_of_customer"),
        ),
        migrations.AddIndex(
            model_name="order",
            index=models.Index(fields=["customer", "status", "-id"], name="order_of_customer_by_status"),
        ),
        migrations.AddIndex(
            model_name="order",
            index=models.Index(
                condition=models.Q(("status", 1)), fields=["expires_at"], name="order_expiring"
            ),
        ),
        migrations.AddIndex(
            model_name="order",
            index=models.Index(
                condition=models.Q(("paid_at__isnull", False), ("sales_counted_at", None)),
                fields=["paid_at", "id"],
                name="order_sales_due",
            ),
        ),
        migrations.AddConstraint(
            model_name="order",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    (
                        "pay_amount",
                        django.db.models.functions.math.Round(
                            models.ExpressionWrapper(
                                django.db.models.expressions.CombinedExpression(
                                    models.F("goods_amount"), "+", models.F("freight")
                                ),
                                output_field=models.DecimalField(decimal_places=2, max_digits=14),
                            ),
                            precision=2,
                        ),
                    )
                ),
                name="order_total_adds_up",
            ),
        ),
        migrations.AddConstraint(
            model_name="order",
            constraint=models.CheckConstraint(
                condition=models.Q(("freight__gte", 0), ("goods_amount__gt", 0)), name="order_amounts"
            ),
        ),
    ]
