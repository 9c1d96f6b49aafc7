from django.db import migrations

# Code on the wire, name, pay code, picture, provider, switched on (SPEC 9, "Payment options").
PAY_TYPES = [
    ("5", "RoyalPayCard", "RoyalPayCard", "card", "royalpay", True),
    ("2", "Wechat", "Wechat", "qr", "royalpay", True),
    ("4", "Ali", "Ali", "phone", "royalpay", True),
    ("Paypal", "Paypal", "Paypal", "online", "paypal", True),
    ("0", "Pre-deposit", "PreDeposit", "wallet", "wallet", True),
    ("transfer", "OffLine Transfer", "transfer", "transfer", "", False),
    ("cashOnDelivery", "Cash on delivery", "cashOnDelivery", "cash", "", False),
    ("3", "Poli", "Poli", "bank", "", False),
    ("1", "Contact customer service", "service", "service", "", False),
]


def add_pay_types(apps, schema_editor):
    pay_type = apps.get_model("payments", "PayType")
    for sort, (code, name, pay_code, picture, provider, enabled) in enumerate(PAY_TYPES, start=1):
        pay_type.objects.get_or_create(
            code=code,
            defaults={
                "pay_name": name,
                "pay_code": pay_code,
                "picture": f"img/pay/{picture}.svg",
                "provider": provider,
                "enabled": enabled,
                "sort": sort,
            },
        )


class Migration(migrations.Migration):
    dependencies = [("payments", "0001_initial")]

    operations = [migrations.RunPython(add_pay_types, migrations.RunPython.noop)]
