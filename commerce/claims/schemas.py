"""Wire schemas of claims (docs/wire.md#claims)."""

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field

from commerce.claims.models import MAX_MESSAGE
from commerce.claims.services import LineClaim
from commerce.claims.services.pictures import MAX_PICTURES
from commerce.claims.states import ClaimKind
from core.wire import AnswerModel, WireAmount, WireId, WireModel, WireText, blank_as_none

# The maximum number of lines in an order.
MAX_LINES = 400
Text = Annotated[WireText, Field(min_length=1, max_length=MAX_MESSAGE)]
Images = Annotated[list[WireText], Field(max_length=MAX_PICTURES)]


class ClaimLineIn(WireModel):
    """Units of one order line, and what is wrong with them."""

    goodsId: WireId
    actionTypeId: Annotated[WireId | None, BeforeValidator(blank_as_none)] = None
    goodsAmount: WireAmount
    kind: Literal["damaged", "missing", "wrong"]

    def line(self) -> LineClaim:
        """Return the domain value."""
        return LineClaim(self.goodsId, self.actionTypeId, self.goodsAmount, ClaimKind(self.kind))


class ClaimIn(WireModel):
    """A claim about an order; `images` are the URLs of earlier uploads."""

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
    """Claimed units of one order line."""

    goodsId: int
    actionTypeId: int | None
    goodsName: str
    goodsEnglishName: str
    goodsImgUrl: str | None
    goodsAmount: int
    kind: str


class ClaimRowOut(AnswerModel):
    """A claim in the list; `status` is waiting, asking, refund, replacement, declined or settled."""

    claimNo: str
    orderNo: str
    status: str
    wish: str
    createTime: datetime
    goods: Sequence[ClaimedGoodsOut]


class ClaimMessageOut(AnswerModel):
    """A message of the thread; `status` is the claim's status after it. A deleted image is null."""

    isMine: bool
    text: str
    status: str
    createTime: datetime
    images: Sequence[str | None]


class ClaimOut(ClaimRowOut):
    """A claim with its messages, oldest first."""

    decideTime: datetime | None
    messages: Sequence[ClaimMessageOut]


class ClaimableGoodsOut(AnswerModel):
    """An order line: bought units, and the number of units that can still be claimed."""

    goodsId: int
    actionTypeId: int | None
    goodsName: str
    goodsEnglishName: str
    goodsImgUrl: str | None
    goodsAmount: int
    left: int


class ClaimableOut(AnswerModel):
    """The claimable units of an order, its claims, and the end of its claim period (null: no end yet)."""

    orderNo: str
    isClaimable: bool
    until: datetime | None
    goods: Sequence[ClaimableGoodsOut]
    claims: Sequence[ClaimRowOut]
