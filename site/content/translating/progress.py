"""The progress of a page's translation."""

from dataclasses import dataclass

from wagtail.models import Locale, Page
from wagtail_localize.models import StringTranslation, Translation
from wagtail_localize.segments.extract import extract_segments
from wagtail_localize.segments.types import StringSegmentValue

# The URL fragment with which a translation's screen opens the first text without translation.
FIRST_TEXT = "#translate"


@dataclass(frozen=True)
class Progress:
    """The number of texts of a page, and of those without translation."""

    total: int
    left: int


def progress_of(translation: Translation) -> Progress:
    """Return the progress of a translation; one query."""
    total, done = translation.get_progress()
    return Progress(total, total - done)


@dataclass(frozen=True)
class Twin:
    """The page in the other language.

    `page`: None if there is none, or it only shows this page. `translation`: None if the page was never
    translated from this one.
    """

    locale: Locale
    page: Page | None
    translation: Translation | None
    progress: Progress | None

    @property
    def is_followed(self) -> bool:
        """Whether the page is translated text by text."""
        return self.progress is not None


def twin_of(page: Page) -> Twin | None:
    """Return the page in the other language; None for the root and the roots of both languages.

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
    """Return the ended translation from which a page came; None if there is none."""
    ended: Translation | None = Translation.objects.filter(
        source__object_id=page.translation_key, target_locale_id=page.locale_id, enabled=False
    ).first()
    return ended


def untranslated_texts(page: Page, locale: Locale) -> int:
    """Return the number of texts of a page or draft without translation; one query."""
    texts = {
        (value.path, value.string.data)
        for value in extract_segments(page)
        if isinstance(value, StringSegmentValue)
    }
    known = StringTranslation.objects.filter(
        locale=locale, context__object_id=page.translation_key, has_error=False
    ).values_list("context__path", "translation_of__data")
    return len(texts - set(known))
