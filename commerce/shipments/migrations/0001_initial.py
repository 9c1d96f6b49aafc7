import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

# Code, names, link and code at Kuaidi100 of those that a new shop begins with; staff change them.
CARRIERS = [
    (
        "auspost",
        "Australia Post",
        "澳大利亚邮政",
        "https://auspost.com.au/mypost/track/details/{number}",
        "auspost",
    ),
    ("ems", "EMS China", "中国邮政EMS", "https://www.kuaidi100.com/chaxun?com=ems&nu={number}", "ems"),
    (
        "sf",
        "SF Express",
        "顺丰速运",
        "https://www.kuaidi100.com/chaxun?com=shunfeng&nu={number}",
        "shunfeng",
    ),
]


def add_carriers(apps, schema_editor):
    """Add the carriers that a new shop begins with."""
    carrier = apps.get_model("shipments", "Carrier")
    for code, name_en, name_zh, tracking_link, provider_code in CARRIERS:
        carrier.objects.create(
            code=code,
            name_en=name_en,
            name_zh=name_zh,
            tracking_link=tracking_link,
            provider_code=provider_code,
        )


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('orders', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Carrier',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name_en', models.CharField(max_length=200, verbose_name='English name')),
                ('name_zh', models.CharField(max_length=200, verbose_name='Chinese name')),
                ('code', models.SlugField(max_length=32, unique=True, verbose_name='code')),
                ('tracking_link', models.CharField(blank=True, help_text='An https address, with {number} where the tracking number goes.', max_length=300, verbose_name='tracking link')),
                ('provider_code', models.CharField(blank=True, help_text='Without it, events are entered by hand or by file.', max_length=32, verbose_name='code at Kuaidi100')),
                ('enabled', models.BooleanField(default=True, verbose_name='switched on')),
            ],
            options={
                'verbose_name': 'carrier',
                'verbose_name_plural': 'carriers',
                'ordering': ['name_en', 'id'],
            },
        ),
        migrations.CreateModel(
            name='Shipment',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveSmallIntegerField()),
                ('tracking_no', models.CharField(max_length=40, verbose_name='tracking number')),
                ('state', models.CharField(choices=[('pending', 'No events yet'), ('info_received', 'Carrier has been informed'), ('in_transit', 'On its way'), ('out_for_delivery', 'Out for delivery'), ('pickup_ready', 'Can be collected'), ('delivered', 'Delivered'), ('failed_attempt', 'No one was at home'), ('exception', 'There is a problem'), ('coming_back', 'On its way back'), ('returned', 'Sent back'), ('expired', 'No more events')], default='pending', max_length=16, verbose_name='state')),
                ('came_back_at', models.DateTimeField(null=True, verbose_name='came back')),
                ('next_check_at', models.DateTimeField(editable=False, null=True)),
                ('registered_at', models.DateTimeField(editable=False, null=True)),
                ('created_at', models.DateTimeField(auto_now_add=True, verbose_name='sent at')),
                ('carrier', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='shipments.carrier', verbose_name='carrier')),
                ('order', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='shipments', to='orders.order', verbose_name='order')),
            ],
            options={
                'verbose_name': 'parcel',
                'verbose_name_plural': 'parcels',
                'ordering': ['order', 'number'],
            },
        ),
        migrations.CreateModel(
            name='ShipmentCorrection',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('tracking_no', models.CharField(max_length=40)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('carrier', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='shipments.carrier')),
                ('shipment', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='corrections', to='shipments.shipment')),
                ('staff', models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['id'],
            },
        ),
        migrations.CreateModel(
            name='ShipmentLine',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('units', models.PositiveIntegerField()),
                ('line', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='shipped', to='orders.orderline')),
                ('shipment', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='lines', to='shipments.shipment')),
            ],
        ),
        migrations.CreateModel(
            name='TrackingEvent',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('time', models.DateTimeField(verbose_name='time')),
                ('status', models.CharField(choices=[('pending', 'No events yet'), ('info_received', 'Carrier has been informed'), ('in_transit', 'On its way'), ('out_for_delivery', 'Out for delivery'), ('pickup_ready', 'Can be collected'), ('delivered', 'Delivered'), ('failed_attempt', 'No one was at home'), ('exception', 'There is a problem'), ('coming_back', 'On its way back'), ('returned', 'Sent back'), ('expired', 'No more events')], max_length=16, verbose_name='state')),
                ('text_zh', models.CharField(blank=True, max_length=300, verbose_name='Chinese text')),
                ('text_en', models.CharField(blank=True, max_length=300, verbose_name='English text')),
                ('code', models.CharField(max_length=64)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('shipment', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='events', to='shipments.shipment')),
            ],
            options={
                'verbose_name': 'tracking event',
                'verbose_name_plural': 'tracking events',
                'ordering': ['-time', '-id'],
            },
        ),
        migrations.AddIndex(
            model_name='shipment',
            index=models.Index(fields=['tracking_no'], name='parcel_by_tracking_number'),
        ),
        migrations.AddIndex(
            model_name='shipment',
            index=models.Index(condition=models.Q(('next_check_at__isnull', False)), fields=['next_check_at'], name='parcel_to_check'),
        ),
        migrations.AddConstraint(
            model_name='shipment',
            constraint=models.UniqueConstraint(fields=('order', 'number'), name='one_parcel_of_each_number'),
        ),
        migrations.AddConstraint(
            model_name='shipment',
            constraint=models.UniqueConstraint(fields=('order', 'carrier', 'tracking_no'), name='one_parcel_of_each_tracking_number'),
        ),
        migrations.AddConstraint(
            model_name='shipmentline',
            constraint=models.UniqueConstraint(fields=('shipment', 'line'), name='one_row_per_parcel_and_line'),
        ),
        migrations.AddConstraint(
            model_name='shipmentline',
            constraint=models.CheckConstraint(condition=models.Q(('units__gte', 1)), name='parcel_units_positive'),
        ),
        migrations.AddConstraint(
            model_name='trackingevent',
            constraint=models.UniqueConstraint(fields=('shipment', 'time', 'code'), name='one_tracking_event'),
        ),
        migrations.RunPython(add_carriers, migrations.RunPython.noop),
    ]
