"""Copies the texts of a published page to its translation, where they wait to be translated."""

from typing import Any

from wagtail.models import Page
from wagtail.signals import page_published
from wagtail_localize.models import TranslationSource


def listen() -> None:
    """Update translations whenever a page is published, by any user or schedule."""
    page_published.connect(_follow, dispatch_uid="content.translating")


def _follow(instance: Page, **_kw: Any) -> None:
    source = TranslationSource.objects.filter(
        object_id=instance.translation_key, locale_id=instance.locale_id, translations__enabled=True
    ).first()
    if source:
        source.update_from_db()
