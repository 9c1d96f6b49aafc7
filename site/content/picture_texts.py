"""How notes name a picture, and the texts that it lacks."""

from django.utils.translation import gettext


def lacks_text(number: int, languages: list[str]) -> str:
    """Return in which languages the description of a picture is missing."""
    text = gettext("What it shows is not written yet: %(languages)s.")
    return numbered(number, text % {"languages": gettext(", ").join(languages)})


def numbered(number: int, text: str) -> str:
    """Return a text with the number of its picture."""
    return gettext("Picture %(number)d: %(text)s") % {"number": number, "text": text}
