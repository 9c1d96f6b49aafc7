from decimal import Decimal

import django.core.validators
import django.db.models.deletion
import modelcluster.fields
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('goods', '0001_initial'),
        ('wagtailimages', '0027_image_description'),
    ]

    operations = [
        migrations.CreateModel(
            name='Promotion',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name_en', models.CharField(max_length=200, verbose_name='English name')),
                ('name_zh', models.CharField(max_length=200, verbose_name='Chinese name')),
                ('kind', models.CharField(choices=[('price', 'A price of its own for each product'), ('percent', 'Per cent off'), ('buy_get', 'Buy some, get some free'), ('gift', 'A gift from an amount on'), ('bundle', 'A bundle at one price')], db_default='price', default='price', max_length=10, verbose_name='kind')),
                ('percent_off', models.PositiveSmallIntegerField(blank=True, null=True, validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(90)], verbose_name='per cent off the ordinary price')),
                ('buy_units', models.PositiveSmallIntegerField(blank=True, help_text='Of one product: buy 2, get 1 free.', null=True, validators=[django.core.validators.MinValueValidator(1)], verbose_name='units to buy')),
                ('free_units', models.PositiveSmallIntegerField(blank=True, null=True, validators=[django.core.validators.MinValueValidator(1)], verbose_name='units free')),
                ('gift_from', models.DecimalField(blank=True, decimal_places=2, help_text='What the products of this promotion must cost together in one order.', max_digits=12, null=True, validators=[django.core.validators.MinValueValidator(Decimal('0.01'))], verbose_name='gift from, AUD')),
                ('bundle_price', models.DecimalField(blank=True, decimal_places=2, help_text='What all products of this promotion, each in its units, cost together.', max_digits=12, null=True, validators=[django.core.validators.MinValueValidator(Decimal('0.01'))], verbose_name='price of the bundle, AUD')),
                ('starts_at', models.DateTimeField(verbose_name='starts')),
                ('ends_at', models.DateTimeField(verbose_name='ends')),
                ('is_active', models.BooleanField(default=True, verbose_name='switched on')),
                ('picture', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='wagtailimages.image', verbose_name='picture')),
            ],
            options={
                'verbose_name': 'promotion',
                'verbose_name_plural': 'promotions',
                'ordering': ['ends_at', 'id'],
            },
        ),
        migrations.CreateModel(
            name='PromotionItem',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('price', models.DecimalField(blank=True, decimal_places=2, max_digits=12, null=True, validators=[django.core.validators.MinValueValidator(Decimal('0.01'))], verbose_name='price, AUD with GST')),
                ('units', models.PositiveSmallIntegerField(db_default=1, default=1, validators=[django.core.validators.MinValueValidator(1)], verbose_name='units in the bundle or gift')),
                ('is_gift', models.BooleanField(db_default=False, default=False, verbose_name='is the gift')),
                ('quota', models.PositiveIntegerField(validators=[django.core.validators.MinValueValidator(1)], verbose_name='units in all')),
                ('taken', models.PositiveIntegerField(default=0, editable=False, verbose_name='units taken')),
                ('limit_amount', models.PositiveIntegerField(default=0, help_text='0 means no limit.', verbose_name='most per customer')),
                ('sort', models.PositiveIntegerField(default=0, verbose_name='place in the list')),
                ('product', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='promotion_items', to='goods.product', verbose_name='product')),
                ('promotion', modelcluster.fields.ParentalKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='items', to='promotions.promotion', verbose_name='promotion')),
            ],
            options={
                'verbose_name': 'product of a promotion',
                'verbose_name_plural': 'products of a promotion',
                'ordering': ['sort', 'id'],
            },
        ),
        migrations.AddConstraint(
            model_name='promotion',
            constraint=models.CheckConstraint(condition=models.Q(('ends_at__gt', models.F('starts_at'))), name='promotion_ends_after_start'),
        ),
        migrations.AddConstraint(
            model_name='promotion',
            constraint=models.CheckConstraint(condition=models.Q(('kind', 'price'), models.Q(('kind', 'percent'), ('percent_off__isnull', False), ('percent_off__range', (1, 90))), models.Q(('buy_units__isnull', False), ('free_units__isnull', False), ('kind', 'buy_get')), models.Q(('gift_from__gt', 0), ('gift_from__isnull', False), ('kind', 'gift')), models.Q(('bundle_price__gt', 0), ('bundle_price__isnull', False), ('kind', 'bundle')), _connector='OR'), name='promotion_has_what_its_kind_needs'),
        ),
        migrations.AddConstraint(
            model_name='promotionitem',
            constraint=models.UniqueConstraint(fields=('promotion', 'product'), name='good_once_per_promotion'),
        ),
        migrations.AddConstraint(
            model_name='promotionitem',
            constraint=models.CheckConstraint(condition=models.Q(('price__gt', 0)), name='promotion_price_positive'),
        ),
        migrations.AddConstraint(
            model_name='promotionitem',
            constraint=models.CheckConstraint(condition=models.Q(('units__gte', 1)), name='promotion_units_positive'),
        ),
        migrations.AddConstraint(
            model_name='promotionitem',
            constraint=models.CheckConstraint(condition=models.Q(('taken__lte', models.F('quota'))), name='promotion_taken_within_quota'),
        ),
    ]
