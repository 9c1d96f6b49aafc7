"""Texts of notes about a picture, and about its missing descriptions."""

from django.utils.translation import gettext


def lacks_text(number: int, languages: list[str]) -> str:
    """Return a note with the languages in which a picture's description is missing."""
    text = gettext("What it shows is not written yet: %(languages)s.")
    return numbered(number, text % {"languages": gettext(", ").join(languages)})


def numbered(number: int, text: str) -> str:
    """Return a note with the number of its picture."""
    return gettext("Picture %(number)d: %(text)s") % {"number": number, "text": text}
