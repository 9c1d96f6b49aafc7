from typing import Any

from django.db import migrations
from pypinyin import lazy_pinyin


def fill(apps: Any, _schema_editor: Any) -> None:
    brands = list(apps.get_model("goods", "Brand").objects.all())
    for brand in brands:
        brand.pinyin = " ".join(lazy_pinyin(brand.name_zh)).lower()[:200]
    apps.get_model("goods", "Brand").objects.bulk_update(brands, ["pinyin"], batch_size=500)


class Migration(migrations.Migration):
    dependencies = [("goods", "0007_sold_days")]

    operations = [migrations.RunPython(fill, migrations.RunPython.noop)]
