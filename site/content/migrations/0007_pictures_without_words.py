"""Pictures from before anybody was asked what they show: they adorn, as they did, until an editor says more."""

from django.db import migrations
from wagtail.blocks.migrations.migrate_operation import MigrateStreamData
from wagtail.blocks.migrations.operations import BaseBlockOperation


class Adorning(BaseBlockOperation):
    """Turns a tile's bare picture into one that is marked as decorative."""

    def apply(self, block_value):
        picture = block_value.get("picture")
        if isinstance(picture, int):
            adorning = {"image": picture, "decorative": True, "alt_text": ""}
            return {**block_value, "picture": adorning}
        return block_value

    @property
    def operation_name_fragment(self):
        return "adorning"


def slides(apps, schema_editor):
    apps.get_model("content", "SlidePicture").objects.update(decorative=True)


class Migration(migrations.Migration):
    dependencies = [("content", "0006_link_chooser")]
    operations = [
        migrations.RunPython(slides, migrations.RunPython.noop),
        MigrateStreamData("content", "HomePage", "body", [(Adorning(), "hero.tiles.item")]),
    ]
