from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("payments", "0003_indexes_of_questions_and_refunds")]

    operations = [migrations.RemoveIndex(model_name="payment", name="payment_to_query")]
