"""How notes name a picture, and the texts that it lacks."""

from django.utils.translation import gettext


def lacks_text(number: int, languages: list[str]) -> str:
    """Say in which languages it is not written what a picture shows."""
    text = gettext("What it shows is not written yet: %(languages)s.")
    return numbered(number, text % {"languages": gettext(", ").join(languages)})


def numbered(number: int, text: str) -> str:
    """Say of which picture something is said."""
    return gettext("Picture %(number)d: %(text)s") % {"number": number, "text": text}
