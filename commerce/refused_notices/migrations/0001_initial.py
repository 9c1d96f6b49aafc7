from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
    ]

    operations = [
        migrations.CreateModel(
            name='RefusedNotice',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('day', models.DateField(verbose_name='day')),
                ('provider', models.CharField(max_length=20, verbose_name='provider')),
                ('reason', models.CharField(choices=[('forged', 'forged'), ('unreadable', 'unreadable'), ('unknown', 'about something unknown')], max_length=10, verbose_name='reason')),
                ('count', models.PositiveBigIntegerField(default=0, verbose_name='how many')),
                ('last_at', models.DateTimeField(verbose_name='the last at')),
            ],
            options={
                'verbose_name': 'refused notices',
                'verbose_name_plural': 'refused notices',
                'ordering': ['-day', 'provider', 'reason'],
                'constraints': [models.UniqueConstraint(fields=('day', 'provider', 'reason'), name='one_count_per_day_and_reason')],
            },
        ),
    ]
