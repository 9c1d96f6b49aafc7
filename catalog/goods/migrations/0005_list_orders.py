from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("goods", "0004_top_category_always")]

    operations = [
        migrations.AddIndex(
            model_name="product",
            index=models.Index(
                condition=models.Q(("on_sale", True), ("sold_out", True)),
                fields=["id"],
                name="sold_out_on_sale",
            ),
        ),
        migrations.AddIndex(
            model_name="product",
            index=models.Index(
                condition=models.Q(("on_sale", True)),
                fields=["category", "-created_at", "id"],
                name="on_sale_by_category_newest",
            ),
        ),
        migrations.AddIndex(
            model_name="product",
            index=models.Index(
                condition=models.Q(("on_sale", True)),
                fields=["top_category", "-created_at", "id"],
                name="on_sale_by_top_newest",
            ),
        ),
        migrations.AddIndex(
            model_name="product",
            index=models.Index(
                condition=models.Q(("on_sale", True)),
                fields=["brand", "price", "id"],
                name="on_sale_by_brand_price",
            ),
        ),
        migrations.AddIndex(
            model_name="product",
            index=models.Index(
                condition=models.Q(("on_sale", True)),
                fields=["brand", "-created_at", "id"],
                name="on_sale_by_brand_newest",
            ),
        ),
    ]
