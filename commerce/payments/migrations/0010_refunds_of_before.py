from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.models import OuterRef, Subquery, Sum


def count_refunds(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Count what was due already for each payment."""
    payment, refund = apps.get_model("payments", "Payment"), apps.get_model("payments", "Refund")
    mine = refund.objects.filter(payment=OuterRef("pk")).order_by().values("payment")
    due = mine.annotate(total=Sum("amount")).values("total")
    payment.objects.filter(pk__in=refund.objects.values("payment")).update(refunded=Subquery(due))


class Migration(migrations.Migration):
    dependencies = [("payments", "0009_money_that_goes_back")]

    operations = [migrations.RunPython(count_refunds, migrations.RunPython.noop)]
