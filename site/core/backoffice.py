"""Base classes of the back office's screens."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from wagtail.admin.forms import WagtailAdminModelForm
from wagtail.admin.views.generic import DeleteView, InspectView
from wagtail.admin.viewsets.model import ModelViewSet
from wagtail.log_actions import log
from wagtail.permission_policies import ModelPermissionPolicy


class ProtectedForm(WagtailAdminModelForm):
    """A form for one row of a `ProtectedModel`."""

    # Writes the row and what depends on it.
    write: Callable[[Any], None]

    def save(self, commit: bool = True) -> Any:
        """Write the row by its function, then its tags; only fill in the row without `commit`."""
        row = super().save(commit=False)
        if commit:
            with transaction.atomic():
                self.write(row)
                self.save_m2m()
        return row


class ProtectedDeleteView(DeleteView):
    """The page that deletes one row of a `ProtectedModel`."""

    # Deletes rows and what depends on them.
    delete_rows: Callable[[QuerySet[Any]], None]

    def delete_action(self) -> None:
        """Delete the row by its function, and log it."""
        with transaction.atomic():
            log(instance=self.object, action="wagtail.delete")
            self.delete_rows(self.model.objects.filter(pk=self.object.pk))


class ReadOnlyPolicy(ModelPermissionPolicy):
    """Lets staff view rows that only services write; nobody adds, changes or deletes them by hand."""

    def user_has_permission(self, user: Any, action: str) -> bool:
        """Tell whether a user may do something; only viewing is possible at all."""
        return action == "view" and super().user_has_permission(user, action)


class LocalTimesView(InspectView):
    """A row's page, with times as in the lists: Wagtail would show them in UTC."""

    def get_field_display_value(self, field_name: str, field: Any) -> Any:
        """Return the value to show for a field."""
        value = super().get_field_display_value(field_name, field)
        return timezone.localtime(value) if isinstance(value, datetime) else value


class ReadOnlyViewSet(ModelViewSet):
    """A list and a page for each row, without forms (docs/architecture.md#back-office)."""

    inspect_view_enabled = True
    inspect_view_class = LocalTimesView
    copy_view_enabled = False
    # Else Wagtail would update its reference index with each order.
    add_to_reference_index = False
    # Wagtail needs an empty list to make no form.
    form_fields: list[str] = []

    @property
    def permission_policy(self) -> ReadOnlyPolicy:
        """The permissions on the rows."""
        return ReadOnlyPolicy(self.model)
