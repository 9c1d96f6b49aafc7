from decimal import Decimal

import django.db.models.deletion
import django.db.models.expressions
import django.db.models.functions.math
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('accounts', '0001_initial'),
        ('delivery', '0001_initial'),
        ('goods', '0001_initial'),
        ('promotions', '0001_initial'),
        ('stock', '0001_initial'),
        ('vouchers', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Order',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('order_no', models.CharField(max_length=24, unique=True, verbose_name='order number')),
                ('status', models.PositiveSmallIntegerField(choices=[(1, 'Unpaid'), (2, 'Paid'), (0, 'Under review'), (3, 'Being picked'), (4, 'Packed'), (5, 'Waiting for the customer’s answer'), (51, 'Waiting for stock'), (8, 'On hold'), (6, 'Shipped'), (100, 'Ready for pick-up'), (102, 'Out for delivery'), (106, 'Partly shipped'), (7, 'Completed'), (10, 'Canceled'), (90, 'Came back'), (98, 'Chargeback')], default=1, verbose_name='status')),
                ('shipping_type', models.PositiveSmallIntegerField(choices=[(1, 'Delivery abroad'), (2, 'Delivery in Australia'), (3, 'Pick-up in store')], verbose_name='shipping')),
                ('goods_amount', models.DecimalField(decimal_places=2, max_digits=12, verbose_name='products, AUD')),
                ('discount', models.DecimalField(db_default=Decimal('0.00'), decimal_places=2, default=Decimal('0.00'), max_digits=12, verbose_name='discount, AUD')),
                ('voucher_code', models.CharField(blank=True, db_default='', default='', max_length=32, verbose_name='voucher code')),
                ('freight', models.DecimalField(decimal_places=2, max_digits=12, verbose_name='delivery cost, AUD')),
                ('freight_gst', models.DecimalField(db_default=Decimal('0.00'), decimal_places=2, default=Decimal('0.00'), max_digits=12, verbose_name='GST in the delivery cost, AUD')),
                ('pay_amount', models.DecimalField(decimal_places=2, max_digits=12, verbose_name='to pay, AUD')),
                ('refunded_freight', models.DecimalField(db_default=Decimal('0.00'), decimal_places=2, default=Decimal('0.00'), max_digits=12, verbose_name='delivery cost refunded, AUD')),
                ('exchange_rate', models.DecimalField(decimal_places=6, max_digits=12, verbose_name='CNY per AUD')),
                ('address', models.JSONField(null=True, verbose_name='address')),
                ('shop', models.JSONField(null=True, verbose_name='shop')),
                ('parcels', models.JSONField(default=list, verbose_name='parcels')),
                ('delivery_until', models.DateTimeField(editable=False, null=True)),
                ('leave_at_door', models.BooleanField(db_default=False, default=False, verbose_name='may be left at the door')),
                ('pickup_code', models.CharField(blank=True, db_default='', default='', max_length=6, verbose_name='pick-up code')),
                ('remark', models.CharField(blank=True, max_length=500, verbose_name='remark')),
                ('sold_out_wish', models.CharField(blank=True, choices=[('replace', 'Replace it with something similar'), ('refund', 'Refund it'), ('ask', 'Ask me')], db_default='', default='', max_length=8, verbose_name='if something is sold out')),
                ('language', models.CharField(db_default='en', default='en', max_length=8, verbose_name='language')),
                ('pay_type', models.CharField(blank=True, max_length=16, verbose_name='payment method')),
                ('pay_img', models.CharField(blank=True, max_length=300, verbose_name='payment image')),
                ('created_at', models.DateTimeField(auto_now_add=True, verbose_name='ordered at')),
                ('expires_at', models.DateTimeField(null=True, verbose_name='held until')),
                ('paid_at', models.DateTimeField(null=True, verbose_name='paid at')),
                ('complete_at', models.DateTimeField(editable=False, null=True)),
                ('sales_counted_at', models.DateTimeField(editable=False, null=True)),
                ('invoice_due', models.BooleanField(db_default=False, default=True, editable=False)),
                ('points_rate', models.DecimalField(db_default=Decimal('0.00'), decimal_places=2, default=Decimal('0.00'), max_digits=5, verbose_name='points per dollar')),
                ('points_booked_at', models.DateTimeField(editable=False, null=True)),
                ('points_earned', models.PositiveIntegerField(db_default=0, default=0, verbose_name='points earned')),
                ('goods_refunded', models.DecimalField(db_default=Decimal('0.00'), decimal_places=2, default=Decimal('0.00'), max_digits=12, verbose_name='products refunded, AUD')),
                ('points', models.PositiveIntegerField(db_default=0, default=0, verbose_name='points spent')),
                ('points_amount', models.DecimalField(db_default=Decimal('0.00'), decimal_places=2, default=Decimal('0.00'), max_digits=12, verbose_name='paid with points, AUD')),
                ('points_returned', models.PositiveIntegerField(db_default=0, default=0, verbose_name='points given back')),
                ('customer', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='orders', to='accounts.customer', verbose_name='customer')),
                ('delivery_slot', models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='orders', to='delivery.deliveryslot', verbose_name='delivery window')),
                ('location', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='stock.location', verbose_name='stock location')),
                ('pickup_slot', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='orders', to='delivery.pickupslot')),
                ('voucher', models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='vouchers.voucher', verbose_name='voucher')),
            ],
            options={
                'verbose_name': 'order',
                'verbose_name_plural': 'orders',
                'ordering': ['-id'],
            },
        ),
        migrations.CreateModel(
            name='RecipientIdCard',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.CharField(max_length=200)),
                ('masked', models.CharField(max_length=18)),
                ('delete_at', models.DateTimeField(db_index=True)),
                ('order', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='id_card', to='orders.order')),
            ],
            options={
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='Trade',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('code', models.CharField(max_length=64)),
                ('draft', models.JSONField(null=True)),
                ('payload_hash', models.CharField(blank=True, max_length=64)),
                ('expires_at', models.DateTimeField()),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('customer', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='trades', to='accounts.customer')),
            ],
        ),
        migrations.AddField(
            model_name='order',
            name='trade',
            field=models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='order', to='orders.trade'),
        ),
        migrations.CreateModel(
            name='OrderLine',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('sku', models.CharField(max_length=40)),
                ('name_en', models.CharField(max_length=200)),
                ('name_zh', models.CharField(max_length=200)),
                ('pack', models.CharField(max_length=40)),
                ('picture_url', models.CharField(blank=True, max_length=300)),
                ('storage', models.CharField(choices=[('ambient', 'Room temperature'), ('chilled', 'Chilled'), ('frozen', 'Frozen')], max_length=10)),
                ('net_weight', models.PositiveIntegerField()),
                ('price', models.DecimalField(decimal_places=2, max_digits=12)),
                ('amount', models.PositiveIntegerField()),
                ('line_total', models.DecimalField(decimal_places=2, max_digits=12)),
                ('discount', models.DecimalField(db_default=Decimal('0.00'), decimal_places=2, default=Decimal('0.00'), max_digits=12)),
                ('points_discount', models.DecimalField(db_default=Decimal('0.00'), decimal_places=2, default=Decimal('0.00'), max_digits=12)),
                ('is_gift', models.BooleanField(db_default=False, default=False)),
                ('unsent', models.PositiveIntegerField(db_default=0, default=0)),
                ('refunded_units', models.PositiveIntegerField(db_default=0, default=0)),
                ('refunded_amount', models.DecimalField(db_default=Decimal('0.00'), decimal_places=2, default=Decimal('0.00'), max_digits=12)),
                ('gst', models.DecimalField(decimal_places=2, max_digits=12)),
                ('why_en', models.CharField(blank=True, db_default='', default='', max_length=600)),
                ('why_zh', models.CharField(blank=True, db_default='', default='', max_length=600)),
                ('order', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='lines', to='orders.order')),
                ('product', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='goods.product')),
                ('promotion', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='promotions.promotion')),
            ],
            options={
                'verbose_name': 'order line',
                'verbose_name_plural': 'order lines',
                'ordering': ['id'],
                'constraints': [models.UniqueConstraint(condition=models.Q(('promotion', None)), fields=('order', 'product'), name='one_ordinary_line_per_product'), models.UniqueConstraint(condition=models.Q(('promotion__isnull', False)), fields=('order', 'product'), name='one_promoted_line_per_product'), models.CheckConstraint(condition=models.Q(('amount__gte', 1)), name='line_amount_positive'), models.CheckConstraint(condition=models.Q(('line_total', django.db.models.functions.math.Round(models.ExpressionWrapper(django.db.models.expressions.CombinedExpression(models.F('price'), '*', models.F('amount')), output_field=models.DecimalField(decimal_places=2, max_digits=14)), precision=2))), name='line_total_adds_up'), models.CheckConstraint(condition=models.Q(('discount__gte', 0), ('discount__lte', models.F('line_total'))), name='line_discount_within_total'), models.CheckConstraint(condition=models.Q(('points_discount__gte', 0), ('points_discount__lte', django.db.models.functions.math.Round(models.ExpressionWrapper(django.db.models.expressions.CombinedExpression(models.F('line_total'), '-', models.F('discount')), output_field=models.DecimalField(decimal_places=2, max_digits=14)), precision=2))), name='line_points_within_total'), models.CheckConstraint(condition=models.Q(('unsent__lte', models.F('amount'))), name='line_unsent_within_amount'), models.CheckConstraint(condition=models.Q(('refunded_units__lte', models.F('amount'))), name='line_units_refunded_within'), models.CheckConstraint(condition=models.Q(('refunded_amount__gte', 0), ('refunded_amount__lte', django.db.models.functions.math.Round(models.ExpressionWrapper(django.db.models.expressions.CombinedExpression(django.db.models.expressions.CombinedExpression(models.F('line_total'), '-', models.F('discount')), '-', models.F('points_discount')), output_field=models.DecimalField(decimal_places=2, max_digits=14)), precision=2))), name='line_amount_refunded_within')],
            },
        ),
        migrations.CreateModel(
            name='OrderStatusChange',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('from_status', models.PositiveSmallIntegerField(null=True)),
                ('to_status', models.PositiveSmallIntegerField(choices=[(1, 'Unpaid'), (2, 'Paid'), (0, 'Under review'), (3, 'Being picked'), (4, 'Packed'), (5, 'Waiting for the customer’s answer'), (51, 'Waiting for stock'), (8, 'On hold'), (6, 'Shipped'), (100, 'Ready for pick-up'), (102, 'Out for delivery'), (106, 'Partly shipped'), (7, 'Completed'), (10, 'Canceled'), (90, 'Came back'), (98, 'Chargeback')])),
                ('reason', models.CharField(choices=[('placed', 'Placed'), ('payment', 'Payment received'), ('customer', 'Cancelled by the customer'), ('expired', 'Not paid in time'), ('late_payment', 'Payment received after it was cancelled'), ('staff', 'By staff'), ('shipment', 'Parcel handed to the carrier'), ('rest_closed', 'The rest cannot be sent'), ('handed_over', 'Picked up in store'), ('delivered', 'Delivered'), ('receipt', 'Receipt confirmed by the customer'), ('time_passed', 'Completed automatically'), ('dispute', 'Payment disputed'), ('refunded', 'Refunded')], max_length=20)),
                ('note', models.CharField(blank=True, db_default='', default='', max_length=200)),
                ('message_due', models.BooleanField(db_default=False, default=True)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('order', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='history', to='orders.order')),
                ('staff', models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['id'],
                'indexes': [models.Index(condition=models.Q(('message_due', True)), fields=['id'], name='status_change_untold')],
            },
        ),
        migrations.CreateModel(
            name='PromotionUse',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('amount', models.PositiveIntegerField(default=0)),
                ('customer', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.customer')),
                ('item', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='promotions.promotionitem')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('customer', 'item'), name='one_use_per_customer')],
            },
        ),
        migrations.AddConstraint(
            model_name='trade',
            constraint=models.UniqueConstraint(fields=('customer', 'code'), name='one_trade_per_code'),
        ),
        migrations.AddIndex(
            model_name='order',
            index=models.Index(fields=['customer', '-id'], name='order_of_customer'),
        ),
        migrations.AddIndex(
            model_name='order',
            index=models.Index(fields=['customer', 'status', '-id'], name='order_of_customer_by_status'),
        ),
        migrations.AddIndex(
            model_name='order',
            index=models.Index(condition=models.Q(('status', 1)), fields=['expires_at'], name='order_expiring'),
        ),
        migrations.AddIndex(
            model_name='order',
            index=models.Index(condition=models.Q(('paid_at__isnull', False), ('sales_counted_at', None)), fields=['paid_at', 'id'], name='order_sales_due'),
        ),
        migrations.AddIndex(
            model_name='order',
            index=models.Index(condition=models.Q(('invoice_due', True), ('paid_at__isnull', False)), fields=['paid_at', 'id'], name='order_invoice_due'),
        ),
        migrations.AddIndex(
            model_name='order',
            index=models.Index(condition=models.Q(('paid_at__isnull', False), ('points_booked_at', None), ('points_rate__gt', 0)), fields=['status', 'id'], name='order_points_due'),
        ),
        migrations.AddIndex(
            model_name='order',
            index=models.Index(condition=models.Q(('voucher__isnull', False)), fields=['voucher'], name='order_of_voucher'),
        ),
        migrations.AddIndex(
            model_name='order',
            index=models.Index(condition=models.Q(('delivery_slot__isnull', False)), fields=['delivery_slot'], name='order_of_window'),
        ),
        migrations.AddIndex(
            model_name='order',
            index=models.Index(condition=models.Q(('status__in', [6, 100, 102, 106])), fields=['complete_at'], name='order_completing'),
        ),
        migrations.AddIndex(
            model_name='order',
            index=models.Index(condition=models.Q(('status', 98)), fields=['id'], name='order_disputed'),
        ),
        migrations.AddConstraint(
            model_name='order',
            constraint=models.CheckConstraint(condition=models.Q(('pay_amount', django.db.models.functions.math.Round(models.ExpressionWrapper(django.db.models.expressions.CombinedExpression(django.db.models.expressions.CombinedExpression(models.F('goods_amount'), '+', models.F('freight')), '-', models.F('points_amount')), output_field=models.DecimalField(decimal_places=2, max_digits=14)), precision=2))), name='order_total_adds_up'),
        ),
        migrations.AddConstraint(
            model_name='order',
            constraint=models.CheckConstraint(condition=models.Q(('freight__gte', 0), ('goods_amount__gt', 0)), name='order_amounts'),
        ),
        migrations.AddConstraint(
            model_name='order',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('points', 0), ('points_amount', 0)), models.Q(('pay_amount__gt', 0), ('points__gt', 0), ('points_amount__gt', 0), ('points_amount__lte', models.F('goods_amount'))), _connector='OR'), name='order_points_pay_for_products'),
        ),
        migrations.AddConstraint(
            model_name='order',
            constraint=models.CheckConstraint(condition=models.Q(('goods_refunded__gte', 0), ('goods_refunded__lte', django.db.models.functions.math.Round(models.ExpressionWrapper(django.db.models.expressions.CombinedExpression(models.F('goods_amount'), '-', models.F('points_amount')), output_field=models.DecimalField(decimal_places=2, max_digits=14)), precision=2))), name='order_refunded_within_paid'),
        ),
        migrations.AddConstraint(
            model_name='order',
            constraint=models.CheckConstraint(condition=models.Q(('points_returned__lte', models.F('points'))), name='order_points_returned_within'),
        ),
        migrations.AddConstraint(
            model_name='order',
            constraint=models.CheckConstraint(condition=models.Q(('refunded_freight__gte', 0), ('refunded_freight__lte', models.F('freight'))), name='order_freight_refunded_within'),
        ),
    ]
