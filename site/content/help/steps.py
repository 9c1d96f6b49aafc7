"""What a topic of the help is made of, and how a step names what is on its screen."""

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

# A text, in the language of its reader.
Words = str | Promise
# Of every picture, in pixels.
WIDTH, HEIGHT = 720, 400


@dataclass(frozen=True)
class Step:
    """One step: a sentence or two, the screen that it is done on, and a picture of that.

    `names`: the labels of the screen that the text has in braces, in the reader's language, in the order in
    which they are pressed.
    `publishers_names`: those that the screen has for staff alone who may publish.
    `by_publisher`: the whole step is for such staff.
    `opens`: the work begins, or goes on later, on its screen; other steps are there by the one before.
    `menu`: the way to that screen by the menu, from the outermost entry.
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
        """The text with the words of the screen marked."""
        return marked(self.text, **self.names, **self.publishers_names)

    @property
    def picture_path(self) -> str:
        """Where the picture in the reader's language is, below the static files."""
        return f"img/help/{WIRE_LANGUAGE[reader_language()]}/{self.picture}.webp"

    @property
    def url(self) -> str:
        """The URL of the screen; one query where it is that of a row."""
        return SCREENS[self.screen]()


@dataclass(frozen=True)
class Topic:
    """The content of one page of the help.

    `good_to_know`: what belongs to no step.
    """

    slug: str
    title: Words
    summary: Words
    steps: tuple[Step, ...]
    good_to_know: tuple[Words, ...] = ()

    @property
    def by_publisher(self) -> bool:
        """Whether every step is for staff alone who may publish."""
        return all(step.by_publisher for step in self.steps)


def marked(text: Words, **names: Words) -> SafeString:
    """Return a text with the words of a screen that it has in braces, marked as such."""
    words = {key: format_html('<b class="help-name">{}</b>', name) for key, name in names.items()}
    return format_html(str(text), **words)


def note(text: Words, **names: Words) -> Words:
    """Return a note that names labels of a screen, in the reader's language."""
    return lazy(lambda: marked(text, **names), SafeString)()


def filled(text: str, **parts: Words | None) -> Words:
    """Return a text of Wagtail's catalogue with its gaps filled, in the reader's language."""
    return lazy(lambda: str(existing(text)) % {key: str(part) for key, part in parts.items()}, str)()


def titled(text: Words) -> Words:
    """Return a text as it begins a line."""
    return lazy(lambda: capfirst(str(text)), str)()


def _submit() -> str:
    workflow = Workflow.objects.filter(active=True).order_by("pk").first()
    return str(existing("Submit to %(workflow_name)s")) % {"workflow_name": workflow.name if workflow else ""}


# The button by which staff who may not publish hand a draft on.
SUBMIT: Words = lazy(_submit, str)()
