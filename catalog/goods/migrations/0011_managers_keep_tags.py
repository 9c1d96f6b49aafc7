"""Managers keep the tags of goods, as they keep goods; shops from before tags had the group without them."""

from django.db import migrations

ACTIONS = ("add", "change", "delete", "view")


def grant(apps, schema_editor):
    managers = apps.get_model("auth", "Group").objects.filter(name="Managers").first()
    if managers is None:
        return
    kind, _made = apps.get_model("contenttypes", "ContentType").objects.get_or_create(
        app_label="goods", model="goodstag"
    )
    for action in ACTIONS:
        # Django makes permissions only after all migrations.
        permission, _made = apps.get_model("auth", "Permission").objects.get_or_create(
            content_type=kind, codename=f"{action}_goodstag", defaults={"name": f"Can {action} tag of goods"}
        )
        managers.permissions.add(permission)


class Migration(migrations.Migration):
    dependencies = [
        ("goods", "0010_tags"),
        ("auth", "0012_alter_user_first_name_max_length"),
        ("contenttypes", "0002_remove_content_type_name"),
    ]
    operations = [migrations.RunPython(grant, migrations.RunPython.noop)]
