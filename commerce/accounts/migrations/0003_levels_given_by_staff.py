from django.db import migrations, models


def keep_levels(apps, schema_editor):
    # Until now staff alone have given any level but the first.
    customers = apps.get_model("accounts", "Customer").objects
    customers.filter(level__gt=1, fixed_level=None).update(fixed_level=models.F("level"))


class Migration(migrations.Migration):
    dependencies = [("accounts", "0002_points")]

    operations = [migrations.RunPython(keep_levels, migrations.RunPython.noop)]
