"""Authenticates API calls, only by the `token` header (docs/wire.md#headers)."""

from typing import Any

from django.http import HttpRequest
from ninja.security import APIKeyHeader

from commerce.accounts.models import Customer
from commerce.accounts.services import customer_of_token
from core.client import asked_language
from core.errors import Err, ShopError


class TokenAuth(APIKeyHeader):
    """Authenticates a customer; a missing token is a 401, an expired token is a 1001."""

    param_name = "token"

    def authenticate(self, request: HttpRequest, key: str | None) -> Any:
        """Return the customer; raises ShopError(login_required, login_invalid)."""
        if not key:
            raise ShopError(Err.login_required)
        customer = customer_of_token(key)
        if customer is None:
            raise ShopError(Err.login_invalid)
        return customer


token_auth = TokenAuth()


def customer_of(request: HttpRequest) -> Customer:
    """Return the customer that `token_auth` authenticated."""
    customer: Customer = request.auth  # type: ignore[attr-defined]
    return customer


def caller(request: HttpRequest) -> Customer | None:
    """Return the customer of a public call's valid token, None for a guest; one query if there is a token."""
    token = request.headers.get(token_auth.param_name)
    return customer_of_token(token) if token else None


def language_for(request: HttpRequest) -> str:
    """Return the language for texts that a customer's call writes: `lang`, otherwise the account's language.

    See docs/product.md#language.
    """
    return asked_language(request) or customer_of(request).message_language
