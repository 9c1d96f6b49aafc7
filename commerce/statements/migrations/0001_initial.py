import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('payments', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Statement',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('provider', models.CharField(max_length=20, verbose_name='provider')),
                ('day', models.DateField(verbose_name='day')),
                ('state', models.CharField(choices=[('waiting', 'To be fetched'), ('fetched', 'Fetched')], default='waiting', max_length=7, verbose_name='state')),
                ('next_try_at', models.DateTimeField(null=True, verbose_name='next try at')),
                ('tries', models.PositiveIntegerField(default=0, verbose_name='tries')),
                ('fetched_at', models.DateTimeField(null=True, verbose_name='fetched at')),
                ('is_compared', models.BooleanField(default=False, verbose_name='compared both ways')),
            ],
            options={
                'verbose_name': 'provider’s list of a day',
                'verbose_name_plural': 'providers’ lists',
                'ordering': ['-day', 'provider'],
                'permissions': [('tick_off_difference', "Can fetch providers' lists again and tick off differences")],
                'indexes': [models.Index(condition=models.Q(('state', 'waiting')), fields=['next_try_at'], name='statement_due'), models.Index(condition=models.Q(('is_compared', False)), fields=['day'], name='statement_to_compare')],
                'constraints': [models.UniqueConstraint(fields=('provider', 'day'), name='one_statement_per_day'), models.CheckConstraint(condition=models.Q(models.Q(('next_try_at__isnull', False), ('state', 'waiting')), models.Q(('next_try_at', None), ('state', 'fetched')), _connector='OR'), name='statement_waits_for_a_try')],
            },
        ),
        migrations.CreateModel(
            name='StatementDifference',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('reason', models.CharField(choices=[('only_there', 'Only in the provider’s list'), ('only_here', 'Only in our books'), ('amount', 'Another amount or currency'), ('twice', 'Twice in the provider’s lists')], max_length=10, verbose_name='difference')),
                ('kind', models.CharField(choices=[('payment', 'Payment'), ('refund', 'Refund')], max_length=7, verbose_name='kind')),
                ('reference', models.CharField(blank=True, max_length=127, verbose_name='reference')),
                ('provider_ref', models.CharField(blank=True, max_length=80, verbose_name='number at the provider')),
                ('their_amount', models.DecimalField(decimal_places=2, max_digits=12, null=True, verbose_name='amount there')),
                ('their_currency', models.CharField(blank=True, max_length=3, verbose_name='currency there')),
                ('our_amount', models.DecimalField(decimal_places=2, max_digits=12, null=True, verbose_name='amount here')),
                ('our_currency', models.CharField(blank=True, max_length=3, verbose_name='currency here')),
                ('state', models.CharField(choices=[('open', 'Open'), ('gone', 'Resolved automatically'), ('ticked', 'Ticked off')], default='open', max_length=6, verbose_name='state')),
                ('created_at', models.DateTimeField(auto_now_add=True, verbose_name='found at')),
                ('closed_at', models.DateTimeField(null=True, verbose_name='closed at')),
                ('note', models.CharField(blank=True, max_length=200, verbose_name='note')),
                ('payment', models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='payments.payment', verbose_name='payment')),
                ('refund', models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='payments.refund', verbose_name='refund')),
                ('staff', models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='ticked off by')),
                ('statement', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='differences', to='statements.statement', verbose_name='provider’s list of a day')),
            ],
            options={
                'verbose_name': 'difference from a provider’s list',
                'verbose_name_plural': 'differences from providers’ lists',
                'ordering': ['-id'],
                'indexes': [models.Index(condition=models.Q(('state', 'open')), fields=['statement'], name='difference_open')],
                'constraints': [models.UniqueConstraint(fields=('statement', 'reason', 'kind', 'reference', 'provider_ref'), name='one_difference_per_row'), models.CheckConstraint(condition=models.Q(models.Q(('state', 'ticked'), _negated=True), models.Q(('note', ''), _negated=True), _connector='OR'), name='difference_ticked_off_with_a_note')],
            },
        ),
        migrations.CreateModel(
            name='StatementLine',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('payment', 'Payment'), ('refund', 'Refund')], max_length=7)),
                ('reference', models.CharField(blank=True, max_length=127)),
                ('provider_ref', models.CharField(max_length=80)),
                ('amount', models.DecimalField(decimal_places=2, max_digits=12)),
                ('currency', models.CharField(max_length=3)),
                ('at', models.DateTimeField()),
                ('payment', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='statement_lines', to='payments.payment')),
                ('refund', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='statement_lines', to='payments.refund')),
                ('statement', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='lines', to='statements.statement')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('statement', 'kind', 'provider_ref'), name='one_line_per_provider_ref')],
            },
        ),
    ]
