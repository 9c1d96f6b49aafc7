"""Names of permissions in the reader's language, since Django stores them in English."""

from collections.abc import Iterator
from typing import Any

from django import forms
from django.contrib.auth.models import Permission
from django.db.models.query import ModelIterable
from django.forms import ModelMultipleChoiceField
from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_noop
from django.utils.translation import gettext_lazy as _
from wagtail.users.forms import GroupForm, PagePermissionsForm

# The names by Django and Wagtail, by the beginning of the code.
_ACTIONS: dict[str, Promise] = {
    "add": _("Can add %(kind)s"),
    "change": _("Can change %(kind)s"),
    "delete": _("Can delete %(kind)s"),
    "view": _("Can view %(kind)s"),
    "publish": _("Can publish %(kind)s"),
    "lock": _("Can lock %(kind)s"),
    "unlock": _("Can unlock %(kind)s"),
}
# A permission of wagtail-localize, whose name it does not mark for translation.
gettext_noop("Can submit translations")


def name_of(permission: Permission) -> str:
    """Return the name of a permission in the reader's language."""
    kind = permission.content_type
    action, _separator, model = permission.codename.partition("_")
    if action in _ACTIONS and model == kind.model:
        return str(_ACTIONS[action]) % {"kind": kind.name}
    return gettext(permission.name)


class _Named(ModelIterable):  # type: ignore[type-arg]  # not generic as it runs
    def __iter__(self) -> Iterator[Permission]:
        for permission in super().__iter__():
            permission.name = name_of(permission)
            yield permission


class _PermissionsField(ModelMultipleChoiceField):  # type: ignore[type-arg]
    """The field of a group's permissions, whose page reads the names from the field's rows."""

    @property
    def queryset(self) -> Any:
        return self._queryset

    @queryset.setter
    def queryset(self, queryset: Any) -> None:
        self._queryset = queryset.all()
        self._queryset._iterable_class = _Named
        self.widget.choices = self.choices


def translate_permissions() -> None:
    """Show the permissions in the form of a group in the reader's language."""
    GroupForm.base_fields["permissions"] = _PermissionsField(
        Permission.objects.none(), required=False, widget=forms.CheckboxSelectMultiple()
    )
    PagePermissionsForm.base_fields["permissions"].label_from_instance = name_of
