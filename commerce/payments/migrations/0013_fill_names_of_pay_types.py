from django.db import migrations

# English name, Chinese name, English hint, Chinese hint, by the code on the wire (docs/product.md#constants).
NAMES = {
    "5": (
        "Credit or debit card",
        "信用卡或借记卡",
        "Paid on the payment page, then you come back here",
        "在支付页面完成付款后返回本站",
    ),
    "2": ("WeChat Pay", "微信支付", "", ""),
    "4": ("Alipay", "支付宝", "", ""),
    "Paypal": ("PayPal", "PayPal", "", ""),
    "0": ("Wallet", "钱包", "", ""),
    "transfer": (
        "Offline bank transfer",
        "线下银行转账",
        "Confirming a transfer takes 1 day",
        "转账需 1 天确认",
    ),
    "cashOnDelivery": ("Cash on delivery", "货到付款", "", ""),
    "3": ("POLi", "POLi", "", ""),
    "1": ("Contact customer service", "联系客服", "", ""),
}


def fill_names(apps, schema_editor):
    for row in apps.get_model("payments", "PayType").objects.filter(name_en="", name_zh=""):
        row.name_en, row.name_zh, row.hint_en, row.hint_zh = NAMES.get(
            row.code, (row.pay_name, row.pay_name, "", "")
        )
        row.save(update_fields=["name_en", "name_zh", "hint_en", "hint_zh"])


class Migration(migrations.Migration):
    dependencies = [
        ("payments", "0012_names_and_restrictions_of_pay_types"),
    ]

    operations = [migrations.RunPython(fill_names, migrations.RunPython.noop)]
