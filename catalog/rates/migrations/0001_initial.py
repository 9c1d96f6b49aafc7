import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='ExchangeRate',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('rate', models.DecimalField(decimal_places=6, max_digits=12, verbose_name='CNY per AUD')),
                ('source', models.CharField(max_length=40, verbose_name='source')),
                ('as_of', models.DateTimeField(verbose_name='as of')),
                ('status', models.CharField(choices=[('accepted', 'Accepted'), ('held', 'Held for staff'), ('refused', 'Refused')], default='accepted', max_length=8, verbose_name='status')),
                ('fetched_at', models.DateTimeField(default=django.utils.timezone.now, editable=False, verbose_name='fetched')),
                ('is_override', models.BooleanField(default=False, verbose_name='set by staff')),
                ('decided_at', models.DateTimeField(editable=False, null=True, verbose_name='decided')),
                ('ended_at', models.DateTimeField(editable=False, null=True, verbose_name='ended')),
                ('decided_by', models.ForeignKey(editable=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='decided by')),
                ('ended_by', models.ForeignKey(editable=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='ended by')),
            ],
            options={
                'verbose_name': 'exchange rate',
                'verbose_name_plural': 'exchange rates',
                'ordering': ['-as_of', '-fetched_at', '-id'],
                'indexes': [models.Index(fields=['-as_of', '-fetched_at', '-id'], name='rate_newest')],
                'constraints': [models.CheckConstraint(condition=models.Q(('rate__gt', 0)), name='rate_positive'), models.UniqueConstraint(condition=models.Q(('is_override', False)), fields=('source', 'as_of', 'rate'), name='rate_once_per_source_and_day'), models.UniqueConstraint(condition=models.Q(('ended_at', None), ('is_override', True)), fields=('is_override',), name='one_override_at_a_time')],
            },
        ),
    ]
