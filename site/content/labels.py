"""Labels of Wagtail's forms that are English in every language: written at the start, or names of fields.

Words of Wagtail come from its own catalogue (`said`, which collects no text of its own).
"""

from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_lazy as said
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
        "format": said("Format"),
        "image_is_decorative": said("Image is decorative"),
        "alt_text": said("Alt text"),
    },
    TaskStateCommentForm: {"comment": said("Comment")},
    GroupImagePermissionFormSet.form: {"collection": said("Collection")},
    GroupDocumentPermissionFormSet.form: {"collection": said("Collection")},
    GroupCollectionManagementPermissionFormSet.form: {"collection": said("Collection")},
    PagePermissionsForm: {"page": said("Page")},
    WorkflowPageForm: {"page": said("Page")},
    WorkflowContentTypeForm: {"content_types": _("Content types")},
}
# The permissions of a collection: their codes, then what heads the column, and what is spoken.
_COLLECTIONS: dict[Any, tuple[tuple[str, Promise, Promise], ...]] = {
    GroupImagePermissionFormSet: (
        ("add_image", said("Add"), said("Add/edit images you own")),
        ("change_image", said("Edit"), said("Edit any image")),
        ("choose_image", said("Choose"), said("Select images in choosers")),
    ),
    GroupCollectionManagementPermissionFormSet: (
        ("add_collection", said("Add"), said("Add collections")),
        ("change_collection", said("Edit"), said("Edit collections")),
        ("delete_collection", said("Delete"), said("Delete collections")),
    ),
}


def translate_labels() -> None:
    """Give each form its labels in the language of who reads."""
    for form, labels in _LABELS.items():
        for field, label in labels.items():
            form.base_fields[field].label = label
    for formset, types in _COLLECTIONS.items():
        # The same list is read by its fields.
        formset.permission_types[:] = types
    kind = RedirectsReportFilterSet.base_filters["is_permanent"]
    kind.label = said("Type")
    kind.extra |= {
        "choices": ((True, said("Permanent")), (False, said("Temporary"))),
        "empty_label": said("All"),
    }
    RedirectsReportFilterSet.base_filters["site"].label = said("Site")
    ChooserViewSet.search_tab_label = said("Search")
