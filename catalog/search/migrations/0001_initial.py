import django.db.models.deletion
from django.db import migrations, models


def shape_for_postgresql(apps, schema_editor):
    """Order terms by their bytes, whatever the database's language; keep bitmaps as they are.

    They are compressed already: trying again costs time at every write.
    """
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute(
            """
            ALTER TABLE search_posting
                ALTER COLUMN term TYPE varchar(62) COLLATE "C",
                ALTER COLUMN ids SET STORAGE EXTERNAL
            """
        )


class Migration(migrations.Migration):

    initial = True

    dependencies = [
    ]

    operations = [
        migrations.CreateModel(
            name='Synonym',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('words', models.CharField(help_text='Words for the same thing in any language, with commas between: 番茄, 西红柿, tomato.', max_length=300, verbose_name='words')),
            ],
            options={
                'verbose_name': 'synonym',
                'verbose_name_plural': 'synonyms',
                'ordering': ['words'],
            },
        ),
        migrations.CreateModel(
            name='FailedSearch',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('word', models.CharField(max_length=60, unique=True, verbose_name='search')),
                ('count', models.PositiveIntegerField(default=1, verbose_name='times')),
                ('last_at', models.DateTimeField(auto_now=True, verbose_name='last time')),
            ],
            options={
                'verbose_name': 'search with no results',
                'verbose_name_plural': 'searches with no results',
                'ordering': ['-count', '-last_at'],
                'indexes': [models.Index(fields=['-count', '-last_at'], name='failed_searches_by_count')],
            },
        ),
        migrations.CreateModel(
            name='Posting',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('term', models.CharField(max_length=62)),
                ('chunk', models.PositiveIntegerField()),
                ('ids', models.BinaryField()),
                ('version', models.PositiveIntegerField(db_default=0)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('term', 'chunk'), name='one_posting_per_chunk')],
            },
        ),
        migrations.CreateModel(
            name='SynonymPhrase',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('text', models.CharField(db_index=True, max_length=60)),
                ('synonym', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='phrases', to='search.synonym')),
            ],
        ),
        migrations.CreateModel(
            name='Word',
            fields=[
                ('text', models.CharField(max_length=60, primary_key=True, serialize=False)),
                ('initial', models.CharField(max_length=1)),
                ('length', models.PositiveSmallIntegerField()),
            ],
            options={
                'indexes': [models.Index(fields=['initial', 'length'], name='words_alike')],
            },
        ),
        migrations.RunPython(shape_for_postgresql, migrations.RunPython.noop),
    ]
