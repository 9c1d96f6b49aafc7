"""Passes the caller's member level to the apps below, which know no customers."""

from collections.abc import Callable
from functools import cache

from django.http import HttpRequest
from django.http.response import HttpResponseBase

from catalog.goods.models import BASE_LEVEL
from commerce.accounts.auth import token_auth
from commerce.accounts.services import customer_of_token

GetResponse = Callable[[HttpRequest], HttpResponseBase]


def member_level(get_response: GetResponse) -> GetResponse:
    """Give each request `member_level()`: the level of its token's customer, if the token is valid.

    See docs/wire.md#headers.

    It is looked up when it is asked for, once.
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
