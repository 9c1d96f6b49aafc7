"""The form by which staff adjust points."""

from django.forms import HiddenInput, IntegerField, ModelForm

from commerce.ledger.models import PointsAdjustment


class PointsForm(ModelForm):  # type: ignore[type-arg]  # django-stubs knows a parameter that Django has not
    """How many points, and why."""

    # How many adjustments the page knew.
    seen = IntegerField(widget=HiddenInput)

    class Meta:
        model = PointsAdjustment
        fields = ("points", "note")
