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
from wagtail.admin.viewsets.chooser import ChooserViewSet
from wagtail.forms import TaskStateCommentForm
from wagtail.images.forms import ImageInsertionForm

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
}


def translate_labels() -> None:
    """Give each form its labels in the language of who reads."""
    for form, labels in _LABELS.items():
        for field, label in labels.items():
            form.base_fields[field].label = label
    ChooserViewSet.search_tab_label = said("Search")
