from decimal import Decimal

import django.core.validators
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("delivery", "0003_no_index_twice"),
    ]

    operations = [
        migrations.AlterModelOptions(
            name="freightrule",
            options={
                "ordering": [
                    "country",
                    "province",
                    "zone",
                    "council",
                    "zip_prefix",
                    "zip_from",
                    "storage",
                    "valid_from",
                ],
                "verbose_name": "freight rule",
                "verbose_name_plural": "freight rules",
            },
        ),
        migrations.RemoveConstraint(
            model_name="freightrule",
            name="one_freight_rule_per_place",
        ),
        migrations.AddField(
            model_name="freightrule",
            name="council",
            field=models.CharField(
                blank=True, db_default="", default="", max_length=60, verbose_name="council of Perth"
            ),
        ),
        migrations.AddField(
            model_name="freightrule",
            name="excluded",
            field=models.BooleanField(db_default=False, default=False, verbose_name="nothing is sent there"),
        ),
        migrations.AddField(
            model_name="freightrule",
            name="free_from",
            field=models.DecimalField(
                blank=True,
                decimal_places=2,
                help_text="What the products of an order must cost, after promotions and vouchers, for these parcels to be sent for nothing. Empty means never.",
                max_digits=12,
                null=True,
                verbose_name="free from, AUD",
            ),
        ),
        migrations.AddField(
            model_name="freightrule",
            name="surcharge",
            field=models.DecimalField(
                db_default=Decimal("0.00"),
                decimal_places=2,
                default=Decimal("0.00"),
                help_text="Is added to the price of each parcel.",
                max_digits=12,
                verbose_name="remote surcharge, AUD",
            ),
        ),
        migrations.AddField(
            model_name="freightrule",
            name="valid_from",
            field=models.DateField(
                blank=True,
                help_text="The first day. Empty means since ever.",
                null=True,
                verbose_name="valid from",
            ),
        ),
        migrations.AddField(
            model_name="freightrule",
            name="valid_until",
            field=models.DateField(
                blank=True,
                help_text="The last day. Empty means without an end.",
                null=True,
                verbose_name="valid until",
            ),
        ),
        migrations.AddField(
            model_name="freightrule",
            name="why_en",
            field=models.CharField(
                blank=True, db_default="", default="", max_length=200, verbose_name="reason in English"
            ),
        ),
        migrations.AddField(
            model_name="freightrule",
            name="why_zh",
            field=models.CharField(
                blank=True, db_default="", default="", max_length=200, verbose_name="reason in Chinese"
            ),
        ),
        migrations.AddField(
            model_name="freightrule",
            name="zip_from",
            field=models.CharField(
                blank=True,
                db_default="",
                default="",
                max_length=12,
                validators=[django.core.validators.RegexValidator("\\A[0-9]+\\Z", "Digits only.")],
                verbose_name="post codes from",
            ),
        ),
        migrations.AddField(
            model_name="freightrule",
            name="zip_to",
            field=models.CharField(
                blank=True,
                db_default="",
                default="",
                help_text="This post code too. As many digits as the first one.",
                max_length=12,
                validators=[django.core.validators.RegexValidator("\\A[0-9]+\\Z", "Digits only.")],
                verbose_name="post codes up to",
            ),
        ),
        migrations.AddField(
            model_name="freightrule",
            name="zone",
            field=models.CharField(
                blank=True,
                choices=[("east_malaysia", "East Malaysia"), ("west_malaysia", "West Malaysia")],
                db_default="",
                default="",
                max_length=20,
                verbose_name="part of Malaysia",
            ),
        ),
        migrations.AddConstraint(
            model_name="freightrule",
            constraint=models.CheckConstraint(
                condition=models.Q(("surcharge__gte", 0)),
                name="freight_surcharge_not_negative",
                violation_error_message="A surcharge cannot be negative.",
            ),
        ),
        migrations.AddConstraint(
            model_name="freightrule",
            constraint=models.CheckConstraint(
                condition=models.Q(("free_from", None), ("free_from__gt", 0), _connector="OR"),
                name="freight_free_from_positive",
                violation_error_message="The amount from which parcels are free must be above 0.",
            ),
        ),
        migrations.AddConstraint(
            model_name="freightrule",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("valid_from", None),
                    ("valid_until", None),
                    ("valid_until__gte", models.F("valid_from")),
                    _connector="OR",
                ),
                name="freight_dates_in_order",
                violation_error_message="The last day cannot be before the first one.",
            ),
        ),
        migrations.AddConstraint(
            model_name="freightrule",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("excluded", False),
                    models.Q(
                        models.Q(("why_en", ""), _negated=True), models.Q(("why_zh", ""), _negated=True)
                    ),
                    _connector="OR",
                ),
                name="freight_exclusion_has_reasons",
                violation_error_message="Say in both languages why nothing is sent there.",
            ),
        ),
    ]
