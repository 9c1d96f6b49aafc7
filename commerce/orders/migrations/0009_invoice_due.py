from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("orders", "0008_indexes_of_windows_and_messages")]

    operations = [
        migrations.AddField(
            model_name="order",
            name="invoice_due",
            field=models.BooleanField(db_default=False, default=True, editable=False),
        ),
    ]
