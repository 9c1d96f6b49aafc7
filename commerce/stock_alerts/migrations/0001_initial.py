import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('goods', '0001_initial'),
    ]

    operations = [
        migrations.CreateModel(
            name='StockAlert',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('email', models.EmailField(max_length=254, verbose_name='email')),
                ('language', models.CharField(choices=[('en', 'English'), ('zh-hans', '简体中文')], max_length=10, verbose_name='language')),
                ('created_at', models.DateTimeField(auto_now_add=True, verbose_name='asked')),
                ('sent_at', models.DateTimeField(editable=False, null=True, verbose_name='sent')),
                ('product', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='stock_alerts', to='goods.product', verbose_name='product')),
            ],
            options={
                'verbose_name': 'back-in-stock notice',
                'verbose_name_plural': 'back-in-stock notices',
                'ordering': ['-id'],
                'indexes': [models.Index(condition=models.Q(('sent_at', None)), fields=['product'], name='stock_alert_open'), models.Index(fields=['email'], name='stock_alert_email')],
                'constraints': [models.UniqueConstraint(condition=models.Q(('sent_at', None)), fields=('product', 'email'), name='one_open_alert_per_product')],
            },
        ),
    ]
