"""Provides the caller's member level to lower apps, which cannot import customers."""

from collections.abc import Callable
from functools import cache

from django.http import HttpRequest
from django.http.response import HttpResponseBase

from catalog.goods.models import BASE_LEVEL
from commerce.accounts.auth import token_auth
from commerce.accounts.services import customer_of_token

GetResponse = Callable[[HttpRequest], HttpResponseBase]


def member_level(get_response: GetResponse) -> GetResponse:
    """Add `member_level()` to each request: the level of the token's customer, or BASE_LEVEL.

    The first call looks up the level; later calls of the same request return the cached level.
    See docs/wire.md#headers.
    """

    def middleware(request: HttpRequest) -> HttpResponseBase:
        @cache
        def level() -> int:
            token = request.headers.get(token_auth.param_name)
            customer = customer_of_token(token) if token else None
            return customer.level_number if customer else BASE_LEVEL

        request.member_level = level  # type: ignore[attr-defined]
        return get_response(request)

    return middleware
