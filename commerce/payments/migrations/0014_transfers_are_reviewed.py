import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0001_initial"),
        ("orders", "0014_index_of_disputed_orders"),
        ("payments", "0013_fill_names_of_pay_types"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="PictureBand",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("value", models.BigIntegerField()),
                (
                    "certificate",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="bands",
                        to="payments.certificate",
                    ),
                ),
            ],
        ),
        migrations.AlterModelOptions(
            name="certificate",
            options={
                "ordering": ["-id"],
                "permissions": [("review_certificate", "Can review transfers")],
                "verbose_name": "payment certificate",
                "verbose_name_plural": "payment certificates",
            },
        ),
        migrations.AddField(
            model_name="certificate",
            name="amount",
            field=models.DecimalField(
                decimal_places=2, max_digits=12, null=True, verbose_name="amount received"
            ),
        ),
        migrations.AddField(
            model_name="certificate",
            name="first_amount",
            field=models.DecimalField(
                decimal_places=2, max_digits=12, null=True, verbose_name="amount first approved"
            ),
        ),
        migrations.AddField(
            model_name="certificate",
            name="first_approver",
            field=models.ForeignKey(
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
                verbose_name="first approved by",
            ),
        ),
        migrations.AddField(
            model_name="certificate",
            name="message_due",
            field=models.BooleanField(db_default=False, default=False, editable=False),
        ),
        migrations.AddField(
            model_name="certificate",
            name="note",
            field=models.CharField(
                blank=True, db_default="", default="", max_length=200, verbose_name="note"
            ),
        ),
        migrations.AddField(
            model_name="certificate",
            name="order",
            field=models.ForeignKey(
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="certificates",
                to="orders.order",
                verbose_name="order",
            ),
        ),
        migrations.AddField(
            model_name="certificate",
            name="payment",
            field=models.ForeignKey(
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="payments.payment",
                verbose_name="payment",
            ),
        ),
        migrations.AddField(
            model_name="certificate",
            name="picture_deleted_at",
            field=models.DateTimeField(editable=False, null=True),
        ),
        migrations.AddField(
            model_name="certificate",
            name="picture_hash",
            field=models.CharField(blank=True, db_default="", default="", max_length=256),
        ),
        migrations.AddField(
            model_name="certificate",
            name="reason",
            field=models.CharField(
                blank=True,
                choices=[
                    ("not_received", "The money has not arrived"),
                    ("unreadable", "The picture cannot be read"),
                    ("wrong_account", "The transfer went to another account"),
                    ("wrong_order", "The transfer is for another order"),
                    ("other", "Another reason"),
                ],
                db_default="",
                default="",
                max_length=14,
                verbose_name="reason",
            ),
        ),
        migrations.AddField(
            model_name="certificate",
            name="reason_text",
            field=models.CharField(
                blank=True, db_default="", default="", max_length=300, verbose_name="to the customer"
            ),
        ),
        migrations.AddField(
            model_name="certificate",
            name="reviewed_at",
            field=models.DateTimeField(null=True, verbose_name="reviewed at"),
        ),
        migrations.AddField(
            model_name="certificate",
            name="reviewed_by",
            field=models.ForeignKey(
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
                verbose_name="reviewed by",
            ),
        ),
        migrations.AddField(
            model_name="certificate",
            name="state",
            field=models.CharField(
                choices=[
                    ("uploaded", "Proves no order yet"),
                    ("waiting", "Waiting for review"),
                    ("approved", "Approved"),
                    ("rejected", "Rejected"),
                    ("replaced", "Replaced by another one"),
                ],
                db_default="uploaded",
                default="uploaded",
                max_length=8,
                verbose_name="state",
            ),
        ),
        migrations.AddConstraint(
            model_name="certificate",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("order", None), ("state", "uploaded")),
                    models.Q(models.Q(("state", "uploaded"), _negated=True), ("order__isnull", False)),
                    _connector="OR",
                ),
                name="certificate_of_no_order_is_uploaded",
            ),
        ),
        migrations.AddConstraint(
            model_name="certificate",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("first_approver", None),
                    ("reviewed_by", None),
                    models.Q(("state", "approved"), _negated=True),
                    models.Q(("first_approver", models.F("reviewed_by")), _negated=True),
                    _connector="OR",
                ),
                name="certificate_approved_by_two",
            ),
        ),
        migrations.AddConstraint(
            model_name="pictureband",
            constraint=models.UniqueConstraint(fields=("value", "certificate"), name="one_row_per_band"),
        ),
    ]
