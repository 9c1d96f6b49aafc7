from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
    ]

    operations = [
        migrations.CreateModel(
            name='RateLimitCounter',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('limit', models.CharField(max_length=20)),
                ('subject', models.CharField(max_length=64)),
                ('count', models.PositiveIntegerField(default=0)),
                ('window_ends_at', models.DateTimeField(db_index=True)),
                ('locked_until', models.DateTimeField(null=True)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('limit', 'subject'), name='one_counter_per_subject')],
            },
        ),
    ]
