"""What Wagtail's two groups may do with the shop's windows: editors write, moderators approve."""

from django.db import migrations

WINDOWS = {"carouselslide": "slide", "specialarea": "special area"}
EDITORS, MODERATORS = "Editors", "Moderators"
GRANTED = {EDITORS: ("add", "change"), MODERATORS: ("add", "change", "delete", "publish", "lock", "unlock")}


def permission(apps, model, action):
    ContentType = apps.get_model("contenttypes", "ContentType")
    Permission = apps.get_model("auth", "Permission")
    kind, _made = ContentType.objects.get_or_create(app_label="content", model=model)
    found, _made = Permission.objects.get_or_create(
        content_type=kind,
        codename=f"{action}_{model}",
        defaults={"name": f"Can {action} {WINDOWS[model]}"},
    )
    return found


def grant(apps, schema_editor):
    Group = apps.get_model("auth", "Group")
    Permission = apps.get_model("auth", "Permission")
    ContentType = apps.get_model("contenttypes", "ContentType")
    for group_name, actions in GRANTED.items():
        group, _made = Group.objects.get_or_create(name=group_name)
        group.permissions.add(
            Permission.objects.get(content_type__app_label="wagtail_localize", codename="submit_translation"),
            *(permission(apps, model, action) for model in WINDOWS for action in actions),
        )
    # What editors submit goes the way that Wagtail sets up for pages: a moderator approves it.
    WorkflowContentType = apps.get_model("wagtailcore", "WorkflowContentType")
    task = apps.get_model("wagtailcore", "WorkflowTask").objects.order_by("pk").first()
    for model in WINDOWS:
        kind = ContentType.objects.get(app_label="content", model=model)
        if task is not None:
            WorkflowContentType.objects.get_or_create(content_type=kind, defaults={"workflow": task.workflow})


class Migration(migrations.Migration):
    dependencies = [
        ("content", "0003_information"),
        ("auth", "0012_alter_user_first_name_max_length"),
        ("contenttypes", "0002_remove_content_type_name"),
        ("wagtailcore", "0097_baselogentry_uuid_action_timestamp_indexes"),
        ("wagtail_localize", "0016_rename_page_revision_translationlog_revision"),
    ]
    operations = [migrations.RunPython(grant, migrations.RunPython.noop)]
