import django.db.models.deletion
import modelcluster.fields
from django.conf import settings
from django.db import migrations, models

from core.migration_operations import RemoveColumnIndexConcurrently


class Migration(migrations.Migration):
    atomic = False

    dependencies = [
        ("content", "0003_creation"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        RemoveColumnIndexConcurrently(
            model_name="areagood",
            name="area",
            field=modelcluster.fields.ParentalKey(
                db_index=False,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="picked",
                to="content.specialarea",
            ),
        ),
        RemoveColumnIndexConcurrently(
            model_name="creation",
            name="user",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
    ]
