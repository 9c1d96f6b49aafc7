"""Questions about orders on the wire (docs/wire.md#orderask)."""

from typing import Annotated

from pydantic import Field

from commerce.enquiries.services import MAX_TEXT
from core.wire import WireModel, WireText


class QuestionIn(WireModel):
    """A customer's question about an order."""

    text: Annotated[WireText, Field(min_length=1, max_length=MAX_TEXT)]
