from decimal import Decimal

import django.core.validators
import django.db.models.deletion
from django.db import migrations, models

LEVELS = [(1, "普通会员", "Member"), (2, "银卡会员", "Silver"), (3, "金卡会员", "Gold")]


def add_levels(apps, schema_editor):
    member_level = apps.get_model("accounts", "MemberLevel")
    for number, name_zh, name_en in LEVELS:
        member_level.objects.get_or_create(number=number, defaults={"name_zh": name_zh, "name_en": name_en})


class Migration(migrations.Migration):

    initial = True

    dependencies = [
    ]

    operations = [
        migrations.CreateModel(
            name='CaptchaProof',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('proof_hash', models.CharField(max_length=64, unique=True)),
                ('ticket_hash', models.CharField(max_length=64, unique=True)),
                ('used', models.BooleanField(default=False)),
                ('expires_at', models.DateTimeField(db_index=True)),
            ],
            options={
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='Customer',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('account', models.CharField(help_text='Email address, or mobile number as +61412345678.', max_length=254, unique=True, verbose_name='account')),
                ('nickname', models.CharField(blank=True, max_length=60, verbose_name='nickname')),
                ('language', models.CharField(blank=True, choices=[('en', 'English'), ('zh-hans', '中文')], db_default='', default='', max_length=10, verbose_name='language')),
                ('password', models.CharField(editable=False, max_length=200)),
                ('pay_password', models.CharField(blank=True, editable=False, max_length=200)),
                ('is_active', models.BooleanField(default=True, verbose_name='active')),
                ('created_at', models.DateTimeField(auto_now_add=True, verbose_name='registered at')),
                ('last_login_at', models.DateTimeField(editable=False, null=True, verbose_name='last login at')),
            ],
            options={
                'verbose_name': 'customer',
                'verbose_name_plural': 'customers',
                'ordering': ['-id'],
            },
        ),
        migrations.CreateModel(
            name='MemberLevel',
            fields=[
                ('name_en', models.CharField(max_length=200, verbose_name='English name')),
                ('name_zh', models.CharField(max_length=200, verbose_name='Chinese name')),
                ('number', models.PositiveSmallIntegerField(primary_key=True, serialize=False, verbose_name='number')),
                ('yearly_spend', models.DecimalField(blank=True, decimal_places=2, help_text='Customers who spent at least this much in the last 365 days get this level. Empty: only staff give it.', max_digits=10, null=True, validators=[django.core.validators.MinValueValidator(Decimal('0.01'))], verbose_name='yearly spend from, AUD')),
                ('points_rate', models.DecimalField(db_default=Decimal('1.00'), decimal_places=2, default=Decimal('1.00'), help_text='Points for each dollar that is paid for products; orders keep the rate they began with.', max_digits=5, validators=[django.core.validators.MinValueValidator(Decimal('0'))], verbose_name='points per dollar')),
            ],
            options={
                'verbose_name': 'member level',
                'verbose_name_plural': 'member levels',
                'ordering': ['number'],
            },
        ),
        migrations.CreateModel(
            name='AuthToken',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('token_hash', models.CharField(max_length=64, unique=True)),
                ('browser', models.CharField(blank=True, db_default='', default='', max_length=30)),
                ('system', models.CharField(blank=True, db_default='', default='', max_length=30)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('expires_at', models.DateTimeField()),
                ('used_on', models.DateField(null=True)),
                ('customer', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='tokens', to='accounts.customer')),
            ],
            options={
                'abstract': False,
            },
        ),
        migrations.AddField(
            model_name='customer',
            name='fixed_level',
            field=models.ForeignKey(blank=True, db_index=False, help_text='Empty: the level follows each night from what the customer has bought.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='accounts.memberlevel', verbose_name='level given by staff'),
        ),
        migrations.AddField(
            model_name='customer',
            name='level',
            field=models.ForeignKey(default=1, on_delete=django.db.models.deletion.PROTECT, to='accounts.memberlevel', verbose_name='level'),
        ),
        migrations.CreateModel(
            name='VerificationCode',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('account', models.CharField(max_length=254)),
                ('purpose', models.CharField(choices=[('register', 'Register'), ('reset', 'Reset'), ('pay', 'Pay')], max_length=10)),
                ('code_hash', models.CharField(max_length=64)),
                ('tries_left', models.PositiveSmallIntegerField(default=5)),
                ('used', models.BooleanField(default=False)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('expires_at', models.DateTimeField()),
            ],
            options={
                'indexes': [models.Index(fields=['account', 'purpose', '-id'], name='code_newest')],
            },
        ),
        migrations.CreateModel(
            name='Address',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('contacts', models.CharField(max_length=60, verbose_name='recipient')),
                ('contact_phone', models.CharField(max_length=30, verbose_name='phone')),
                ('country_name', models.CharField(default='Australia', max_length=60, verbose_name='country')),
                ('province_name', models.CharField(blank=True, max_length=60, verbose_name='state or province')),
                ('city_name', models.CharField(blank=True, max_length=60, verbose_name='city')),
                ('area_name', models.CharField(blank=True, max_length=60, verbose_name='suburb or district')),
                ('address_detail', models.CharField(max_length=200, verbose_name='street address')),
                ('zip_code', models.CharField(blank=True, max_length=12, verbose_name='postcode')),
                ('is_default', models.BooleanField(default=False, verbose_name='default')),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('customer', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='addresses', to='accounts.customer')),
            ],
            options={
                'verbose_name': 'address',
                'verbose_name_plural': 'addresses',
                'ordering': ['-is_default', '-id'],
                'constraints': [models.UniqueConstraint(condition=models.Q(('is_default', True)), fields=('customer',), name='one_default_address')],
            },
        ),
        migrations.RunPython(add_levels, migrations.RunPython.noop),
    ]
