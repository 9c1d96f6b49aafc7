"""Names of the carousels; on the wire they are numbers (docs/product.md#constants)."""

from typing import Any

from django import forms
from django.apps import apps
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from wagtail import blocks

HOME_CAROUSEL = 4
LAST_CAROUSEL = 99
# Carousels that can be chosen even while they have no slides.
FIRST_CAROUSELS = range(1, 10)
CAROUSEL = _("carousel")


def carousel_name(number: int) -> str:
    """Return the name of a carousel for editors."""
    if number == HOME_CAROUSEL:
        return gettext("Home page, at the top")
    return gettext("Another place, carousel %(number)d") % {"number": number}


def carousel_choices() -> list[tuple[int, str]]:
    """Return the carousels to choose from, the home page's first; one query for those with slides."""
    slides = apps.get_model("content", "CarouselSlide").objects
    used = set(slides.order_by().values_list("carousel", flat=True).distinct())
    numbers = sorted(used.union(FIRST_CAROUSELS), key=lambda number: (number != HOME_CAROUSEL, number))
    return [(number, carousel_name(number)) for number in numbers]


class CarouselField(forms.TypedChoiceField):
    """A form field that shows a carousel by its name; its value is the number."""

    def __init__(self, **kw: Any) -> None:
        super().__init__(choices=carousel_choices, coerce=int, empty_value=None, **kw)


class CarouselBlock(blocks.FieldBlock):
    """A block with a carousel, chosen by its name and stored as a number."""

    def __init__(self, **kw: Any) -> None:
        self.field = CarouselField(required=True, help_text=kw.pop("help_text", ""))
        super().__init__(**kw)

    class Meta:
        icon = "image"
