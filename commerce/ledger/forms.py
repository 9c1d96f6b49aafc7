"""Staff's form to adjust points."""

from django.forms import HiddenInput, IntegerField, ModelForm

from commerce.ledger.models import PointsAdjustment


class PointsForm(ModelForm):  # type: ignore[type-arg]  # django-stubs knows a parameter that Django has not
    """The points and the reason of an adjustment."""

    # The number of earlier adjustments when the page was rendered.
    seen = IntegerField(widget=HiddenInput)

    class Meta:
        model = PointsAdjustment
        fields = ("points", "note")
