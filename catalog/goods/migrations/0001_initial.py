from decimal import Decimal

import django.core.validators
import django.db.models.deletion
import modelcluster.fields
import taggit.managers
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('wagtailimages', '0027_image_description'),
    ]

    operations = [
        migrations.CreateModel(
            name='ProductGroup',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('code', models.SlugField(unique=True, verbose_name='code')),
                ('name_en', models.CharField(max_length=60, verbose_name='what differs, English')),
                ('name_zh', models.CharField(max_length=60, verbose_name='what differs, Chinese')),
            ],
            options={
                'verbose_name': 'product group',
                'verbose_name_plural': 'product groups',
            },
        ),
        migrations.CreateModel(
            name='ProductTag',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=100, unique=True, verbose_name='name')),
                ('slug', models.SlugField(allow_unicode=True, max_length=100, unique=True, verbose_name='slug')),
            ],
            options={
                'verbose_name': 'product tag',
                'verbose_name_plural': 'product tags',
                'ordering': ['name'],
            },
        ),
        migrations.CreateModel(
            name='Brand',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name_en', models.CharField(max_length=200, verbose_name='English name')),
                ('name_zh', models.CharField(max_length=200, verbose_name='Chinese name')),
                ('origin', models.CharField(blank=True, max_length=2, verbose_name='country')),
                ('is_house', models.BooleanField(default=False, verbose_name='house label')),
                ('popular_place', models.PositiveSmallIntegerField(blank=True, help_text='Pinned brands come first, the lowest number before the others; empty: by units sold.', null=True, verbose_name='place among the popular brands')),
                ('pinyin', models.CharField(blank=True, editable=False, max_length=200)),
                ('picture', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='wagtailimages.image', verbose_name='picture')),
            ],
            options={
                'verbose_name': 'brand',
                'verbose_name_plural': 'brands',
                'ordering': ['name_en', 'id'],
            },
        ),
        migrations.CreateModel(
            name='Category',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name_en', models.CharField(max_length=200, verbose_name='English name')),
                ('name_zh', models.CharField(max_length=200, verbose_name='Chinese name')),
                ('tint', models.CharField(default='#F6F7FB', max_length=7, validators=[django.core.validators.RegexValidator('^#[0-9A-Fa-f]{6}$', 'Write a colour such as #E6F4E1.')], verbose_name='background colour')),
                ('sort', models.PositiveIntegerField(default=0, verbose_name='place in the list')),
                ('unit_rule', models.CharField(blank=True, choices=[('', 'As the category above'), ('standard', '100 g, 100 mL or item'), ('per_kg', 'Kilogram: fresh produce, meat, seafood'), ('per_litre', 'Litre: drinks'), ('number', 'Item, independent of the pack'), ('exempt', 'None: clothing, homewares, toys')], default='', max_length=10, verbose_name='unit price per')),
                ('parent', models.ForeignKey(blank=True, limit_choices_to={'parent': None}, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='children', to='goods.category', verbose_name='category above')),
                ('picture', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='wagtailimages.image', verbose_name='picture')),
            ],
            options={
                'verbose_name': 'category',
                'verbose_name_plural': 'categories',
                'ordering': ['sort', 'id'],
            },
        ),
        migrations.CreateModel(
            name='Product',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name_en', models.CharField(max_length=200, verbose_name='English name')),
                ('name_zh', models.CharField(max_length=200, verbose_name='Chinese name')),
                ('sku', models.CharField(max_length=40, unique=True, verbose_name='SKU')),
                ('variant_en', models.CharField(blank=True, max_length=60, verbose_name='variant, English')),
                ('variant_zh', models.CharField(blank=True, max_length=60, verbose_name='variant, Chinese')),
                ('pack', models.CharField(help_text='As printed on the card: 500 g, 6 x 330 mL.', max_length=40, verbose_name='pack')),
                ('pack_zh', models.CharField(blank=True, help_text='Where the words differ: 12 包. Empty: as in English.', max_length=40, verbose_name='pack, Chinese')),
                ('net_weight', models.PositiveIntegerField(validators=[django.core.validators.MinValueValidator(1)], verbose_name='weight in grams')),
                ('unit_en', models.CharField(max_length=20, verbose_name='unit, English')),
                ('unit_zh', models.CharField(max_length=20, verbose_name='unit, Chinese')),
                ('price', models.DecimalField(decimal_places=2, max_digits=12, validators=[django.core.validators.MinValueValidator(Decimal('0.01'))], verbose_name='price, AUD with GST')),
                ('market_price', models.DecimalField(blank=True, decimal_places=2, help_text='A higher price that the shop has really charged; it disappears when it is too old.', max_digits=12, null=True, verbose_name='was-price, AUD with GST')),
                ('gst_free', models.BooleanField(default=False, verbose_name='GST-free')),
                ('storage', models.CharField(choices=[('ambient', 'Room temperature'), ('chilled', 'Chilled'), ('frozen', 'Frozen')], default='ambient', max_length=10, verbose_name='storage')),
                ('origin', models.CharField(max_length=2, verbose_name='country of origin')),
                ('description_en', models.TextField(blank=True, verbose_name='description, English')),
                ('description_zh', models.TextField(blank=True, verbose_name='description, Chinese')),
                ('ingredients_en', models.TextField(blank=True, verbose_name='ingredients, English')),
                ('ingredients_zh', models.TextField(blank=True, verbose_name='ingredients, Chinese')),
                ('allergens', models.JSONField(blank=True, default=list, verbose_name='allergens')),
                ('best_before', models.DateField(blank=True, help_text='The earliest date of what is in stock.', null=True, verbose_name='best before')),
                ('no_export', models.BooleanField(db_default=False, default=False, help_text='Customs keep it out, such as fresh food. Chilled and frozen products stay anyway.', verbose_name='not sent abroad')),
                ('is_self', models.BooleanField(default=False, verbose_name='direct mail')),
                ('is_advance', models.BooleanField(default=False, verbose_name='advance or limited')),
                ('min_amount', models.PositiveIntegerField(default=1, validators=[django.core.validators.MinValueValidator(1)], verbose_name='minimum amount')),
                ('limit_amount', models.PositiveIntegerField(default=0, help_text='0 means no limit.', verbose_name='most per order')),
                ('is_bulk', models.BooleanField(default=False, verbose_name='bulk buying')),
                ('carton_size', models.PositiveIntegerField(default=1, validators=[django.core.validators.MinValueValidator(1)], verbose_name='units in a carton')),
                ('on_sale', models.BooleanField(default=True, verbose_name='on sale')),
                ('units_sold', models.PositiveIntegerField(default=0, editable=False, verbose_name='units sold')),
                ('sold_out', models.BooleanField(default=True, editable=False)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('updated_at', models.DateTimeField(auto_now=True)),
                ('brand', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='products', to='goods.brand', verbose_name='brand')),
                ('category', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='products', to='goods.category', verbose_name='category')),
                ('picture', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='wagtailimages.image', verbose_name='picture')),
                ('top_category', models.ForeignKey(editable=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='goods.category')),
                ('group', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='products', to='goods.productgroup', verbose_name='product group')),
            ],
            options={
                'verbose_name': 'product',
                'verbose_name_plural': 'products',
                'ordering': ['-units_sold', 'id'],
            },
        ),
        migrations.CreateModel(
            name='ProductPicture',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('sort', models.PositiveSmallIntegerField(default=0, verbose_name='place in the list')),
                ('picture', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='wagtailimages.image', verbose_name='picture')),
                ('product', modelcluster.fields.ParentalKey(on_delete=django.db.models.deletion.CASCADE, related_name='gallery', to='goods.product')),
            ],
            options={
                'verbose_name': 'picture',
                'verbose_name_plural': 'pictures',
                'ordering': ['sort', 'id'],
            },
        ),
        migrations.CreateModel(
            name='TaggedProduct',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('content_object', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='goods.product')),
                ('tag', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='tagged_products', to='goods.producttag')),
            ],
        ),
        migrations.AddField(
            model_name='product',
            name='tags',
            field=taggit.managers.TaggableManager(blank=True, help_text='Words for your own use, separated by commas: a special area can show all products of a tag.', through='goods.TaggedProduct', to='goods.ProductTag', verbose_name='tags'),
        ),
        migrations.CreateModel(
            name='PriceTier',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('price', models.DecimalField(decimal_places=2, max_digits=12, validators=[django.core.validators.MinValueValidator(Decimal('0.01'))], verbose_name='price, AUD with GST')),
                ('from_amount', models.PositiveIntegerField(validators=[django.core.validators.MinValueValidator(2)], verbose_name='from this many units')),
                ('product', modelcluster.fields.ParentalKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='price_tiers', to='goods.product')),
            ],
            options={
                'verbose_name': 'price from an amount',
                'verbose_name_plural': 'prices from an amount',
                'ordering': ['from_amount'],
                'constraints': [models.UniqueConstraint(fields=('product', 'from_amount'), name='one_price_per_amount'), models.CheckConstraint(condition=models.Q(('price__gt', 0)), name='tier_price_positive'), models.CheckConstraint(condition=models.Q(('from_amount__gte', 2)), name='tier_from_two')],
            },
        ),
        migrations.CreateModel(
            name='PriceChange',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('price', models.DecimalField(decimal_places=2, max_digits=12, validators=[django.core.validators.MinValueValidator(Decimal('0.01'))], verbose_name='price, AUD with GST')),
                ('charged_from', models.DateTimeField(verbose_name='charged from')),
                ('product', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='price_changes', to='goods.product')),
            ],
            options={
                'verbose_name': 'price change',
                'verbose_name_plural': 'price changes',
                'ordering': ['-charged_from', '-id'],
                'indexes': [models.Index(fields=['product', '-charged_from'], name='price_change_newest')],
            },
        ),
        migrations.CreateModel(
            name='LevelPrice',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('price', models.DecimalField(decimal_places=2, max_digits=12, validators=[django.core.validators.MinValueValidator(Decimal('0.01'))], verbose_name='price, AUD with GST')),
                ('level', models.PositiveSmallIntegerField(verbose_name='member level')),
                ('product', modelcluster.fields.ParentalKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='level_prices', to='goods.product')),
            ],
            options={
                'verbose_name': 'price for a level',
                'verbose_name_plural': 'prices for levels',
                'ordering': ['level'],
                'constraints': [models.UniqueConstraint(fields=('product', 'level'), name='one_price_per_level'), models.CheckConstraint(condition=models.Q(('price__gt', 0)), name='level_price_positive')],
            },
        ),
        migrations.CreateModel(
            name='SoldDay',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('day', models.DateField()),
                ('units', models.PositiveIntegerField()),
                ('product', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='sold_days', to='goods.product')),
            ],
            options={
                'indexes': [models.Index(fields=['day', 'product'], include=('units',), name='sold_by_day')],
                'constraints': [models.UniqueConstraint(fields=('product', 'day'), name='sold_day_once')],
            },
        ),
        migrations.AddConstraint(
            model_name='taggedproduct',
            constraint=models.UniqueConstraint(fields=('content_object', 'tag'), name='tag_once_per_product'),
        ),
        migrations.AddIndex(
            model_name='product',
            index=models.Index(condition=models.Q(('on_sale', True), ('sold_out', True)), fields=['id'], name='sold_out_on_sale'),
        ),
        migrations.AddIndex(
            model_name='product',
            index=models.Index(condition=models.Q(('on_sale', True)), fields=['category', '-units_sold', 'id'], name='on_sale_by_category_shop_order'),
        ),
        migrations.AddIndex(
            model_name='product',
            index=models.Index(condition=models.Q(('on_sale', True)), fields=['category', 'price', 'id'], name='on_sale_by_category_price'),
        ),
        migrations.AddIndex(
            model_name='product',
            index=models.Index(condition=models.Q(('on_sale', True)), fields=['top_category', '-units_sold', 'id'], name='on_sale_by_top_shop_order'),
        ),
        migrations.AddIndex(
            model_name='product',
            index=models.Index(condition=models.Q(('on_sale', True)), fields=['top_category', 'price', 'id'], name='on_sale_by_top_price'),
        ),
        migrations.AddIndex(
            model_name='product',
            index=models.Index(condition=models.Q(('on_sale', True)), fields=['brand', '-units_sold', 'id'], name='on_sale_by_brand_shop_order'),
        ),
        migrations.AddIndex(
            model_name='product',
            index=models.Index(condition=models.Q(('on_sale', True)), fields=['-units_sold', 'id'], name='on_sale_by_shop_order'),
        ),
        migrations.AddIndex(
            model_name='product',
            index=models.Index(condition=models.Q(('on_sale', True)), fields=['price', 'id'], name='on_sale_by_price'),
        ),
        migrations.AddIndex(
            model_name='product',
            index=models.Index(condition=models.Q(('on_sale', True)), fields=['-created_at', 'id'], name='on_sale_by_newest'),
        ),
        migrations.AddIndex(
            model_name='product',
            index=models.Index(condition=models.Q(('on_sale', True)), fields=['category', '-created_at', 'id'], name='on_sale_by_category_newest'),
        ),
        migrations.AddIndex(
            model_name='product',
            index=models.Index(condition=models.Q(('on_sale', True)), fields=['top_category', '-created_at', 'id'], name='on_sale_by_top_newest'),
        ),
        migrations.AddIndex(
            model_name='product',
            index=models.Index(condition=models.Q(('on_sale', True)), fields=['brand', 'price', 'id'], name='on_sale_by_brand_price'),
        ),
        migrations.AddIndex(
            model_name='product',
            index=models.Index(condition=models.Q(('on_sale', True)), fields=['brand', '-created_at', 'id'], name='on_sale_by_brand_newest'),
        ),
        migrations.AddConstraint(
            model_name='product',
            constraint=models.CheckConstraint(condition=models.Q(('price__gt', 0)), name='product_price_positive'),
        ),
        migrations.AddConstraint(
            model_name='product',
            constraint=models.CheckConstraint(condition=models.Q(('net_weight__gt', 0)), name='product_weight_positive'),
        ),
        migrations.AddConstraint(
            model_name='product',
            constraint=models.CheckConstraint(condition=models.Q(('min_amount__gte', 1)), name='product_min_amount_positive'),
        ),
    ]
