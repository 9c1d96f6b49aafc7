from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [
        ("shipments", "0004_parcels_on_their_way_back"),
    ]

    operations = [
        # The release before still counts in the table, so it stays until no such release runs.
        migrations.SeparateDatabaseAndState(state_operations=[migrations.DeleteModel(name="RefusedNotice")]),
    ]
