"""Base classes for the back office's screens."""

import json
from collections.abc import Callable, Collection, Iterable, Mapping
from datetime import datetime
from hashlib import sha256
from typing import Any, ClassVar

from django import forms
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models import Manager, Model, QuerySet
from django.forms.formsets import TOTAL_FORM_COUNT
from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.text import Truncator, capfirst
from django.utils.translation import gettext, gettext_lazy
from wagtail.admin.forms import WagtailAdminModelForm
from wagtail.admin.views.generic import DeleteView, EditView, InspectView
from wagtail.admin.viewsets.model import ModelViewSet
from wagtail.log_actions import log
from wagtail.permission_policies import ModelPermissionPolicy

from core.rows_within import clear_places, refuse_same_rows

# The most rows in one list of a form; each row has its own choices, such as all products.
MAX_ROWS = 200


class ChangedMeanwhileError(Exception):
    """Raised if a row has changed since its form was opened; `row`: its current values."""

    def __init__(self, row: Model, names: list[str]) -> None:
        super().__init__(names)
        self.row, self.names = row, names


def save_locked(row: Model, *, check: Callable[[], None]) -> None:
    """Lock a row, then save it with its child rows; runs within the caller's transaction.

    `check`: called after the row is locked; may raise. Raises Http404 if the row was deleted in the meantime.
    """
    if not row._state.adding:
        get_object_or_404(type(row)._default_manager.select_for_update(no_key=True), pk=row.pk)
    check()
    row.save()


class ProtectedForm(WagtailAdminModelForm):
    """A form for one row of a model without drafts.

    It overwrites no unseen changes. If another user or an import has changed the row since the form was
    opened, the form refuses once and shows the changes (docs/guarantees/back-office.md#forms).
    """

    # Writes the row and everything that depends on it; calls `check` after the row is locked. The form of a
    # `ProtectedModel` sets the model's function here.
    write: Callable[..., None] = staticmethod(save_locked)

    # A hash of each field's value at the time when the form was opened.
    opened_with = forms.JSONField(widget=forms.HiddenInput, required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._limit_rows()
        if self.instance.pk:
            self.initial["opened_with"] = self._marks(self.instance)
            if self.data.get("opened_with"):
                self._renew_deleted_rows()

    def clean_opened_with(self) -> dict[str, str]:
        """Return the hashes; empty if the posted value is not a dictionary."""
        marks = self.cleaned_data["opened_with"]
        return marks if isinstance(marks, dict) else {}

    def clean(self) -> dict[str, Any]:
        """Refuse repeated rows in a list, such as a product twice in a promotion."""
        cleaned: dict[str, Any] = super().clean()
        refuse_same_rows(self)
        return cleaned

    def save(self, commit: bool = True) -> Any:
        """Write the row with its function, then its tags; without `commit` only set the row's fields.

        Raises ChangedMeanwhileError.
        """
        row = super().save(commit=False)
        if commit:
            with transaction.atomic():
                self.write(row, check=self._before_writing)
                self.save_m2m()
        return row

    def show_changes(self, error: ChangedMeanwhileError) -> None:
        """Add an error with the changes of the row; the next save overwrites them."""
        shown = gettext("; ").join(self._shown(error.row, name) for name in error.names)
        text = gettext("Another user or an import has changed this: %(changes)s. Save again to overwrite it.")
        self.add_error(None, text % {"changes": shown})
        self.data: Any = self.data.copy()
        self.data["opened_with"] = json.dumps(self._marks(error.row))

    def show_conflicts(self) -> bool:
        """Add errors for unique rows that another user has added; return True if there are any."""
        rows = [row for name in self.formsets for row in getattr(self.instance, name).all()]
        for row in (self.instance, *rows):
            try:
                row.validate_unique()
                row.validate_constraints()
            except ValidationError as error:
                self.add_error(None, error.messages)
        return not self.is_valid()

    def _limit_rows(self) -> None:
        """Refuse more than `MAX_ROWS` rows in a list before any of its row forms is built."""
        for formset in self.formsets.values():
            # A list with this many rows offers no further row.
            formset.max_num = min(formset.max_num, MAX_ROWS)
            if formset.is_bound and formset.management_form.cleaned_data[TOTAL_FORM_COUNT] > MAX_ROWS:
                formset.absolute_max = 0
                formset.error_messages["too_many_forms"] = gettext(
                    "No more than %(num)d rows can be saved: open the form again."
                )

    def _renew_deleted_rows(self) -> None:
        """Turn rows that were deleted in the meantime into new rows, because their ids would be refused."""
        data = self.data.copy()
        for formset in self.formsets.values():
            there = {str(row.pk) for row in formset.get_queryset()}
            for place in range(min(formset.initial_form_count(), formset.total_form_count())):
                name = f"{formset.add_prefix(place)}-{formset.model._meta.pk.name}"
                if data.get(name) not in there:
                    data[name] = ""
            formset.data = data

    def _before_writing(self) -> None:
        self._refuse_changed()
        clear_places(self.instance)

    def _refuse_changed(self) -> None:
        opened_with = self.cleaned_data["opened_with"]
        row = type(self.instance)._default_manager.filter(pk=self.instance.pk).first()
        if not opened_with or row is None:
            return
        marks = self._marks(row)
        changed = [name for name, mark in marks.items() if opened_with.get(name, mark) != mark]
        if changed:
            raise ChangedMeanwhileError(row, changed)

    def _marks(self, row: Model) -> dict[str, str]:
        held: dict[str, Any] = forms.model_to_dict(row, fields=list(self.fields))
        for name in self.formsets:
            children = getattr(row, name).all()
            held[name] = [forms.model_to_dict(child, exclude=["id"]) for child in children]
        return {name: sha256(repr(_as_typed(value)).encode()).hexdigest()[:8] for name, value in held.items()}

    def _shown(self, row: Any, name: str) -> str:
        """Return the label of a field with its value, if the value is short."""
        value = getattr(row, name)
        if isinstance(value, Manager):
            label = self.fields[name].label if name in self.fields else value.model._meta.verbose_name_plural
            return str(capfirst(label))
        label = self.fields[name].label
        if isinstance(value, bool):
            value = gettext("yes") if value else gettext("no")
        elif f"get_{name}_display" in dir(row):
            value = getattr(row, f"get_{name}_display")()
        elif isinstance(value, datetime):
            value = f"{self.fields[name].prepare_value(value):%Y-%m-%d %H:%M}"
        short = Truncator("–" if value in (None, "", []) else value).chars(40)
        return gettext("%(field)s: %(value)s") % {"field": capfirst(label), "value": short}


def _as_typed(value: Any) -> Any:
    """Return a value as the form's input contains it: times without seconds."""
    return value.replace(second=0, microsecond=0) if isinstance(value, datetime) else value


class ProtectedEditView(EditView):
    """The page of a `ProtectedForm`, which changes one row."""

    def form_valid(self, form: ProtectedForm) -> HttpResponse:
        """Save the row, or show the form again with the concurrent changes of other users."""
        answer: HttpResponse
        try:
            answer = super().form_valid(form)
            return answer
        except ChangedMeanwhileError as error:
            form.show_changes(error)
        except IntegrityError:
            if not form.show_conflicts():
                raise
        self.produced_error_code = "validation_error"
        self.produced_error_message = self.get_error_message()
        answer = self.form_invalid(form)
        return answer


class ProtectedDeleteView(DeleteView):
    """The page that deletes one row of a `ProtectedModel`."""

    # Deletes rows and everything that depends on them.
    delete_rows: Callable[[QuerySet[Any]], None]

    def delete_action(self) -> None:
        """Delete the row with its function and log the deletion."""
        with transaction.atomic():
            log(instance=self.object, action="wagtail.delete")
            self.delete_rows(self.model.objects.filter(pk=self.object.pk))


class ReadOnlyPolicy(ModelPermissionPolicy):
    """Permits staff to view rows that only services write; no form adds, changes or deletes them."""

    def user_has_permission(self, user: Any, action: str) -> bool:
        """Return True if the action is viewing and the user has the permission for it."""
        return action == "view" and super().user_has_permission(user, action)


class LocalTimesView(InspectView):
    """A row's page with local times as in lists, and with words where Wagtail shows UTC, None and False."""

    page_title = gettext_lazy("Details")
    # Column → viewset of the row to which it refers; the value is a link for staff who may view that row.
    pages: ClassVar[Mapping[str, str]] = {}
    # Columns that are hidden if they are empty, zero or false.
    only_where_set: Collection[str] = ()

    def get_fields_context(self) -> list[dict[str, Any]]:
        """Return the context of the columns that are not hidden."""
        return self.context_of_fields(self.fields)

    def context_of_fields(self, names: Iterable[str]) -> list[dict[str, Any]]:
        """Return the labels and values of these columns, without hidden ones."""
        empty = {name for name in self.only_where_set if not getattr(self.object, name)}
        return [self.get_context_for_field(name) for name in names if name not in empty]

    def get_field_display_value(self, field_name: str, field: Any) -> Any:
        """Return the value to show for a field."""
        value = super().get_field_display_value(field_name, field)
        if isinstance(value, Model) and field_name in self.pages:
            return self._linked(value, self.pages[field_name])
        if value is None:
            return "–"
        if isinstance(value, bool):
            return gettext("Yes") if value else gettext("No")
        return timezone.localtime(value) if isinstance(value, datetime) else value

    def _linked(self, row: Model, viewset: str) -> str:
        may_view = self.request.user.has_perm(f"{row._meta.app_label}.view_{row._meta.model_name}")
        return link_to(str(row), reverse(f"{viewset}:inspect", args=[row.pk]) if may_view else "")


def link_to(text: str, url: str) -> str:
    """Return a text as a link; as plain text if the URL is empty."""
    return format_html('<a href="{}">{}</a>', url, text) if url else text


class ReadOnlyViewSet(ModelViewSet):
    """A list and a page per row, without forms (docs/architecture.md#back-office)."""

    inspect_view_enabled = True
    inspect_view_class = LocalTimesView
    copy_view_enabled = False
    # Otherwise Wagtail would update its reference index with each order.
    add_to_reference_index = False
    # With an empty list Wagtail builds no form.
    form_fields: list[str] = []

    @property
    def permission_policy(self) -> ReadOnlyPolicy:
        """The permissions on the rows."""
        return ReadOnlyPolicy(self.model)
