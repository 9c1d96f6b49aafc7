"""The choice of the shop's colours for editors: radio buttons with a swatch and a name."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.forms.renderers import TemplatesSetting
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

# Background colours of special areas' tiles; pages show the hue of a colour (`hue_class`).
TINTS: dict[str, Any] = {
    "#E6F4E1": _("leaf green"),
    "#C7F4DE": _("jade green"),
    "#BEF4F4": _("lagoon"),
    "#DAE7FF": _("sky blue"),
    "#F2DFFF": _("lilac"),
    "#FFDAF0": _("rose"),
    "#FFDCCD": _("peach"),
    "#F5E8BF": _("honey"),
}
# As in static/css/parts/home.css.
SLIDE_TONES = {"cobalt": "#1c37a3", "jade": "#07502f", "plum": "#8a2150"}
TILE_TONES = {"mint": "#d6f1e3", "peach": "#ffe4d9", "sky": "#e3e9fd"}


class Swatches(forms.RadioSelect):
    """Colours to choose from; `colours`: the colour of each choice whose value is not a colour."""

    template_name = "content/admin/swatches.html"

    def __init__(
        self, attrs: Any = None, choices: Any = (), colours: Mapping[str, str] | None = None
    ) -> None:
        super().__init__(attrs, choices)
        self.colours = colours or {}

    def create_option(self, name: str, value: Any, *args: Any, **kw: Any) -> dict[str, Any]:
        """Add the colour to a choice."""
        option: dict[str, Any] = super().create_option(name, value, *args, **kw)
        return option | {"colour": self.colours.get(str(value), str(value))}

    def render(self, name: str, value: Any, attrs: Any = None, renderer: Any = None) -> Any:
        """Return the markup from the shop's own template."""
        return super().render(name, value, attrs, TemplatesSetting())

    @property
    def media(self) -> forms.Media:
        """The stylesheet."""
        return forms.Media(css={"all": ["css/admin/swatches.css"]})


class TintSwatches(Swatches):
    """The shop's tints, and the current colour of a row if it is another one."""

    def __init__(self, attrs: Any = None) -> None:
        super().__init__(attrs, choices=list(TINTS.items()))

    def optgroups(self, name: str, value: list[str], attrs: Any = None) -> Any:
        """Return the choices; a row's own colour is the last."""
        chosen = next((each for each in value if each), "")
        shown = type(self)(self.attrs)
        by_case = {tint.lower(): tint for tint in TINTS}
        if chosen and chosen.lower() not in by_case:
            shown.choices = [*self.choices, (chosen, gettext("own colour, %(hex)s") % {"hex": chosen})]
            return super(TintSwatches, shown).optgroups(name, [chosen], attrs)
        return super().optgroups(name, [by_case.get(chosen.lower(), "")], attrs)
