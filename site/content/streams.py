"""The blocks of a page's body, which threads validate one at a time."""

from threading import RLock
from typing import Any

from wagtail import blocks

# All pages share their block instances, including the form fields.
_turn = RLock()


class Body(blocks.StreamBlock):
    """The base of a page's blocks.

    While Wagtail validates a draft, it makes the shared blocks optional for all threads.
    """

    def clean(self, value: Any) -> Any:
        """Validate the blocks as Wagtail does, while no other thread validates a draft."""
        with _turn:
            return super().clean(value)

    def clean_deferred(self, value: Any) -> Any:
        """Validate the blocks of a draft, while no other thread validates any."""
        with _turn:
            return super().clean_deferred(value)
