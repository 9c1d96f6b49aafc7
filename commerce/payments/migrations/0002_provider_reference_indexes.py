from django.db import migrations, models

from core.migration_operations import AddIndexConcurrently


class Migration(migrations.Migration):

    atomic = False

    dependencies = [
        ('payments', '0001_initial'),
    ]

    operations = [
        AddIndexConcurrently(
            model_name='payment',
            index=models.Index(condition=models.Q(('provider_ref', ''), _negated=True), fields=['provider_ref'], name='payment_by_provider_ref'),
        ),
        AddIndexConcurrently(
            model_name='payment',
            index=models.Index(condition=models.Q(('capture_ref', ''), _negated=True), fields=['capture_ref'], name='payment_by_capture_ref'),
        ),
        AddIndexConcurrently(
            model_name='refund',
            index=models.Index(condition=models.Q(('provider_ref', ''), _negated=True), fields=['provider_ref'], name='refund_by_provider_ref'),
        ),
    ]
