from django.db import migrations, models


def add_switches(apps, schema_editor):
    switch = apps.get_model("notifications", "NotificationSwitch")
    for kind in ("created", "asking", "ready", "shipped"):
        switch.objects.get_or_create(kind=kind)


class Migration(migrations.Migration):

    initial = True

    dependencies = [
    ]

    operations = [
        migrations.CreateModel(
            name='NotificationSwitch',
            fields=[
                ('kind', models.CharField(choices=[('created', 'Order received'), ('asking', 'Question about the order'), ('ready', 'Ready for pick-up'), ('shipped', 'On its way')], max_length=10, primary_key=True, serialize=False, verbose_name='message')),
                ('is_on', models.BooleanField(default=True, verbose_name='is sent')),
            ],
            options={
                'verbose_name': 'message about orders',
                'verbose_name_plural': 'messages about orders',
                'ordering': ['kind'],
            },
        ),
        migrations.RunPython(add_switches, migrations.RunPython.noop),
    ]
