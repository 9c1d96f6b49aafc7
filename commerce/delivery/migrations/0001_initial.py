from decimal import Decimal

import django.core.validators
import django.db.models.deletion
import modelcluster.fields
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('goods', '0001_initial'),
        ('stock', '0001_initial'),
    ]

    operations = [
        migrations.CreateModel(
            name='DeliveryDayOff',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('date', models.DateField(unique=True, verbose_name='date')),
            ],
            options={
                'verbose_name': 'day without delivery',
                'verbose_name_plural': 'days without delivery',
                'ordering': ['date'],
            },
        ),
        migrations.CreateModel(
            name='DeliverySlot',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('starts_at', models.DateTimeField(unique=True)),
                ('ends_at', models.DateTimeField()),
                ('capacity', models.PositiveSmallIntegerField()),
                ('booked', models.PositiveSmallIntegerField(default=0)),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(('booked__lte', models.F('capacity'))), name='window_booked_within_capacity')],
            },
        ),
        migrations.CreateModel(
            name='DeliveryWindow',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('weekday', models.PositiveSmallIntegerField(choices=[(0, 'Monday'), (1, 'Tuesday'), (2, 'Wednesday'), (3, 'Thursday'), (4, 'Friday'), (5, 'Saturday'), (6, 'Sunday')], verbose_name='weekday')),
                ('starts', models.TimeField(verbose_name='from')),
                ('ends', models.TimeField(verbose_name='until')),
                ('capacity', models.PositiveSmallIntegerField(default=8, verbose_name='orders')),
                ('cutoff_hours', models.PositiveSmallIntegerField(default=12, help_text='How long before its beginning it can be booked last.', verbose_name='closes, hours before')),
            ],
            options={
                'verbose_name': 'delivery window',
                'verbose_name_plural': 'delivery windows',
                'ordering': ['weekday', 'starts'],
                'constraints': [models.UniqueConstraint(fields=('weekday', 'starts'), name='one_window_per_start'), models.CheckConstraint(condition=models.Q(('weekday__lte', 6)), name='window_weekday_range'), models.CheckConstraint(condition=models.Q(('ends__gt', models.F('starts'))), name='window_ends_after_start')],
            },
        ),
        migrations.CreateModel(
            name='FreightRule',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('country', models.CharField(blank=True, max_length=60, verbose_name='country, English name')),
                ('province', models.CharField(blank=True, max_length=60, verbose_name='state or province')),
                ('zone', models.CharField(blank=True, choices=[('east_malaysia', 'East Malaysia'), ('west_malaysia', 'West Malaysia')], db_default='', default='', max_length=20, verbose_name='part of Malaysia')),
                ('council', models.CharField(blank=True, db_default='', default='', max_length=60, verbose_name='council of Perth')),
                ('zip_prefix', models.CharField(blank=True, max_length=12, verbose_name='postcodes that begin with')),
                ('zip_from', models.CharField(blank=True, db_default='', default='', max_length=12, validators=[django.core.validators.RegexValidator('\\A[0-9]+\\Z', 'Digits only.')], verbose_name='postcodes from')),
                ('zip_to', models.CharField(blank=True, db_default='', default='', help_text='This postcode is included. As many digits as the first one.', max_length=12, validators=[django.core.validators.RegexValidator('\\A[0-9]+\\Z', 'Digits only.')], verbose_name='postcodes up to')),
                ('storage', models.CharField(choices=[('ambient', 'Room temperature'), ('chilled', 'Chilled'), ('frozen', 'Frozen')], max_length=10, verbose_name='storage')),
                ('first_grams', models.PositiveIntegerField(verbose_name='grams in the first price')),
                ('first_price', models.DecimalField(decimal_places=2, max_digits=12, verbose_name='first price, AUD')),
                ('step_grams', models.PositiveIntegerField(verbose_name='grams per further step')),
                ('step_price', models.DecimalField(decimal_places=2, max_digits=12, verbose_name='price per further step, AUD')),
                ('surcharge', models.DecimalField(db_default=Decimal('0.00'), decimal_places=2, default=Decimal('0.00'), help_text='Is added to the price of each parcel.', max_digits=12, verbose_name='remote surcharge, AUD')),
                ('free_from', models.DecimalField(blank=True, decimal_places=2, help_text='What the products of an order must cost, after promotions and vouchers, for these parcels to be sent for nothing. Empty means never.', max_digits=12, null=True, verbose_name='free from, AUD')),
                ('excluded', models.BooleanField(db_default=False, default=False, verbose_name='nothing is sent there')),
                ('why_en', models.CharField(blank=True, db_default='', default='', max_length=200, verbose_name='reason in English')),
                ('why_zh', models.CharField(blank=True, db_default='', default='', max_length=200, verbose_name='reason in Chinese')),
                ('valid_from', models.DateField(blank=True, help_text='The first day. Leave it empty for no first day.', null=True, verbose_name='valid from')),
                ('valid_until', models.DateField(blank=True, help_text='The last day. Empty means without an end.', null=True, verbose_name='valid until')),
            ],
            options={
                'verbose_name': 'delivery cost rule',
                'verbose_name_plural': 'delivery cost rules',
                'ordering': ['country', 'province', 'zone', 'council', 'zip_prefix', 'zip_from', 'storage', 'valid_from'],
                'constraints': [models.UniqueConstraint(condition=models.Q(('valid_from', None)), fields=('zip_prefix', 'zip_from', 'zip_to', 'council', 'province', 'zone', 'country', 'storage'), name='one_undated_freight_rule', violation_error_message='There is already a rule for this place and storage at the same time.'), models.UniqueConstraint(fields=('zip_prefix', 'zip_from', 'zip_to', 'council', 'province', 'zone', 'country', 'storage', 'valid_from'), name='one_freight_rule_per_start', violation_error_message='There is already a rule for this place and storage at the same time.'), models.CheckConstraint(condition=models.Q(('first_grams__gt', 0), ('step_grams__gt', 0)), name='freight_grams_positive', violation_error_message='The grams of a price must be above 0.'), models.CheckConstraint(condition=models.Q(('first_price__gte', 0), ('step_price__gte', 0)), name='freight_prices_not_negative', violation_error_message='A price cannot be negative.'), models.CheckConstraint(condition=models.Q(('surcharge__gte', 0)), name='freight_surcharge_not_negative', violation_error_message='A surcharge cannot be negative.'), models.CheckConstraint(condition=models.Q(('free_from', None), ('free_from__gt', 0), _connector='OR'), name='freight_free_from_positive', violation_error_message='The amount from which parcels are free must be above 0.'), models.CheckConstraint(condition=models.Q(('valid_from', None), ('valid_until', None), ('valid_until__gte', models.F('valid_from')), _connector='OR'), name='freight_dates_in_order', violation_error_message='The last day cannot be before the first one.'), models.CheckConstraint(condition=models.Q(('excluded', False), models.Q(models.Q(('why_en', ''), _negated=True), models.Q(('why_zh', ''), _negated=True)), _connector='OR'), name='freight_exclusion_has_reasons', violation_error_message='Write in both languages why nothing is sent there.')],
            },
        ),
        migrations.CreateModel(
            name='PickupShop',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name_en', models.CharField(max_length=200, verbose_name='English name')),
                ('name_zh', models.CharField(max_length=200, verbose_name='Chinese name')),
                ('address', models.CharField(max_length=200, verbose_name='address')),
                ('is_open', models.BooleanField(default=True, verbose_name='takes orders')),
                ('cutoff_hours', models.PositiveSmallIntegerField(db_default=2, default=2, help_text='An hour can be booked until so many hours before it begins.', verbose_name='hours to prepare an order')),
                ('sort', models.PositiveIntegerField(default=0, verbose_name='place in the list')),
                ('location', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, to='stock.location', verbose_name='stock location')),
            ],
            options={
                'verbose_name': 'pick-up shop',
                'verbose_name_plural': 'pick-up shops',
                'ordering': ['sort', 'id'],
            },
        ),
        migrations.CreateModel(
            name='ExportLimit',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('country', models.CharField(max_length=60, verbose_name='country, English name')),
                ('max_units', models.PositiveIntegerField(blank=True, null=True, verbose_name='most units')),
                ('max_value', models.DecimalField(blank=True, decimal_places=2, help_text='A single unit may cost more.', max_digits=12, null=True, verbose_name='highest value, AUD')),
                ('why_en', models.CharField(blank=True, max_length=200, verbose_name='reason in English')),
                ('why_zh', models.CharField(blank=True, max_length=200, verbose_name='reason in Chinese')),
                ('valid_from', models.DateField(blank=True, help_text='The first day. Leave it empty for no first day.', null=True, verbose_name='valid from')),
                ('valid_until', models.DateField(blank=True, help_text='The last day. Empty means without an end.', null=True, verbose_name='valid until')),
                ('category', models.ForeignKey(blank=True, help_text='Empty means all products together.', null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='goods.category', verbose_name='category')),
            ],
            options={
                'verbose_name': 'export limit',
                'verbose_name_plural': 'export limits',
                'ordering': ['country', 'id'],
                'constraints': [models.CheckConstraint(condition=models.Q(models.Q(('max_units', None), _negated=True), models.Q(('max_value', None), _negated=True), _connector='OR'), name='export_limit_limits', violation_error_message='Enter the most units or the highest value an order may have.'), models.CheckConstraint(condition=models.Q(models.Q(('max_units', None), ('max_units__gt', 0), _connector='OR'), models.Q(('max_value', None), ('max_value__gt', 0), _connector='OR')), name='export_limit_positive', violation_error_message='A limit must be above 0.'), models.CheckConstraint(condition=models.Q(('valid_from', None), ('valid_until', None), ('valid_until__gte', models.F('valid_from')), _connector='OR'), name='export_limit_dates_in_order', violation_error_message='The last day cannot be before the first one.')],
            },
        ),
        migrations.CreateModel(
            name='PickupHours',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('weekday', models.PositiveSmallIntegerField(choices=[(0, 'Monday'), (1, 'Tuesday'), (2, 'Wednesday'), (3, 'Thursday'), (4, 'Friday'), (5, 'Saturday'), (6, 'Sunday')], verbose_name='weekday')),
                ('opens', models.TimeField(verbose_name='opens')),
                ('closes', models.TimeField(verbose_name='closes')),
                ('per_hour', models.PositiveSmallIntegerField(default=10, verbose_name='customers per hour')),
                ('shop', modelcluster.fields.ParentalKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='hours', to='delivery.pickupshop')),
            ],
            options={
                'verbose_name': 'hours of a pick-up shop',
                'verbose_name_plural': 'hours of a pick-up shop',
                'ordering': ['weekday'],
                'constraints': [models.UniqueConstraint(fields=('shop', 'weekday'), name='one_row_per_weekday'), models.CheckConstraint(condition=models.Q(('weekday__lte', 6)), name='weekday_range'), models.CheckConstraint(condition=models.Q(('closes__gt', models.F('opens'))), name='closes_after_opens')],
            },
        ),
        migrations.CreateModel(
            name='PickupException',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('date', models.DateField(verbose_name='date')),
                ('opens', models.TimeField(blank=True, null=True, verbose_name='opens')),
                ('closes', models.TimeField(blank=True, null=True, verbose_name='closes')),
                ('shop', models.ForeignKey(blank=True, db_index=False, help_text='Empty means every shop.', null=True, on_delete=django.db.models.deletion.CASCADE, related_name='exceptions', to='delivery.pickupshop', verbose_name='pick-up shop')),
            ],
            options={
                'verbose_name': 'holiday or other hours',
                'verbose_name_plural': 'holidays and other hours',
                'ordering': ['date', 'shop'],
                'constraints': [models.UniqueConstraint(fields=('shop', 'date'), name='one_exception_per_shop_and_day', violation_error_message='There is already an entry for this shop and date.'), models.UniqueConstraint(condition=models.Q(('shop', None)), fields=('date',), name='one_exception_of_all_per_day', violation_error_message='There is already an entry for this shop and date.'), models.CheckConstraint(condition=models.Q(models.Q(('closes', None), ('opens', None)), models.Q(('closes__gt', models.F('opens')), ('opens__isnull', False)), _connector='OR'), name='exception_closed_or_open', violation_error_message='Leave both hours empty for a closed day, or close after opening.')],
            },
        ),
        migrations.CreateModel(
            name='PickupSlot',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('starts_at', models.DateTimeField()),
                ('capacity', models.PositiveSmallIntegerField()),
                ('booked', models.PositiveSmallIntegerField(default=0)),
                ('shop', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='slots', to='delivery.pickupshop')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('shop', 'starts_at'), name='one_slot_per_hour'), models.CheckConstraint(condition=models.Q(('booked__lte', models.F('capacity'))), name='booked_within_capacity')],
            },
        ),
    ]
