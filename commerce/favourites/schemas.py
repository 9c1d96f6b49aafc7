"""Favourites on the wire (docs/wire.md#favourites)."""

from collections.abc import Sequence
from typing import Annotated

from pydantic import Field

from catalog.browse.schemas import BatchGoods
from catalog.goods.schemas import GoodsId
from core.wire import MAX_ID, AnswerModel, WireInt, WireModel, WireText

ListId = Annotated[WireInt, Field(ge=0, le=MAX_ID)]


class ListNameIn(WireModel):
    """What a list is called."""

    name: WireText


class ShareIn(WireModel):
    """What a shared page is called, empty for no title of its own."""

    title: WireText = ""


class FavouriteIn(WireModel):
    """A product to put into a list."""

    goodsId: GoodsId


class MoveIn(WireModel):
    """The list that a product goes to; 0 is the default list."""

    toListId: ListId


class ListsQuery(WireModel):
    """The product to look for in the lists; 0 for none."""

    goodsId: ListId = 0


class FavouriteListOut(AnswerModel):
    """A list: `listId` 0 is the default list, whose `name` is empty; `sharePath` is null while not shared."""

    listId: int
    name: str
    count: int
    hasGoods: bool
    sharePath: str | None
    shareTitle: str


class FavouriteListsOut(AnswerModel):
    """A customer's lists, the default list first."""

    list: Sequence[FavouriteListOut]


class FavouriteIdsOut(AnswerModel):
    """The products in the default list, newest first."""

    goodsIds: Sequence[int]


class ListIdOut(AnswerModel):
    """The list that was made."""

    listId: int


class ShareOut(AnswerModel):
    """The path of a shared list's page, without a language."""

    sharePath: str


class FavouriteGoods(BatchGoods):
    """A product in a list; one that is not on sale stays and cannot be bought."""

    isOnSale: bool
