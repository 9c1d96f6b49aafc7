from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
    ]

    operations = [
        migrations.CreateModel(
            name='Message',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('channel', models.CharField(choices=[('sms', 'Sms'), ('email', 'Email')], max_length=6)),
                ('to', models.CharField(max_length=254)),
                ('subject', models.CharField(blank=True, max_length=200)),
                ('text', models.TextField(blank=True)),
                ('html', models.TextField(blank=True, db_default='', default='')),
                ('code', models.CharField(blank=True, max_length=6)),
                ('unsubscribe_url', models.TextField(blank=True, db_default='', default='')),
                ('attempts', models.PositiveSmallIntegerField(default=0)),
                ('send_after', models.DateTimeField()),
                ('expires_at', models.DateTimeField()),
                ('sent_at', models.DateTimeField(null=True)),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('sent_at', None)), fields=['send_after'], name='message_unsent')],
            },
        ),
    ]
