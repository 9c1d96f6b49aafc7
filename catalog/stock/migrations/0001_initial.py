import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('goods', '0001_initial'),
    ]

    operations = [
        migrations.CreateModel(
            name='Location',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name_en', models.CharField(max_length=200, verbose_name='English name')),
                ('name_zh', models.CharField(max_length=200, verbose_name='Chinese name')),
                ('code', models.SlugField(unique=True, verbose_name='code')),
                ('fills_deliveries', models.BooleanField(default=False, verbose_name='fills deliveries')),
            ],
            options={
                'verbose_name': 'stock location',
                'verbose_name_plural': 'stock locations',
                'ordering': ['id'],
                'constraints': [models.UniqueConstraint(condition=models.Q(('fills_deliveries', True)), fields=('fills_deliveries',), name='one_delivery_location')],
            },
        ),
        migrations.CreateModel(
            name='StockLevel',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('on_hand', models.PositiveIntegerField(default=0, verbose_name='on hand')),
                ('reserved', models.PositiveIntegerField(default=0, verbose_name='reserved')),
                ('location', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='stock_levels', to='stock.location', verbose_name='stock location')),
                ('product', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='stock_levels', to='goods.product', verbose_name='product')),
            ],
            options={
                'verbose_name': 'stock level',
                'verbose_name_plural': 'stock levels',
            },
        ),
        migrations.CreateModel(
            name='Reservation',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('units', models.PositiveIntegerField(verbose_name='units')),
                ('reference', models.CharField(max_length=40, verbose_name='order number')),
                ('state', models.CharField(choices=[('held', 'Held'), ('shipped', 'Shipped'), ('released', 'Released')], default='held', max_length=10, verbose_name='state')),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('updated_at', models.DateTimeField(auto_now=True)),
                ('level', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='reservations', to='stock.stocklevel')),
            ],
            options={
                'verbose_name': 'reservation',
                'verbose_name_plural': 'reservations',
            },
        ),
        migrations.CreateModel(
            name='StockMovement',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('units', models.IntegerField(verbose_name='units')),
                ('reason', models.CharField(choices=[('imported', 'Import'), ('counted', 'Stocktake'), ('shipped', 'Shipped'), ('returned', 'Returned')], max_length=12, verbose_name='reason')),
                ('reference', models.CharField(blank=True, max_length=40, verbose_name='reference')),
                ('created_at', models.DateTimeField(auto_now_add=True, verbose_name='time')),
                ('level', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='movements', to='stock.stocklevel', verbose_name='stock level')),
            ],
            options={
                'verbose_name': 'stock movement',
                'verbose_name_plural': 'stock movements',
                'ordering': ['-id'],
            },
        ),
        migrations.AddConstraint(
            model_name='stocklevel',
            constraint=models.UniqueConstraint(fields=('location', 'product'), name='one_level_per_place'),
        ),
        migrations.AddConstraint(
            model_name='stocklevel',
            constraint=models.CheckConstraint(condition=models.Q(('reserved__lte', models.F('on_hand'))), name='reserved_within_on_hand'),
        ),
        migrations.AddIndex(
            model_name='reservation',
            index=models.Index(fields=['reference'], name='reservation_reference'),
        ),
        migrations.AddConstraint(
            model_name='reservation',
            constraint=models.UniqueConstraint(condition=models.Q(('state', 'held')), fields=('reference', 'level'), name='one_hold_per_order_and_level'),
        ),
        migrations.AddConstraint(
            model_name='reservation',
            constraint=models.CheckConstraint(condition=models.Q(('units__gt', 0)), name='reservation_units_positive'),
        ),
    ]
