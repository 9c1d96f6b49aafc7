"""Warnings about a draft's pictures before it can be published: missing texts, or unsuitable shapes."""

from collections.abc import Iterator
from typing import Any

from django.http import HttpRequest
from django.utils.html import format_html, format_html_join
from django.utils.translation import gettext
from wagtail import blocks
from wagtail.admin import messages
from wagtail.fields import StreamField
from wagtail.images.blocks import ImageBlock
from wagtail.models import Page

from content.models.window import Window
from content.picture_texts import lacks_text, numbered
from core.languages import CHINESE
from core.pictures.shapes import odd_whole


def warn_of_pictures(request: HttpRequest, row: Any) -> None:
    """Show what the pictures of a saved page, slide or area lack; Wagtail's hooks call it."""
    is_autosave = not request.accepts("text/html")
    if is_autosave or not (notes := list(notes_of(row))):
        return
    listed = format_html_join("", "<li>{}</li>", ((note,) for note in notes))
    text = gettext("Before this can be published, its pictures need more:")
    messages.warning(request, format_html("{}<ul>{}</ul>", text, listed))


def notes_of(row: Any) -> Iterator[str]:
    """Yield what each picture of a page, slide or area lacks."""
    if isinstance(row, Window):
        yield from row.picture_notes()
    elif isinstance(row, Page):
        yield from _notes_of_page(row)


def _notes_of_page(page: Page) -> Iterator[str]:
    language = gettext("Chinese") if page.locale.language_code == CHINESE else gettext("English")
    streams = [field for field in page._meta.get_fields() if isinstance(field, StreamField)]
    pictures = (
        picture
        for field in streams
        for picture in _pictures_in(field.stream_block, getattr(page, field.name))
    )
    for number, picture in enumerate(pictures, start=1):
        if not picture.contextual_alt_text and not picture.decorative:
            yield lacks_text(number, [language])
        if text := odd_whole(picture):
            yield numbered(number, text)


def _pictures_in(block: blocks.Block, value: Any) -> Iterator[Any]:
    """Yield the pictures of a block's value, at any depth."""
    if isinstance(block, ImageBlock):
        yield from [value] if value else []
    elif isinstance(block, blocks.StreamBlock):
        for child in value:
            yield from _pictures_in(child.block, child.value)
    elif isinstance(block, blocks.ListBlock):
        for item in value:
            yield from _pictures_in(block.child_block, item)
    elif isinstance(block, blocks.StructBlock):
        for name, child in block.child_blocks.items():
            yield from _pictures_in(child, value.get(name))
