"""Publishes a translation completely or not at all, from every screen of wagtail-localize."""

from typing import Any

from django.core.exceptions import ObjectDoesNotExist, ValidationError
from wagtail.models import Locale, Page
from wagtail_localize.models import TranslationSource

from content.models.completeness import PublishedWhole

_save = TranslationSource.create_or_update_translation


def check_before_saving() -> None:
    """Check every translation before wagtail-localize saves it, since it publishes while saving."""
    TranslationSource.create_or_update_translation = _save_whole


def _save_whole(
    source: TranslationSource, locale: Locale, user: Any = None, publish: bool = True, **kw: Any
) -> Any:
    """Save a translation; raises ValidationError if it should be published and lacks something.

    A new incomplete translation is saved as a draft instead, so that editors can complete it.
    """
    if publish:
        try:
            check(source, locale)
        except ValidationError:
            if _own_page(source, locale):
                raise
            publish = False
    return _save(source, locale, user=user, publish=publish, **kw)


def check(source: TranslationSource, locale: Locale) -> None:
    """Raise ValidationError if a page would lack something that its form requires, in a language.

    wagtail-localize validates the fields itself, and marks the texts that do not fit.
    """
    page = (
        source.get_ephemeral_translated_instance(locale, fallback=True)
        if _own_page(source, locale)
        else source.as_instance()
    )
    if isinstance(page, PublishedWhole):
        page.check_parts()


def _own_page(source: TranslationSource, locale: Locale) -> Page | None:
    """Return the page in a language; None if there is none, or it only shows the original."""
    try:
        page: Page = source.get_translated_instance(locale)
    except ObjectDoesNotExist:
        return None
    return page if not page.alias_of_id else None
