"""What the screens of the back office have in common."""

from typing import Any

from wagtail.admin.viewsets.model import ModelViewSet
from wagtail.permission_policies import ModelPermissionPolicy


class LookOnlyPolicy(ModelPermissionPolicy):
    """Lets staff see rows that only services write; nobody adds, changes or deletes them by hand."""

    def user_has_permission(self, user: Any, action: str) -> bool:
        """Tell whether a user may do something; only looking is possible at all."""
        return action == "view" and super().user_has_permission(user, action)


class LookOnlyViewSet(ModelViewSet):
    """A list and a page for each row, without forms (ARCHITECTURE 4, "Admin")."""

    inspect_view_enabled = True
    copy_view_enabled = False
    # The index of usages would be written with each order.
    add_to_reference_index = False
    # There is no form; without fields Wagtail would not know that.
    form_fields: list[str] = []

    @property
    def permission_policy(self) -> LookOnlyPolicy:
        """The rights on the rows."""
        return LookOnlyPolicy(self.model)
