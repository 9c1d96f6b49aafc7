from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
    ]

    operations = [
        migrations.CreateModel(
            name='Lease',
            fields=[
                ('name', models.CharField(max_length=120, primary_key=True, serialize=False)),
                ('holder', models.UUIDField()),
                ('ends_at', models.DateTimeField()),
            ],
        ),
    ]
