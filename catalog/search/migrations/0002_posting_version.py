from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("search", "0001_initial"),
    ]

    operations = [
        migrations.AddField(
            model_name="posting",
            name="version",
            field=models.PositiveIntegerField(db_default=0),
        ),
    ]
