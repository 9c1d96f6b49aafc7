"""The form of a freight rule in the back office."""

from collections.abc import Iterator
from typing import Any

from django import forms
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _

from commerce.delivery.models import NO_PRICE
from commerce.delivery.regions import ANY_COUNCIL, councils
from core.backoffice import ProtectedForm
from core.money import ZERO


def _council_choices() -> Iterator[tuple[str, Any]]:
    yield "", _("any place, in a council or not")
    yield ANY_COUNCIL, _("Perth metro: every council below")
    yield from ((name, name) for name in councils())


class FreightRuleForm(ProtectedForm):
    """A freight rule; the council is chosen from a list, and a rule without delivery needs no price."""

    council = forms.ChoiceField(
        label=capfirst(_("council of Perth")), choices=_council_choices, required=False
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in (*NO_PRICE, "surcharge"):
            self.fields[name].required = False

    def clean(self) -> dict[str, Any]:
        """Refuse a rule with delivery but without a price; an empty surcharge counts as zero."""
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        if "surcharge" in cleaned and cleaned["surcharge"] is None:
            cleaned["surcharge"] = ZERO
        for name, value in NO_PRICE.items():
            if name not in cleaned or cleaned[name] is not None:
                continue
            if cleaned.get("excluded"):
                cleaned[name] = value
            else:
                self.add_error(name, self.fields[name].error_messages["required"])
        return cleaned
