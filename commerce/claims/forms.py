"""Staff's forms to answer a claim, and to record that it was settled without its refund."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from commerce.claims.models import MAX_MESSAGE
from commerce.claims.states import ClaimState

ANSWERS = [
    (ClaimState.asking, _("Ask the customer")),
    (ClaimState.refund, _("Accept: refund")),
    (ClaimState.replacement, _("Accept: replacement")),
    (ClaimState.declined, pgettext_lazy("answer to a claim", "Decline")),
]


class SettledForm(forms.Form):
    """How a claim was settled; the customer reads the text."""

    text = forms.CharField(
        label=_("To the customer"), max_length=MAX_MESSAGE, widget=forms.Textarea(attrs={"rows": 5})
    )
    seen = forms.IntegerField(min_value=1, max_value=1_000, widget=forms.HiddenInput)

    def __init__(self, data: Any = None, *, language: str = "", seen: int = 1) -> None:
        """Set up the fields; `language`: the name of the customer's language."""
        super().__init__(data, auto_id="answer_%s")
        self.fields["seen"].initial = seen
        self.fields["text"].help_text = _("The customer reads it, in %(language)s.") % {"language": language}


class AnswerForm(SettledForm):
    """Staff's answer to a claim; the customer reads the text."""

    field_order = ("to", "text", "seen")

    # No answer is preselected, because the customer is notified immediately.
    to = forms.ChoiceField(label=_("Answer"), choices=ANSWERS, widget=forms.RadioSelect)
