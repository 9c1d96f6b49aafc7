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
            name='LedgerAccount',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('wallet', 'Wallet'), ('points', 'Points')], max_length=8, verbose_name='kind')),
                ('balance', models.DecimalField(decimal_places=2, default=0, max_digits=12, verbose_name='balance')),
                ('customer', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='ledger_accounts', to='accounts.customer')),
            ],
            options={
                'verbose_name': 'ledger account',
                'verbose_name_plural': 'ledger accounts',
                'permissions': [('adjust_points', 'Can adjust the points of customers')],
            },
        ),
        migrations.CreateModel(
            name='LedgerEntry',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('amount', models.DecimalField(decimal_places=2, max_digits=12, verbose_name='amount')),
                ('balance', models.DecimalField(decimal_places=2, max_digits=12, verbose_name='balance after')),
                ('reason', models.CharField(choices=[('opening', 'Opening balance'), ('payment', 'Order payment'), ('refund', 'Refund'), ('recharge', 'Top-up'), ('adjustment', 'Administrator adjustment'), ('earned', 'Points for an order'), ('chargeback', 'Taken back after a chargeback'), ('returned', 'Points taken back after a return'), ('canceled', 'Points taken back after a cancellation'), ('spent', 'Points spent on an order'), ('given_back', 'Spent points given back')], max_length=12, verbose_name='reason')),
                ('reference', models.CharField(max_length=40, verbose_name='reference')),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('account', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='entries', to='ledger.ledgeraccount')),
            ],
            options={
                'verbose_name': 'ledger entry',
                'verbose_name_plural': 'ledger entries',
                'ordering': ['-id'],
            },
        ),
        migrations.CreateModel(
            name='PointsAdjustment',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('points', models.IntegerField(help_text='With a minus sign they are taken away.', verbose_name='points')),
                ('note', models.CharField(help_text='For staff; the customer does not read it.', max_length=200, verbose_name='why')),
                ('created_at', models.DateTimeField(auto_now_add=True, verbose_name='at')),
                ('customer', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='points_adjustments', to='accounts.customer', verbose_name='customer')),
                ('staff', models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'points adjustment',
                'verbose_name_plural': 'points adjustments',
                'ordering': ['-id'],
            },
        ),
        migrations.AddConstraint(
            model_name='ledgeraccount',
            constraint=models.UniqueConstraint(fields=('customer', 'kind'), name='one_account_per_kind'),
        ),
        migrations.AddConstraint(
            model_name='ledgeraccount',
            constraint=models.CheckConstraint(condition=models.Q(('kind', 'points'), ('balance__gte', 0), _connector='OR'), name='wallet_not_negative'),
        ),
        migrations.AddIndex(
            model_name='ledgerentry',
            index=models.Index(fields=['account', '-id'], name='entry_of_account'),
        ),
        migrations.AddConstraint(
            model_name='ledgerentry',
            constraint=models.UniqueConstraint(fields=('account', 'reason', 'reference'), name='one_entry_per_reference'),
        ),
        migrations.AddConstraint(
            model_name='pointsadjustment',
            constraint=models.CheckConstraint(condition=models.Q(('points', 0), _negated=True), name='points_adjustment_not_zero'),
        ),
        migrations.AddConstraint(
            model_name='pointsadjustment',
            constraint=models.CheckConstraint(condition=models.Q(('note', ''), _negated=True), name='points_adjustment_with_a_note'),
        ),
    ]
