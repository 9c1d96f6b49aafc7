from django.db import migrations


def rename(apps, schema_editor):
    """Call the wallet's pay type as pages call the wallet, unless staff have renamed it."""
    wallet = apps.get_model("payments", "PayType").objects.filter(code="0")
    wallet.filter(name_en="Pre-deposit wallet").update(name_en="Wallet")
    wallet.filter(name_zh="预存款钱包").update(name_zh="钱包")


class Migration(migrations.Migration):
    dependencies = [
        ("payments", "0019_late_money_of_deleted_accounts"),
    ]

    operations = [migrations.RunPython(rename, migrations.RunPython.noop)]
