from decimal import Decimal

import django.core.validators
import django.db.models.deletion
import modelcluster.fields
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('accounts', '0001_initial'),
        ('goods', '0001_initial'),
    ]

    operations = [
        migrations.CreateModel(
            name='Voucher',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name_en', models.CharField(max_length=200, verbose_name='English name')),
                ('name_zh', models.CharField(max_length=200, verbose_name='Chinese name')),
                ('code', models.CharField(max_length=32, unique=True, validators=[django.core.validators.RegexValidator('^[A-Z0-9-]{4,32}$', '4 to 32 letters A to Z, digits and hyphens.')], verbose_name='code')),
                ('kind', models.CharField(choices=[('fixed', 'An amount, AUD'), ('percent', 'Per cent')], default='fixed', max_length=10, verbose_name='kind')),
                ('value', models.DecimalField(decimal_places=2, max_digits=12, validators=[django.core.validators.MinValueValidator(Decimal('0.01'))], verbose_name='amount or per cent')),
                ('from_amount', models.DecimalField(decimal_places=2, default=Decimal('0.00'), help_text='What the products it is for must cost together, after promotions.', max_digits=12, validators=[django.core.validators.MinValueValidator(Decimal('0.00'))], verbose_name='least amount, AUD')),
                ('first_order_only', models.BooleanField(default=False, verbose_name='for first orders only')),
                ('total_limit', models.PositiveIntegerField(default=0, help_text='0 means no limit.', verbose_name='orders in all')),
                ('customer_limit', models.PositiveIntegerField(default=1, help_text='0 means no limit.', verbose_name='orders of one customer')),
                ('starts_at', models.DateTimeField(verbose_name='starts')),
                ('ends_at', models.DateTimeField(verbose_name='ends')),
                ('is_active', models.BooleanField(default=True, verbose_name='switched on')),
                ('taken', models.PositiveIntegerField(default=0, editable=False, verbose_name='orders with it')),
            ],
            options={
                'verbose_name': 'voucher',
                'verbose_name_plural': 'vouchers',
                'ordering': ['-ends_at', '-id'],
                'constraints': [models.CheckConstraint(condition=models.Q(('ends_at__gt', models.F('starts_at'))), name='voucher_ends_after_start'), models.CheckConstraint(condition=models.Q(('value__gt', 0), models.Q(('kind', 'fixed'), models.Q(('kind', 'percent'), ('value__lte', 90)), _connector='OR')), name='voucher_value_in_range'), models.CheckConstraint(condition=models.Q(('total_limit', 0), ('taken__lte', models.F('total_limit')), _connector='OR'), name='voucher_within_its_limit')],
            },
        ),
        migrations.CreateModel(
            name='VoucherScope',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('brand', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, to='goods.brand', verbose_name='brand')),
                ('category', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, to='goods.category', verbose_name='category')),
                ('voucher', modelcluster.fields.ParentalKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='scopes', to='vouchers.voucher')),
            ],
            options={
                'verbose_name': 'what a voucher is for',
                'verbose_name_plural': 'what a voucher is for',
                'ordering': ['id'],
                'indexes': [models.Index(fields=['voucher'], name='scopes_of_voucher')],
                'constraints': [models.CheckConstraint(condition=models.Q(('brand', None), ('category', None), _connector='XOR'), name='scope_is_a_brand_or_a_category', violation_error_message='Choose a brand or a category.')],
            },
        ),
        migrations.CreateModel(
            name='VoucherUse',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('orders', models.PositiveIntegerField(default=0)),
                ('customer', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.customer')),
                ('voucher', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='uses', to='vouchers.voucher')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('voucher', 'customer'), name='one_voucher_use_per_customer')],
            },
        ),
    ]
