"""Translates labels of Wagtail's forms that are English in every language, such as names of fields.

Wagtail's own words come from its catalogue (`existing`, which collects no text).
"""

from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_lazy as existing
from wagtail.admin.forms.choosers import (
    AnchorLinkChooserForm,
    EmailLinkChooserForm,
    ExternalLinkChooserForm,
    PhoneLinkChooserForm,
)
from wagtail.admin.forms.collections import GroupCollectionManagementPermissionFormSet
from wagtail.admin.forms.workflows import WorkflowContentTypeForm, WorkflowPageForm
from wagtail.admin.viewsets.chooser import ChooserViewSet
from wagtail.contrib.redirects.filters import RedirectsReportFilterSet
from wagtail.documents.forms import GroupDocumentPermissionFormSet
from wagtail.forms import TaskStateCommentForm
from wagtail.images.forms import GroupImagePermissionFormSet, ImageInsertionForm
from wagtail.users.forms import PagePermissionsForm

_LINK_TEXT = _("Text of the link")
_LABELS: dict[Any, dict[str, Promise]] = {
    ExternalLinkChooserForm: {"link_text": _LINK_TEXT},
    AnchorLinkChooserForm: {"link_text": _LINK_TEXT},
    EmailLinkChooserForm: {
        "email_address": _("Email address"),
        "link_text": _LINK_TEXT,
        "subject": _("Subject of the e-mail"),
        "body": _("Text of the e-mail"),
    },
    PhoneLinkChooserForm: {"phone_number": _("Phone number"), "link_text": _LINK_TEXT},
    ImageInsertionForm: {
        "format": existing("Format"),
        "image_is_decorative": existing("Image is decorative"),
        "alt_text": existing("Alt text"),
    },
    TaskStateCommentForm: {"comment": existing("Comment")},
    GroupImagePermissionFormSet.form: {"collection": existing("Collection")},
    GroupDocumentPermissionFormSet.form: {"collection": existing("Collection")},
    GroupCollectionManagementPermissionFormSet.form: {"collection": existing("Collection")},
    PagePermissionsForm: {"page": existing("Page")},
    WorkflowPageForm: {"page": existing("Page")},
    WorkflowContentTypeForm: {"content_types": _("Content types")},
}
# Permissions of a collection: code, heading of the column, and the label for screen readers.
_COLLECTIONS: dict[Any, tuple[tuple[str, Promise, Promise], ...]] = {
    GroupImagePermissionFormSet: (
        ("add_image", existing("Add"), existing("Add/edit images you own")),
        ("change_image", existing("Edit"), existing("Edit any image")),
        ("choose_image", existing("Choose"), existing("Select images in choosers")),
    ),
    GroupCollectionManagementPermissionFormSet: (
        ("add_collection", existing("Add"), existing("Add collections")),
        ("change_collection", existing("Edit"), existing("Edit collections")),
        ("delete_collection", existing("Delete"), existing("Delete collections")),
    ),
}


def translate_labels() -> None:
    """Set the labels of each form in the reader's language."""
    for form, labels in _LABELS.items():
        for field, label in labels.items():
            form.base_fields[field].label = label
    for formset, types in _COLLECTIONS.items():
        # Changed in place, since the formset's fields refer to the same list.
        formset.permission_types[:] = types
    kind = RedirectsReportFilterSet.base_filters["is_permanent"]
    kind.label = existing("Type")
    kind.extra |= {
        "choices": ((True, existing("Permanent")), (False, existing("Temporary"))),
        "empty_label": existing("All"),
    }
    RedirectsReportFilterSet.base_filters["site"].label = existing("Site")
    ChooserViewSet.search_tab_label = existing("Search")
