"""Wire schemas of favourites (docs/wire.md#favourites)."""

from collections.abc import Sequence
from typing import Annotated

from pydantic import Field

from catalog.browse.schemas import BatchGoods
from catalog.goods.schemas import GoodsId
from core.wire import MAX_ID, AnswerModel, WireInt, WireModel, WireText

ListId = Annotated[WireInt, Field(ge=0, le=MAX_ID)]


class ListNameIn(WireModel):
    """The name of a list."""

    name: WireText


class ShareIn(WireModel):
    """The title of a shared page; empty for the default title."""

    title: WireText = ""


class FavouriteIn(WireModel):
    """A product to add to a list."""

    goodsId: GoodsId


class MoveIn(WireModel):
    """The target list of a product; 0 is the default list."""

    toListId: ListId


class ListsQuery(WireModel):
    """The product to look for in the lists; 0 for none."""

    goodsId: ListId = 0


class FavouriteListOut(AnswerModel):
    """A list; the default list has `listId` 0 and no name; `sharePath` is null if the list is not shared."""

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
    """The id of the created list."""

    listId: int


class ShareOut(AnswerModel):
    """The path of a shared list's page, without a language prefix."""

    sharePath: str


class FavouriteGoods(BatchGoods):
    """A product in a list; products that are not on sale stay in the list but cannot be bought."""

    isOnSale: bool
