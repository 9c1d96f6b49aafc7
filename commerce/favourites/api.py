"""The API of favourites (docs/wire.md#favourites)."""

from typing import Any

from django.http import HttpRequest
from ninja import Query, Router

from commerce.accounts.auth import customer_of, token_auth
from commerce.favourites import services
from commerce.favourites.reading import DEFAULT, default_products, favourites_page, lists_of, own_list
from commerce.favourites.schemas import (
    FavouriteGoods,
    FavouriteIdsOut,
    FavouriteIn,
    FavouriteListsOut,
    ListIdOut,
    ListNameIn,
    ListsQuery,
    MoveIn,
    ShareIn,
    ShareOut,
)
from commerce.favourites.serializers import favourite_out, list_out, share_path
from core.errors import Err
from core.wire import Envelope, Page, PageQuery, envelope, path_id

router = Router(auth=token_auth)


@router.get("/v1/pc/favourites", response=Envelope[FavouriteListsOut])
def read_lists(request: HttpRequest, query: Query[ListsQuery]) -> dict[str, Any]:
    """List the customer's lists, the default list first."""
    rows = lists_of(customer_of(request), product_id=query.goodsId)
    return envelope({"list": [list_out(row) for row in rows]})


@router.get("/v1/pc/favourites/goodsIds", response=Envelope[FavouriteIdsOut])
def read_default_ids(request: HttpRequest) -> dict[str, Any]:
    """List the products in the default list."""
    return envelope({"goodsIds": default_products(customer_of(request))})


@router.post("/v1/pc/favourites", response=Envelope[ListIdOut])
def make_list(request: HttpRequest, body: ListNameIn) -> dict[str, Any]:
    """Create a list."""
    row = services.make_list(customer=customer_of(request), name=body.name)
    return envelope({"listId": row.pk})


@router.put("/v1/pc/favourites/{list_id}", response=Envelope[int])
def rename_list(request: HttpRequest, list_id: str, body: ListNameIn) -> dict[str, Any]:
    """Rename a list."""
    services.rename_list(customer=customer_of(request), list_id=_list_id(list_id), name=body.name)
    return envelope(1)


@router.delete("/v1/pc/favourites/{list_id}", response=Envelope[int])
def remove_list(request: HttpRequest, list_id: str) -> dict[str, Any]:
    """Delete a list and its contents."""
    services.remove_list(customer=customer_of(request), list_id=_list_id(list_id))
    return envelope(1)


@router.get("/v1/pc/favourites/{list_id}/goods", response=Envelope[Page[FavouriteGoods]])
def read_list(request: HttpRequest, list_id: str, query: Query[PageQuery]) -> dict[str, Any]:
    """List the products in a list, newest first."""
    customer = customer_of(request)
    row = own_list(customer, _list_id(list_id))
    total = row.favourites.count() if row else 0
    first = (query.page - 1) * query.size
    found = []
    if row and first < total:
        found = favourites_page(row, level=customer.level_number, first=first, size=query.size)
    goods = [favourite_out(each) for each in found]
    return envelope({"list": goods, "total": total, "page": query.page, "size": query.size})


@router.post("/v1/pc/favourites/{list_id}/goods", response=Envelope[int])
def add_goods(request: HttpRequest, list_id: str, body: FavouriteIn) -> dict[str, Any]:
    """Add a product to a list."""
    services.add_favourite(customer=customer_of(request), list_id=_list_id(list_id), product_id=body.goodsId)
    return envelope(1)


@router.put("/v1/pc/favourites/{list_id}/goods/{goods_id}", response=Envelope[int])
def move_goods(request: HttpRequest, list_id: str, goods_id: str, body: MoveIn) -> dict[str, Any]:
    """Move a product to another list."""
    services.move_favourite(
        customer=customer_of(request),
        list_id=_list_id(list_id),
        product_id=path_id(goods_id, Err.goods_error),
        to_list_id=body.toListId,
    )
    return envelope(1)


@router.delete("/v1/pc/favourites/{list_id}/goods/{goods_id}", response=Envelope[int])
def remove_goods(request: HttpRequest, list_id: str, goods_id: str) -> dict[str, Any]:
    """Remove a product from a list."""
    services.remove_favourite(
        customer=customer_of(request),
        list_id=_list_id(list_id),
        product_id=path_id(goods_id, Err.goods_error),
    )
    return envelope(1)


@router.post("/v1/pc/favourites/{list_id}/share", response=Envelope[ShareOut])
def share_list(request: HttpRequest, list_id: str, body: ShareIn) -> dict[str, Any]:
    """Create the share link of a list; an earlier link ends."""
    row = services.share_list(customer=customer_of(request), list_id=_list_id(list_id), title=body.title)
    return envelope({"sharePath": share_path(row.share_token or "")})


@router.delete("/v1/pc/favourites/{list_id}/share", response=Envelope[int])
def end_share(request: HttpRequest, list_id: str) -> dict[str, Any]:
    """End the share link of a list."""
    services.end_share(customer=customer_of(request), list_id=_list_id(list_id))
    return envelope(1)


def _list_id(text: str) -> int:
    """Read a list's id from a path; raises ShopError(parameter_error) if it is not an id."""
    return DEFAULT if text == str(DEFAULT) else path_id(text, Err.parameter_error)
