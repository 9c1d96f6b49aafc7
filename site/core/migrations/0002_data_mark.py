import secrets

from django.db import migrations, models

# The tables with rows that name files of the data folder.
TABLES = {
    "wagtailimages_image",
    "wagtaildocs_document",
    "imports_filerun",
    "payments_certificate",
    "claims_claimpicture",
    "invoices_invoice",
    "refunds_creditnote",
}


def add_mark(apps, schema_editor):
    """Give the database a mark; it is new if none of its rows names a file."""
    connection = schema_editor.connection
    with connection.cursor() as cursor:
        names_files = False
        for table in TABLES.intersection(connection.introspection.table_names(cursor)):
            cursor.execute(f"SELECT 1 FROM {table} LIMIT 1")  # noqa: S608
            names_files = names_files or cursor.fetchone() is not None
    rows = apps.get_model("core", "DataMark").objects
    rows.create(pk=1, mark=secrets.token_urlsafe(32), is_new=not names_files)


class Migration(migrations.Migration):

    dependencies = [
        ('core', '0001_initial'),
    ]

    operations = [
        migrations.CreateModel(
            name='DataMark',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('mark', models.CharField(max_length=64)),
                ('is_new', models.BooleanField()),
                ('adopted_at', models.DateTimeField(null=True)),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(('pk', 1)), name='only_one_data_mark')],
            },
        ),
        migrations.RunPython(add_mark, migrations.RunPython.noop),
    ]
