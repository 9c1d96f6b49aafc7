"""Staff's forms to adjust points and to settle debts."""

from django.forms import DecimalField, HiddenInput, IntegerField, ModelForm

from commerce.ledger.models import DebtSettlement, PointsAdjustment


class PointsForm(ModelForm):  # type: ignore[type-arg]  # django-stubs knows a parameter that Django has not
    """The points and the reason of an adjustment."""

    # The number of earlier adjustments when the page was rendered.
    seen = IntegerField(widget=HiddenInput)

    class Meta:
        model = PointsAdjustment
        fields = ("points", "note")


class DebtForm(ModelForm):  # type: ignore[type-arg]  # django-stubs knows a parameter that Django has not
    """The amount of a debt that was paid or is written off, and the reason."""

    # The debt when the page was rendered.
    seen = DecimalField(widget=HiddenInput)

    class Meta:
        model = DebtSettlement
        fields = ("amount", "note")
