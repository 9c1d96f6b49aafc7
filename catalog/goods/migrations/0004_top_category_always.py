import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("goods", "0003_fill_derived")]
    operations = [
        migrations.AlterField(
            model_name="product",
            name="top_category",
            field=models.ForeignKey(
                editable=False,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="goods.category",
            ),
        )
    ]
