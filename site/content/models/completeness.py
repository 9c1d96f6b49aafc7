"""Rows that are published completely or not at all (docs/guarantees/back-office.md#drafts)."""

from collections.abc import Iterator
from typing import Any

from django.core.exceptions import NON_FIELD_ERRORS, ValidationError
from django.utils.text import capfirst
from wagtail import blocks
from wagtail.fields import StreamField
from wagtail.images.blocks import ImageBlock
from wagtail.models import Revision


class IncompleteError(ValidationError):
    """Raised if an incomplete draft should be published; `row`: the row as in the draft."""

    def __init__(self, error: ValidationError, row: Any) -> None:
        super().__init__(error)
        self.row = row


class PublishedWhole:
    """Refuses to publish a draft that lacks something its form requires, in every way of publishing."""

    def publish(self, revision: Revision, *args: Any, **kw: Any) -> None:
        """Publish a revision; raises IncompleteError if it lacks something that its form requires.

        Schedules, moderators and lists publish a revision that was saved earlier, maybe incomplete.
        """
        draft = revision.as_object()
        try:
            draft.check_whole()
        except ValidationError as error:
            raise IncompleteError(error, draft) from error
        super().publish(revision, *args, **kw)  # type: ignore[misc]

    def check_whole(self) -> None:
        """Raise ValidationError for everything that prevents publishing, including wrong fields."""
        self.full_clean()  # type: ignore[attr-defined]
        self.check_parts()

    def check_parts(self) -> None:
        """Raise ValidationError for everything that prevents publishing, apart from its own fields."""
        if lacking := list(self.lacking()):
            raise ValidationError({NON_FIELD_ERRORS: lacking})

    def lacking(self) -> Iterator[str]:
        """Yield what its form requires in addition to its fields; a draft may lack it."""
        raise NotImplementedError


class WholePage(PublishedWhole):
    """A page that also requires complete blocks."""

    def lacking(self) -> Iterator[str]:
        """Yield what the blocks of the page lack, with their places."""
        for field in self._meta.get_fields():  # type: ignore[attr-defined]
            if isinstance(field, StreamField):
                block, value = field.stream_block, getattr(self, field.name)
                try:
                    block.clean(value)
                except ValidationError as error:
                    yield from _in_block(block, value, error, [capfirst(field.verbose_name)])


def faults(row: Any, error: ValidationError) -> list[str]:
    """Return what a row lacks as texts, each with the name of its field; `error`: from `check_whole`."""
    return [
        text if name == NON_FIELD_ERRORS else f"{capfirst(row._meta.get_field(name).verbose_name)} · {text}"
        for name, texts in error.message_dict.items()
        for text in texts
    ]


def _in_block(block: blocks.Block, value: Any, error: Any, place: list[str]) -> Iterator[str]:
    """Yield the errors in a block, each after the names of the blocks around it; `error`: from `clean`."""
    is_leaf = not hasattr(error, "block_errors")
    for text in error.messages if is_leaf else error.non_block_errors:
        yield " · ".join(map(str, [*place, text]))
    if is_leaf:
        return
    for key, fault in error.block_errors.items():
        if isinstance(block, blocks.StructBlock):
            child = block.child_blocks[key]
            # A picture block has no value for each field, so its fields are treated as leaves.
            below, name = None if isinstance(block, ImageBlock) else value[key], capfirst(child.label)
        else:
            child = value[key].block if isinstance(block, blocks.StreamBlock) else block.child_block
            below = value[key].value if isinstance(block, blocks.StreamBlock) else value[key]
            name = f"{key + 1}. {capfirst(child.label)}" if child.label else str(key + 1)
        yield from _in_block(child, below, fault, [*place, name])
