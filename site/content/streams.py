"""The blocks of a page's body: their checks take turns."""

from threading import RLock
from typing import Any

from wagtail import blocks

# All pages share their blocks, down to the fields.
_turn = RLock()


class Body(blocks.StreamBlock):
    """The base of the blocks that a page may have.

    While Wagtail checks a draft, the blocks that every thread shares require nothing.
    """

    def clean(self, value: Any) -> Any:
        """Return the blocks as Wagtail checks them, while no other thread checks a draft."""
        with _turn:
            return super().clean(value)

    def clean_deferred(self, value: Any) -> Any:
        """Return the blocks of a draft, while no other thread checks any."""
        with _turn:
            return super().clean_deferred(value)
