"""Child rows in a form, such as the products of a promotion, none of which may be repeated."""

from typing import Any

from django.db.models import Model, UniqueConstraint
from django.utils.translation import gettext_lazy as _
from modelcluster.models import get_all_child_relations

from core.update_only import UpdateOnlyModel

TWICE = _("%(value)s is in another row already.")


def refuse_same_rows(form: Any, text: Any = TWICE) -> None:
    """Add an error to each row of a form that repeats another one, on its field and with the repeated value.

    Wagtail would only show above the form that something is duplicated.
    """
    for formset in form.formsets.values():
        for name in _distinct_fields(formset.model, formset.fk.name):
            _mark_repeated(formset, name, text)


def clear_places(parent: Any) -> None:
    """Delete the stored child rows of a parent whose unique value changes.

    Rows are saved one after the other, so swapping unique values would be refused. Each deleted row is saved
    again with its own key. Child rows of an `UpdateOnlyModel` are skipped. Runs within the caller's
    transaction; two queries for each other list.
    """
    if parent.pk is None:
        return
    for relation in get_all_child_relations(type(parent)):
        if issubclass(relation.related_model, UpdateOnlyModel):
            continue
        for name in _distinct_fields(relation.related_model, relation.field.name):
            column = relation.related_model._meta.get_field(name).attname
            rows = getattr(parent, relation.get_accessor_name()).all()
            values = {row.pk: getattr(row, column) for row in rows}
            stored = relation.related_model._base_manager.filter(**{relation.field.name: parent.pk})
            held = stored.values_list("pk", column)
            changed = [pk for pk, value in held if values.get(pk, value) != value]
            if changed:
                stored.filter(pk__in=changed).delete()


def _distinct_fields(model: type[Model], parent: str) -> list[str]:
    """Return the fields whose values differ in all rows of a parent, according to unique constraints."""
    constraints = [each for each in model._meta.constraints if isinstance(each, UniqueConstraint)]
    others = [set(each.fields) - {parent} for each in constraints if parent in each.fields]
    return [name for names in others if len(names) == 1 for name in names]


def _mark_repeated(formset: Any, name: str, text: Any) -> None:
    seen = set()
    for row in formset.forms:
        value = row.cleaned_data.get(name) if row.is_valid() else None
        if value in (None, "") or row.cleaned_data.get("DELETE"):
            continue
        if value in seen:
            row.add_error(name, text % {"value": _shown(row, name, value)})
        seen.add(value)


def _shown(row: Any, name: str, value: Any) -> str:
    choices = row.instance._meta.get_field(name).choices
    return str(dict(choices).get(value, value) if choices else value)
