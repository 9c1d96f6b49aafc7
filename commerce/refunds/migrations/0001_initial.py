import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('orders', '0001_initial'),
        ('payments', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='OrderRefund',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.CharField(max_length=32, unique=True, verbose_name='number')),
                ('goods_amount', models.DecimalField(decimal_places=2, max_digits=12, verbose_name='products, AUD')),
                ('gst', models.DecimalField(decimal_places=2, max_digits=12, verbose_name='GST in the products, AUD')),
                ('freight_amount', models.DecimalField(decimal_places=2, max_digits=12, verbose_name='delivery cost, AUD')),
                ('freight_gst', models.DecimalField(decimal_places=2, max_digits=12, verbose_name='GST in the delivery cost, AUD')),
                ('destination', models.CharField(choices=[('source', 'The way it came'), ('wallet', 'The wallet')], max_length=6, verbose_name='goes to')),
                ('note', models.CharField(max_length=200, verbose_name='reason')),
                ('credit_note_due', models.BooleanField(default=True, editable=False)),
                ('created_at', models.DateTimeField(auto_now_add=True, verbose_name='time')),
                ('order', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='order_refunds', to='orders.order', verbose_name='order')),
                ('staff', models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='by')),
            ],
            options={
                'verbose_name': 'order refund',
                'verbose_name_plural': 'refunds of orders',
                'ordering': ['-id'],
                'permissions': [('refund_order', 'Can refund orders')],
            },
        ),
        migrations.CreateModel(
            name='CreditNote',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=43, unique=True)),
                ('sha256', models.CharField(max_length=64)),
                ('made_at', models.DateTimeField(verbose_name='date of issue')),
                ('order_refund', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='credit_note', to='refunds.orderrefund', verbose_name='order refund')),
            ],
            options={
                'verbose_name': 'credit note',
                'verbose_name_plural': 'credit notes',
                'ordering': ['-id'],
            },
        ),
        migrations.CreateModel(
            name='OrderRefundLeg',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('order_refund', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='legs', to='refunds.orderrefund')),
                ('refund', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='leg', to='payments.refund')),
            ],
            options={
                'ordering': ['id'],
            },
        ),
        migrations.CreateModel(
            name='OrderRefundLine',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('units', models.PositiveIntegerField()),
                ('amount', models.DecimalField(decimal_places=2, max_digits=12)),
                ('gst', models.DecimalField(decimal_places=2, max_digits=12)),
                ('unsent', models.PositiveIntegerField(default=0)),
                ('restocked', models.PositiveIntegerField(default=0)),
                ('line', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='refund_lines', to='orders.orderline')),
                ('order_refund', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='lines', to='refunds.orderrefund')),
            ],
            options={
                'ordering': ['id'],
            },
        ),
        migrations.AddIndex(
            model_name='orderrefund',
            index=models.Index(fields=['order', '-id'], name='refund_of_order'),
        ),
        migrations.AddIndex(
            model_name='orderrefund',
            index=models.Index(condition=models.Q(('credit_note_due', True)), fields=['id'], name='credit_note_due'),
        ),
        migrations.AddConstraint(
            model_name='orderrefund',
            constraint=models.CheckConstraint(condition=models.Q(('freight_amount__gte', 0), ('goods_amount__gte', 0)), name='order_refund_not_negative'),
        ),
        migrations.AddConstraint(
            model_name='orderrefund',
            constraint=models.CheckConstraint(condition=models.Q(('gst__gte', 0), ('gst__lte', models.F('goods_amount')), ('freight_gst__gte', 0), ('freight_gst__lte', models.F('freight_amount'))), name='order_refund_gst_within'),
        ),
        migrations.AddConstraint(
            model_name='orderrefundline',
            constraint=models.UniqueConstraint(fields=('order_refund', 'line'), name='one_row_per_refund_and_line'),
        ),
        migrations.AddConstraint(
            model_name='orderrefundline',
            constraint=models.CheckConstraint(condition=models.Q(('amount__gte', 0), models.Q(('amount__gt', 0), ('units__gt', 0), _connector='OR')), name='refund_line_of_something'),
        ),
        migrations.AddConstraint(
            model_name='orderrefundline',
            constraint=models.CheckConstraint(condition=models.Q(('gst__gte', 0), ('gst__lte', models.F('amount'))), name='refund_line_gst_within'),
        ),
        migrations.AddConstraint(
            model_name='orderrefundline',
            constraint=models.CheckConstraint(condition=models.Q(('restocked__lte', models.F('units')), ('unsent__lte', models.F('units'))), name='refund_line_units_within'),
        ),
    ]
