"""What the screens of the back office have in common."""

from datetime import datetime
from typing import Any

from django.utils import timezone
from wagtail.admin.views.generic import InspectView
from wagtail.admin.viewsets.model import ModelViewSet
from wagtail.permission_policies import ModelPermissionPolicy


class LookOnlyPolicy(ModelPermissionPolicy):
    """Lets staff see rows that only services write; nobody adds, changes or deletes them by hand."""

    def user_has_permission(self, user: Any, action: str) -> bool:
        """Tell whether a user may do something; only looking is possible at all."""
        return action == "view" and super().user_has_permission(user, action)


class LocalTimesView(InspectView):
    """A row's page, with times as in the lists: Wagtail would show them in UTC."""

    def get_field_display_value(self, field_name: str, field: Any) -> Any:
        """Return what stands beside a field's name."""
        value = super().get_field_display_value(field_name, field)
        return timezone.localtime(value) if isinstance(value, datetime) else value


class LookOnlyViewSet(ModelViewSet):
    """A list and a page for each row, without forms (ARCHITECTURE 4, "Admin")."""

    inspect_view_enabled = True
    inspect_view_class = LocalTimesView
    copy_view_enabled = False
    # The index of usages would be written with each order.
    add_to_reference_index = False
    # There is no form; without fields Wagtail would not know that.
    form_fields: list[str] = []

    @property
    def permission_policy(self) -> LookOnlyPolicy:
        """The rights on the rows."""
        return LookOnlyPolicy(self.model)
