"""The form field of a nutrition panel: one input for each value."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.forms.renderers import get_default_renderer
from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _

from catalog.goods.nutrition import MEASURES, NAMES, NUTRIENTS, Panel, nutrition_panel

_LABELS = {
    "measure": _("amounts per 100"),
    "serving": _("serving size"),
    "servings": _("servings per package"),
} | {name: nutrient.label for name, nutrient in NUTRIENTS.items()}


class NutritionWidget(forms.MultiWidget):
    """A labelled input for each value of a panel."""

    template_name = "goods/admin/nutrition.html"

    def __init__(self) -> None:
        number = forms.TextInput(attrs={"inputmode": "decimal", "autocomplete": "off"})
        measure = forms.Select(choices=[(unit, unit) for unit in MEASURES])
        super().__init__({name: measure if name == "measure" else number for name in NAMES})

    def decompress(self, value: Panel | None) -> list[str]:
        """Return the texts of the inputs."""
        return [(value or {}).get(name, "") for name in NAMES]

    def get_context(self, name: str, value: Any, attrs: dict[str, Any] | None) -> dict[str, Any]:
        """Add the label and the unit of each input."""
        context: dict[str, Any] = super().get_context(name, value, attrs)
        for part, input_name in zip(context["widget"]["subwidgets"], NAMES, strict=True):
            nutrient = NUTRIENTS.get(input_name)
            part["label"] = capfirst(str(_LABELS[input_name]))
            part["unit"] = nutrient.unit if nutrient else ""
        return context

    def _render(self, template_name: str, context: dict[str, Any], renderer: Any = None) -> SafeString:
        # Only Django's renderer finds the templates of the inputs, and it does not find this one.
        inputs = renderer or get_default_renderer()
        for part in context["widget"]["subwidgets"]:
            html = inputs.render(part["template_name"], {"widget": part})
            part["html"] = mark_safe(html)  # noqa: S308  rendered by Django
        return render_to_string(template_name, context)


class NutritionField(forms.MultiValueField):
    """Reads and checks a panel; null without values."""

    widget = NutritionWidget

    def __init__(self, **options: Any) -> None:
        texts = [forms.CharField(required=False) for _name in NAMES]
        super().__init__(texts, require_all_fields=False, required=False, **options)

    def compress(self, data_list: list[str]) -> Panel | None:
        """Return the panel; raises ValidationError."""
        try:
            return nutrition_panel(dict(zip(NAMES, data_list, strict=False)))
        except ValueError as error:
            raise ValidationError(str(error)) from None
