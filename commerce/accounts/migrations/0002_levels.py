from django.db import migrations

LEVELS = [(1, "普通会员", "Member"), (2, "银卡会员", "Silver"), (3, "金卡会员", "Gold")]


def add_levels(apps, schema_editor):
    member_level = apps.get_model("accounts", "MemberLevel")
    for number, name_zh, name_en in LEVELS:
        member_level.objects.get_or_create(number=number, defaults={"name_zh": name_zh, "name_en": name_en})


class Migration(migrations.Migration):
    dependencies = [("accounts", "0001_initial")]

    operations = [migrations.RunPython(add_levels, migrations.RunPython.noop)]
