import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("goods", "0006_clusters")]

    operations = [
        migrations.CreateModel(
            name="SoldDay",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("day", models.DateField()),
                ("units", models.PositiveIntegerField()),
                (
                    "product",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="sold_days",
                        to="goods.product",
                    ),
                ),
            ],
            options={
                "indexes": [models.Index(fields=["day", "product"], include=("units",), name="sold_by_day")],
                "constraints": [models.UniqueConstraint(fields=("product", "day"), name="sold_day_once")],
            },
        ),
    ]
