from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
    ]

    operations = [
        migrations.CreateModel(
            name='AuditRun',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('started_at', models.DateTimeField(auto_now_add=True, verbose_name='begun at')),
                ('ended_at', models.DateTimeField(null=True, verbose_name='ended at')),
                ('count', models.PositiveIntegerField(default=0, verbose_name='differences')),
                ('first', models.JSONField(default=list)),
                ('failed', models.BooleanField(default=False, verbose_name='not complete')),
            ],
            options={
                'verbose_name': 'audit of the books',
                'verbose_name_plural': 'audits of the books',
                'ordering': ['-id'],
            },
        ),
    ]
