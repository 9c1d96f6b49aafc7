from django.db import migrations

WAITING = {"status": 1, "pay_img__startswith": "/pay/certificate/"}


def link(apps, schema_editor):
    """Let the pictures that unpaid orders name wait for their review."""
    Certificate = apps.get_model("payments", "Certificate")
    orders = apps.get_model("orders", "Order").objects.filter(**WAITING)
    for order_id, image in orders.values_list("pk", "pay_img").iterator():
        unused = Certificate.objects.filter(name=image.rpartition("/")[2], state="uploaded")
        unused.update(order=order_id, state="waiting")


class Migration(migrations.Migration):
    dependencies = [("payments", "0015_indexes_of_certificates")]

    operations = [migrations.RunPython(link, migrations.RunPython.noop)]
