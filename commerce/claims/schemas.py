"""Claims on the wire (docs/wire.md#claims)."""

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field

from commerce.claims.models import MAX_MESSAGE
from commerce.claims.services import LineClaim
from commerce.claims.services.pictures import MAX_PICTURES
from commerce.claims.states import ClaimKind
from core.wire import AnswerModel, WireAmount, WireId, WireModel, WireText, blank_as_none

# An order has no more lines.
MAX_LINES = 400
Text = Annotated[WireText, Field(min_length=1, max_length=MAX_MESSAGE)]
Images = Annotated[list[WireText], Field(max_length=MAX_PICTURES)]


class ClaimLineIn(WireModel):
    """Units of one line of the order, and what is wrong with them."""

    goodsId: WireId
    actionTypeId: Annotated[WireId | None, BeforeValidator(blank_as_none)] = None
    goodsAmount: WireAmount
    kind: Literal["damaged", "missing", "wrong"]

    def line(self) -> LineClaim:
        """Return it as the service takes it."""
        return LineClaim(self.goodsId, self.actionTypeId, self.goodsAmount, ClaimKind(self.kind))


class ClaimIn(WireModel):
    """What is claimed of an order; `images`: what uploads have answered."""

    orderNo: WireText
    lines: Annotated[list[ClaimLineIn], Field(min_length=1, max_length=MAX_LINES)]
    wish: Literal["refund", "replacement"]
    text: Text
    images: Images = []


class ReplyIn(WireModel):
    """A message of the customer."""

    text: Text
    images: Images = []


class ClaimedGoodsOut(AnswerModel):
    """Units of one line of the order that are claimed."""

    goodsId: int
    actionTypeId: int | None
    goodsName: str
    goodsEnglishName: str
    goodsImgUrl: str | None
    goodsAmount: int
    kind: str


class ClaimRowOut(AnswerModel):
    """A claim of the list; `status` is waiting, asking, refund, replacement, declined or settled."""

    claimNo: str
    orderNo: str
    status: str
    wish: str
    createTime: datetime
    goods: Sequence[ClaimedGoodsOut]


class ClaimMessageOut(AnswerModel):
    """A message of the thread; `status`: what the claim moved to with it. A deleted image is null."""

    isMine: bool
    text: str
    status: str
    createTime: datetime
    images: Sequence[str | None]


class ClaimOut(ClaimRowOut):
    """A claim with its thread, the oldest message first."""

    decideTime: datetime | None
    messages: Sequence[ClaimMessageOut]


class ClaimableGoodsOut(AnswerModel):
    """A line of the order: units that were bought, and how many of them can still be claimed."""

    goodsId: int
    actionTypeId: int | None
    goodsName: str
    goodsEnglishName: str
    goodsImgUrl: str | None
    goodsAmount: int
    left: int


class ClaimableOut(AnswerModel):
    """What of an order can still be claimed, until when (null: no end yet), and its claims so far."""

    orderNo: str
    isClaimable: bool
    until: datetime | None
    goods: Sequence[ClaimableGoodsOut]
    claims: Sequence[ClaimRowOut]
