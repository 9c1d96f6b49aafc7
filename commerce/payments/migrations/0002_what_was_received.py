from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("orders", "0001_initial"),
        ("payments", "0001_initial"),
    ]

    operations = [
        migrations.AddField(
            model_name="payment",
            name="overdue_at",
            field=models.DateTimeField(null=True, verbose_name="overdue since"),
        ),
        migrations.AddField(
            model_name="payment",
            name="queried_at",
            field=models.DateTimeField(null=True, verbose_name="last question at"),
        ),
        migrations.AddField(
            model_name="payment",
            name="received_amount",
            field=models.DecimalField(
                decimal_places=2, max_digits=12, null=True, verbose_name="amount received"
            ),
        ),
        migrations.AddField(
            model_name="payment",
            name="received_currency",
            field=models.CharField(
                blank=True, db_default="", default="", max_length=3, verbose_name="currency received"
            ),
        ),
        migrations.AddField(
            model_name="refund",
            name="currency",
            field=models.CharField(db_default="AUD", default="AUD", max_length=3, verbose_name="currency"),
        ),
        migrations.AlterField(
            model_name="refund",
            name="reason",
            field=models.CharField(
                choices=[
                    ("paid_twice", "Paid twice"),
                    ("order_canceled", "Paid after the order was canceled"),
                    ("wrong_amount", "Another amount than was asked for"),
                    ("wrong_currency", "Another currency than was asked for"),
                ],
                max_length=20,
                verbose_name="reason",
            ),
        ),
    ]
