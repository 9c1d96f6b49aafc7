"""Leave a constraint of the database out, for the control of a race that it decides."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.core.management import call_command
from django.db import connection
from django.db.models import Model


@contextmanager
def without_constraint(model: type[Model], name: str) -> Iterator[None]:
    """Leave one of a model's constraints out; afterwards all tables are empty. Only in tests that commit."""
    constraint = next(each for each in model._meta.constraints if each.name == name)
    with connection.schema_editor() as editor:
        editor.remove_constraint(model, constraint)
    try:
        yield
    finally:
        # What it forbids is there now.
        call_command("flush", interactive=False, verbosity=0)
        with connection.schema_editor() as editor:
            editor.add_constraint(model, constraint)
