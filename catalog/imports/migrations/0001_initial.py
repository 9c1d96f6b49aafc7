import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='FileRun',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('language', models.CharField(max_length=10)),
                ('file_name', models.CharField(max_length=200, verbose_name='file')),
                ('table', models.CharField(blank=True, max_length=20)),
                ('state', models.CharField(choices=[('checking', 'Being checked'), ('checked', 'Checked, waits for your decision'), ('refused', 'Refused'), ('applying', 'Being applied'), ('writing', 'Being written'), ('done', 'Done'), ('failed', 'Failed'), ('lapsed', 'Lapsed')], max_length=10, verbose_name='state')),
                ('rows_done', models.PositiveIntegerField(default=0)),
                ('rows_all', models.PositiveIntegerField(default=0)),
                ('difference', models.JSONField(default=dict)),
                ('problems', models.JSONField(default=list)),
                ('is_partial', models.BooleanField(default=False)),
                ('claim', models.UUIDField(null=True)),
                ('beat_at', models.DateTimeField(null=True)),
                ('tries', models.PositiveSmallIntegerField(default=0)),
                ('created_at', models.DateTimeField(auto_now_add=True, verbose_name='time')),
                ('user', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'import or export',
                'verbose_name_plural': 'imports and exports',
                'ordering': ['-id'],
                'indexes': [models.Index(condition=models.Q(('state__in', ['checking', 'applying', 'writing'])), fields=['id'], name='file_runs_to_work_on')],
            },
        ),
    ]
