"""Creates the demonstration's Chinese pages like editors do, as synchronised translations."""

from wagtail.models import Locale, Page
from wagtail_localize.models import StringTranslation, Translation, TranslationSource
from wagtail_localize.segments.extract import extract_segments
from wagtail_localize.segments.types import StringSegmentValue

from core.languages import CHINESE


def translate(english: Page, chinese: Page) -> Page:
    """Create and publish the Chinese translation of an English page.

    `chinese`: the same page in Chinese, with the same order of texts; it is only read. Raises ValueError if
    the pages differ in their number of texts.
    """
    locale = Locale.objects.get(language_code=CHINESE)
    source, _made = TranslationSource.get_or_create_from_instance(english)
    segments = source.stringsegment_set.select_related("string", "context").order_by("order")
    texts = [
        value.string.data for value in extract_segments(chinese) if isinstance(value, StringSegmentValue)
    ]
    for segment, text in zip(segments, texts, strict=True):
        StringTranslation.objects.update_or_create(
            translation_of=segment.string, context=segment.context, locale=locale, defaults={"data": text}
        )
    translation, _made = Translation.objects.get_or_create(source=source, target_locale=locale)
    translation.save_target(publish=False)
    page: Page = english.get_translation(locale).specific
    page.get_latest_revision().publish()
    return page
