import django.db.models.deletion
import modelcluster.fields
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("stock", "0001_initial"),
    ]

    operations = [
        migrations.CreateModel(
            name="FreightRule",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "country",
                    models.CharField(blank=True, max_length=60, verbose_name="country, English name"),
                ),
                ("province", models.CharField(blank=True, max_length=60, verbose_name="state or province")),
                (
                    "zip_prefix",
                    models.CharField(blank=True, max_length=12, verbose_name="post codes that begin with"),
                ),
                (
                    "storage",
                    models.CharField(
                        choices=[("ambient", "Ambient"), ("chilled", "Chilled"), ("frozen", "Frozen")],
                        max_length=10,
                        verbose_name="storage",
                    ),
                ),
                ("first_grams", models.PositiveIntegerField(verbose_name="grams in the first price")),
                (
                    "first_price",
                    models.DecimalField(decimal_places=2, max_digits=12, verbose_name="first price, AUD"),
                ),
                ("step_grams", models.PositiveIntegerField(verbose_name="grams per further step")),
                (
                    "step_price",
                    models.DecimalField(
                        decimal_places=2, max_digits=12, verbose_name="price per further step, AUD"
                    ),
                ),
            ],
            options={
                "verbose_name": "freight rule",
                "verbose_name_plural": "freight rules",
                "ordering": ["country", "province", "zip_prefix", "storage"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("country", "province", "zip_prefix", "storage"),
                        name="one_freight_rule_per_place",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("first_grams__gt", 0), ("step_grams__gt", 0)),
                        name="freight_grams_positive",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("first_price__gte", 0), ("step_price__gte", 0)),
                        name="freight_prices_not_negative",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="PickupShop",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name_en", models.CharField(max_length=200, verbose_name="English name")),
                ("name_zh", models.CharField(max_length=200, verbose_name="Chinese name")),
                ("address", models.CharField(max_length=200, verbose_name="address")),
                ("is_open", models.BooleanField(default=True, verbose_name="takes orders")),
                ("sort", models.PositiveIntegerField(default=0, verbose_name="place in the list")),
                (
                    "location",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        to="stock.location",
                        verbose_name="stock location",
                    ),
                ),
            ],
            options={
                "verbose_name": "pick-up shop",
                "verbose_name_plural": "pick-up shops",
                "ordering": ["sort", "id"],
            },
        ),
        migrations.CreateModel(
            name="PickupHours",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "weekday",
                    models.PositiveSmallIntegerField(
                        choices=[
                            (0, "Monday"),
                            (1, "Tuesday"),
                            (2, "Wednesday"),
                            (3, "Thursday"),
                            (4, "Friday"),
                            (5, "Saturday"),
                            (6, "Sunday"),
                        ],
                        verbose_name="weekday",
                    ),
                ),
                ("opens", models.TimeField(verbose_name="opens")),
                ("closes", models.TimeField(verbose_name="closes")),
                ("per_hour", models.PositiveSmallIntegerField(default=10, verbose_name="customers per hour")),
                (
                    "shop",
                    modelcluster.fields.ParentalKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="hours",
                        to="delivery.pickupshop",
                    ),
                ),
            ],
            options={
                "ordering": ["weekday"],
                "constraints": [
                    models.UniqueConstraint(fields=("shop", "weekday"), name="one_row_per_weekday"),
                    models.CheckConstraint(condition=models.Q(("weekday__lte", 6)), name="weekday_range"),
                    models.CheckConstraint(
                        condition=models.Q(("closes__gt", models.F("opens"))), name="closes_after_opens"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="PickupSlot",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("starts_at", models.DateTimeField()),
                ("capacity", models.PositiveSmallIntegerField()),
                ("booked", models.PositiveSmallIntegerField(default=0)),
                (
                    "shop",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="slots",
                        to="delivery.pickupshop",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("shop", "starts_at"), name="one_slot_per_hour"),
                    models.CheckConstraint(
                        condition=models.Q(("booked__lte", models.F("capacity"))),
                        name="booked_within_capacity",
                    ),
                ],
            },
        ),
    ]
