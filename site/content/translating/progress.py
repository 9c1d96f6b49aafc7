"""How far the page of the other language is."""

from dataclasses import dataclass

from wagtail.models import Locale, Page
from wagtail_localize.models import StringTranslation, Translation
from wagtail_localize.segments.extract import extract_segments
from wagtail_localize.segments.types import StringSegmentValue

# The fragment with which the screen of a translation opens its first text that is not translated.
FIRST_TEXT = "#translate"


@dataclass(frozen=True)
class Progress:
    """The number of texts of a page, and how many of them are not translated."""

    total: int
    left: int


def progress_of(translation: Translation) -> Progress:
    """Return how far a translation is; one query."""
    total, done = translation.get_progress()
    return Progress(total, total - done)


@dataclass(frozen=True)
class Twin:
    """The page of the other language.

    `page`: none where the other language has no page, or only shows this one.
    `translation`: none where the page was never translated from this one.
    """

    locale: Locale
    page: Page | None
    translation: Translation | None
    progress: Progress | None

    @property
    def is_followed(self) -> bool:
        """Return True if the page is translated text by text."""
        return self.progress is not None


def twin_of(page: Page) -> Twin | None:
    """Return the page of the other language; none for the root and the two trees' own pages.

    At most four queries.
    """
    locale = Locale.objects.exclude(pk=page.locale_id).first()
    if not locale or page.depth <= 2:
        return None
    twin = page.get_translations().filter(locale=locale, alias_of=None).first()
    translation = Translation.objects.filter(
        source__object_id=page.translation_key, source__locale_id=page.locale_id, target_locale=locale
    ).first()
    is_followed = twin and translation and translation.enabled
    return Twin(locale, twin, translation, progress_of(translation) if is_followed else None)


def followed_page(page: Page) -> Translation | None:
    """Return the translation that a page was once, and is no longer."""
    ended: Translation | None = Translation.objects.filter(
        source__object_id=page.translation_key, target_locale_id=page.locale_id, enabled=False
    ).first()
    return ended


def untranslated_texts(page: Page, locale: Locale) -> int:
    """Count the texts of a page, such as a draft, that have no translation; one query."""
    texts = {
        (value.path, value.string.data)
        for value in extract_segments(page)
        if isinstance(value, StringSegmentValue)
    }
    known = StringTranslation.objects.filter(
        locale=locale, context__object_id=page.translation_key, has_error=False
    ).values_list("context__path", "translation_of__data")
    return len(texts - set(known))
