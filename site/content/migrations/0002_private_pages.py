from django.db import migrations


def share(apps, schema_editor):
    """Restrict all translations of a private page as the page; what is restricted already stays as it is."""
    Page = apps.get_model("wagtailcore", "Page")
    PageViewRestriction = apps.get_model("wagtailcore", "PageViewRestriction")
    for found in PageViewRestriction.objects.select_related("page").order_by("pk"):
        twins = Page.objects.filter(translation_key=found.page.translation_key, view_restrictions=None)
        for twin in twins:
            added = PageViewRestriction.objects.create(
                page=twin, restriction_type=found.restriction_type, password=found.password
            )
            added.groups.set(found.groups.all())


class Migration(migrations.Migration):
    dependencies = [
        ("content", "0001_initial"),
        ("wagtailcore", "0097_baselogentry_uuid_action_timestamp_indexes"),
    ]
    operations = [migrations.RunPython(share, migrations.RunPython.noop)]
