"""The parts of a help topic: its steps, and the screen labels in their texts."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from django.utils.functional import Promise, lazy
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as existing
from wagtail.models import Workflow

from content.help.screens import SCREENS
from core.languages import WIRE_LANGUAGE, reader_language

# A text in the reader's language.
Words = str | Promise
# The size of all pictures, in pixels.
WIDTH, HEIGHT = 720, 400


@dataclass(frozen=True)
class Step:
    """One step: a short text, the screen for it, and a picture of that screen.

    `names`: the labels of the screen that the text contains in braces, in the order in which they are
    pressed. `publishers_names`: labels that only users who may publish have on the screen. `by_publisher`:
    whether the whole step is for such users only. `opens`: whether the work begins or continues on its
    screen; other steps get there by the previous step. `menu`: the menu entries to that screen, from the
    outermost one.
    """

    picture: str
    screen: str
    text: Words
    names: Mapping[str, Words]
    publishers_names: Mapping[str, Words] = field(default_factory=dict)
    by_publisher: bool = False
    opens: bool = False
    menu: tuple[Words, ...] = ()

    @property
    def sentence(self) -> SafeString:
        """The text with the labels of the screen marked."""
        return marked(self.text, **self.names, **self.publishers_names)

    @property
    def picture_path(self) -> str:
        """The path of the picture in the reader's language, below the static files."""
        return f"img/help/{WIRE_LANGUAGE[reader_language()]}/{self.picture}.webp"

    @property
    def url(self) -> str:
        """The URL of the screen; one query if it belongs to a row."""
        return SCREENS[self.screen]()


@dataclass(frozen=True)
class Topic:
    """The content of one help page.

    `good_to_know`: notes that belong to no step.
    """

    slug: str
    title: Words
    summary: Words
    steps: tuple[Step, ...]
    good_to_know: tuple[Words, ...] = ()

    @property
    def by_publisher(self) -> bool:
        """Whether it has steps, and all are only for users who may publish."""
        return bool(self.steps) and all(step.by_publisher for step in self.steps)


def marked(text: Words, **names: Words) -> SafeString:
    """Return a text whose placeholders are replaced by marked labels of a screen."""
    words = {key: format_html('<b class="help-name">{}</b>', name) for key, name in names.items()}
    return format_html(str(text), **words)


def note(text: Words, **names: Words) -> Words:
    """Return a note with labels of a screen, in the reader's language."""
    return lazy(lambda: marked(text, **names), SafeString)()


def filled(text: str, **parts: Words | None) -> Words:
    """Return a text of Wagtail's catalogue with its placeholders filled, in the reader's language."""
    return lazy(lambda: str(existing(text)) % {key: str(part) for key, part in parts.items()}, str)()


def titled(text: Words) -> Words:
    """Return a text with a capital at its beginning."""
    return lazy(lambda: capfirst(str(text)), str)()


def _submit() -> str:
    workflow = Workflow.objects.filter(active=True).order_by("pk").first()
    return str(existing("Submit to %(workflow_name)s")) % {"workflow_name": workflow.name if workflow else ""}


# The button by which users who may not publish submit a draft.
SUBMIT: Words = lazy(_submit, str)()
