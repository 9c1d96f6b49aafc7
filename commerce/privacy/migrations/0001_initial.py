import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('accounts', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='ConsentChange',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('is_given', models.BooleanField(verbose_name='agrees')),
                ('source', models.CharField(choices=[('account', 'account page'), ('registration', 'registration'), ('link', 'link to unsubscribe'), ('staff', 'staff')], max_length=12, verbose_name='by')),
                ('created_at', models.DateTimeField(auto_now_add=True, verbose_name='time')),
                ('customer', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='consent_changes', to='accounts.customer', verbose_name='customer')),
                ('staff', models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'change of consent',
                'verbose_name_plural': 'changes of consent',
                'ordering': ['-id'],
            },
        ),
        migrations.CreateModel(
            name='DataCopy',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('created_at', models.DateTimeField(auto_now_add=True, db_index=True, verbose_name='time')),
                ('customer', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='data_copies', to='accounts.customer', verbose_name='customer')),
                ('staff', models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'copy of data',
                'verbose_name_plural': 'copies of data',
                'ordering': ['-id'],
                'permissions': [('handle_request', 'Can give out, change and delete what is held on customers')],
            },
        ),
        migrations.CreateModel(
            name='DeletedCustomer',
            fields=[
                ('customer', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, primary_key=True, related_name='deletion', serialize=False, to='accounts.customer', verbose_name='customer')),
                ('deleted_at', models.DateTimeField(auto_now_add=True, verbose_name='deleted at')),
                ('erased_at', models.DateTimeField(null=True)),
                ('oldest_record_at', models.DateTimeField(null=True)),
                ('staff', models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'deleted account',
                'verbose_name_plural': 'deleted accounts',
                'ordering': ['-deleted_at'],
                'indexes': [models.Index(condition=models.Q(('erased_at', None)), fields=['deleted_at'], name='customer_to_erase'), models.Index(condition=models.Q(('oldest_record_at__isnull', False)), fields=['oldest_record_at'], name='customer_to_wipe')],
            },
        ),
        migrations.CreateModel(
            name='MarketingConsent',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('is_given', models.BooleanField(default=False, verbose_name='agrees')),
                ('language', models.CharField(choices=[('en', 'English'), ('zh-hans', '简体中文')], max_length=10, verbose_name='language')),
                ('changed_at', models.DateTimeField(auto_now_add=True, verbose_name='since')),
                ('customer', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='marketing_consent', to='accounts.customer', verbose_name='customer')),
            ],
            options={
                'verbose_name': 'reader of the newsletter',
                'verbose_name_plural': 'readers of the newsletter',
                'ordering': ['-id'],
                'indexes': [models.Index(condition=models.Q(('is_given', True)), fields=['id'], name='consent_given')],
            },
        ),
    ]
