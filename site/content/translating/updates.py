"""Brings the texts of a page that is published to its translation, where they wait to be translated."""

from typing import Any

from wagtail.models import Page
from wagtail.signals import page_published
from wagtail_localize.models import TranslationSource


def listen() -> None:
    """Follow every page that is published, by whom and when it may be."""
    page_published.connect(_follow, dispatch_uid="content.translating")


def _follow(instance: Page, **_kw: Any) -> None:
    source = TranslationSource.objects.filter(
        object_id=instance.translation_key, locale_id=instance.locale_id, translations__enabled=True
    ).first()
    if source:
        source.update_from_db()
