"""The form by which staff adjust points."""

from django.forms import ModelForm

from commerce.ledger.models import PointsAdjustment


class PointsForm(ModelForm):  # type: ignore[type-arg]  # django-stubs knows a parameter that Django has not
    """How many points, and why."""

    class Meta:
        model = PointsAdjustment
        fields = ("points", "note")
