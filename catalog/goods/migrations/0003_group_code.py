from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("goods", "0002_unit_rule")]

    operations = [
        migrations.AddField(
            model_name="productgroup",
            name="code",
            field=models.SlugField(default="", unique=True, verbose_name="code"),
            preserve_default=False,
        ),
        migrations.AlterField(
            model_name="category",
            name="sort",
            field=models.PositiveIntegerField(default=0, verbose_name="place in the list"),
        ),
    ]
