"""Tags for the screens of translations."""

from django import template
from wagtail.models import Page
from wagtail_localize.models import Translation

from content.translating.progress import Progress, Twin, followed_page, progress_of, twin_of

register = template.Library()


@register.simple_tag
def twin(page: Page) -> Twin | None:
    """Return the page in the other language; queries as `twin_of`."""
    return twin_of(page)


@register.simple_tag
def ended_translation(page: Page) -> Translation | None:
    """Return the ended translation of a page; one query."""
    return followed_page(page)


@register.simple_tag
def progress(translation: Translation) -> Progress:
    """Return the progress of a translation; one query."""
    return progress_of(translation)
