from decimal import Decimal

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0001_initial"),
        ("delivery", "0003_no_index_twice"),
        ("goods", "0002_no_index_twice"),
        ("orders", "0003_no_index_twice"),
        ("promotions", "0003_kinds_of_promotions"),
        ("stock", "0002_no_index_twice"),
        ("vouchers", "0001_initial"),
    ]

    operations = [
        migrations.AddField(
            model_name="order",
            name="discount",
            field=models.DecimalField(
                db_default=Decimal("0.00"),
                decimal_places=2,
                default=Decimal("0.00"),
                max_digits=12,
                verbose_name="discount, AUD",
            ),
        ),
        migrations.AddField(
            model_name="order",
            name="voucher",
            field=models.ForeignKey(
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="vouchers.voucher",
                verbose_name="voucher",
            ),
        ),
        migrations.AddField(
            model_name="order",
            name="voucher_code",
            field=models.CharField(
                blank=True, db_default="", default="", max_length=32, verbose_name="voucher code"
            ),
        ),
        migrations.AddField(
            model_name="orderline",
            name="discount",
            field=models.DecimalField(
                db_default=Decimal("0.00"), decimal_places=2, default=Decimal("0.00"), max_digits=12
            ),
        ),
        migrations.AddField(
            model_name="orderline",
            name="is_gift",
            field=models.BooleanField(db_default=False, default=False),
        ),
        migrations.AddField(
            model_name="orderline",
            name="why_en",
            field=models.CharField(blank=True, db_default="", default="", max_length=600),
        ),
        migrations.AddField(
            model_name="orderline",
            name="why_zh",
            field=models.CharField(blank=True, db_default="", default="", max_length=600),
        ),
        migrations.AddConstraint(
            model_name="orderline",
            constraint=models.CheckConstraint(
                condition=models.Q(("discount__gte", 0), ("discount__lte", models.F("line_total"))),
                name="line_discount_within_total",
            ),
        ),
    ]
