from django.db import migrations

# What Wagtail calls its first workflow with its step, the root of pages and that of collections: data, so no
# catalogue has a text for it. Names that the shop has given stay.
NAMES = {
    ("Workflow", "name"): ("Moderators approval", "Approval 审核"),
    ("Task", "name"): ("Moderators approval", "Approval 审核"),
    ("Collection", "name"): ("Root", "All 全部"),
    ("Page", "title"): ("Root", "Pages 页面"),
    ("Page", "draft_title"): ("Root", "Pages 页面"),
}


def rename(apps, schema_editor):
    for (model, field), (before, after) in NAMES.items():
        rows = apps.get_model("wagtailcore", model).objects.using(schema_editor.connection.alias)
        if model in {"Collection", "Page"}:
            rows = rows.filter(depth=1)
        rows.filter(**{field: before}).update(**{field: after})


class Migration(migrations.Migration):
    dependencies = [("content", "0008_plain_texts")]

    operations = [migrations.RunPython(rename, migrations.RunPython.noop)]
