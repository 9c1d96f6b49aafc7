import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('accounts', '0001_initial'),
        ('orders', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Claim',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('claim_no', models.CharField(max_length=24, unique=True, verbose_name='claim number')),
                ('wish', models.CharField(choices=[('refund', 'A refund'), ('replacement', 'A replacement')], max_length=11, verbose_name='wish')),
                ('state', models.CharField(choices=[('waiting', 'Waiting for the shop'), ('asking', 'Waiting for the customer’s answer'), ('refund', 'Accepted, with a refund'), ('replacement', 'Accepted, with a replacement'), ('declined', 'Declined'), ('settled', 'Accepted, settled otherwise')], default='waiting', max_length=11, verbose_name='state')),
                ('messages', models.PositiveSmallIntegerField(default=1, editable=False)),
                ('request_hash', models.CharField(editable=False, max_length=64)),
                ('created_at', models.DateTimeField(auto_now_add=True, verbose_name='claimed at')),
                ('decided_at', models.DateTimeField(null=True, verbose_name='decided at')),
                ('customer', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='claims', to='accounts.customer', verbose_name='customer')),
                ('order', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='claims', to='orders.order', verbose_name='order')),
            ],
            options={
                'verbose_name': 'claim',
                'verbose_name_plural': 'claims',
                'ordering': ['-id'],
                'permissions': [('answer_claim', 'Can answer claims')],
            },
        ),
        migrations.CreateModel(
            name='ClaimLine',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('damaged', 'Damaged'), ('missing', 'Missing'), ('wrong', 'Wrong product')], max_length=7, verbose_name='what is wrong')),
                ('units', models.PositiveIntegerField(verbose_name='units')),
                ('refund_target', models.PositiveIntegerField(editable=False, null=True)),
                ('claim', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='lines', to='claims.claim')),
                ('line', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='claim_lines', to='orders.orderline')),
            ],
            options={
                'ordering': ['id'],
            },
        ),
        migrations.CreateModel(
            name='ClaimMessage',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('author', models.CharField(choices=[('customer', 'customer'), ('staff', 'staff')], max_length=8)),
                ('text', models.CharField(max_length=1000)),
                ('from_state', models.CharField(blank=True, choices=[('waiting', 'Waiting for the shop'), ('asking', 'Waiting for the customer’s answer'), ('refund', 'Accepted, with a refund'), ('replacement', 'Accepted, with a replacement'), ('declined', 'Declined'), ('settled', 'Accepted, settled otherwise')], max_length=11)),
                ('to_state', models.CharField(choices=[('waiting', 'Waiting for the shop'), ('asking', 'Waiting for the customer’s answer'), ('refund', 'Accepted, with a refund'), ('replacement', 'Accepted, with a replacement'), ('declined', 'Declined'), ('settled', 'Accepted, settled otherwise')], max_length=11)),
                ('message_due', models.BooleanField(default=False, editable=False)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('claim', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='thread', to='claims.claim')),
                ('staff', models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['id'],
            },
        ),
        migrations.CreateModel(
            name='ClaimPicture',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=43, unique=True)),
                ('deleted_at', models.DateTimeField(editable=False, null=True)),
                ('message', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='pictures', to='claims.claimmessage')),
            ],
            options={
                'ordering': ['id'],
            },
        ),
        migrations.AddIndex(
            model_name='claim',
            index=models.Index(fields=['customer', '-id'], name='claim_of_customer'),
        ),
        migrations.AddIndex(
            model_name='claim',
            index=models.Index(condition=models.Q(('state', 'waiting')), fields=['id'], name='claim_waiting'),
        ),
        migrations.AddIndex(
            model_name='claim',
            index=models.Index(condition=models.Q(('state', 'refund')), fields=['decided_at'], name='claim_with_refund'),
        ),
        migrations.AddConstraint(
            model_name='claim',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('decided_at', None), ('state__in', ['asking', 'waiting'])), models.Q(models.Q(('decided_at__isnull', False)), models.Q(('state__in', ['asking', 'waiting']), _negated=True)), _connector='OR'), name='claim_decided_or_open'),
        ),
        migrations.AddConstraint(
            model_name='claimline',
            constraint=models.UniqueConstraint(fields=('claim', 'line'), name='one_row_per_claim_and_line'),
        ),
        migrations.AddConstraint(
            model_name='claimline',
            constraint=models.CheckConstraint(condition=models.Q(('units__gte', 1)), name='claim_of_some_units'),
        ),
        migrations.AddIndex(
            model_name='claimmessage',
            index=models.Index(condition=models.Q(('message_due', True)), fields=['id'], name='claim_message_untold'),
        ),
        migrations.AddIndex(
            model_name='claimpicture',
            index=models.Index(condition=models.Q(('deleted_at', None)), fields=['id'], name='claim_picture_kept'),
        ),
    ]
