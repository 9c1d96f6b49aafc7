"""Mounts every router under /api, and turns every failure into the envelope (docs/wire.md#envelope)."""

import logging
from collections.abc import Mapping, Sequence
from typing import Any

from django.core.exceptions import RequestDataTooBig, SuspiciousOperation
from django.db import Error
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.datastructures import MultiValueDict
from django.views.decorators.csrf import csrf_exempt
from ninja.errors import HttpError, ValidationError
from ninja.parser import Parser
from ninja.renderers import JSONRenderer

from catalog.browse.api import router as browse_router
from catalog.browse.discovery_api import router as shelves_router
from catalog.browse.promotion_api import router as promotion_router
from commerce.accounts.api import router as accounts_router
from commerce.cart.api import router as cart_router
from commerce.claims.api import router as claims_router
from commerce.delivery.api import router as delivery_router
from commerce.enquiries.api import router as enquiries_router
from commerce.favourites.api import router as favourites_router
from commerce.ledger.api import router as ledger_router
from commerce.orders.api import router as orders_router
from commerce.payments.api import router as payments_router
from commerce.payments.wallet_api import router as wallet_router
from commerce.privacy.api import router as privacy_router
from commerce.refunds.api import router as refunds_router
from commerce.shipments.api import router as shipments_router
from commerce.stock_alerts.api import router as stock_alerts_router
from config.openapi import ShopAPI
from content.api import router as content_router
from core.database_errors import refusal_of
from core.errors import Err, ShopError
from core.pages.public import read_only
from core.typed_text import clean_values
from core.wire import read_json, refusal, refuse_junk

log = logging.getLogger(__name__)


class WireRenderer(JSONRenderer):
    """Writes Chinese unescaped, which takes a third of the bytes."""

    json_dumps_params: Mapping[str, Any] = {"ensure_ascii": False}


class WireParser(Parser):
    """Reads bodies, queries and forms; refuses invalid values and cleans texts before schemas read them."""

    def parse_body(self, request: HttpRequest) -> Any:
        """Read a body; Ninja turns any exception into HttpError."""
        return clean_values(read_json(request.body))

    def parse_querydict(
        self, data: MultiValueDict[str, Any], list_fields: list[str], request: HttpRequest
    ) -> dict[str, Any]:
        """Read a query, a form or its files; raises ShopError(parameter_error) with the invalid fields."""
        values: dict[str, Any] = super().parse_querydict(data, list_fields, request)
        refused = sorted(name for name, value in values.items() if _is_junk({name: value}))
        if refused:
            named = filter(str.isidentifier, refused)
            raise ShopError(Err.parameter_error, fields=dict.fromkeys(named, "parameter_error"))
        cleaned: dict[str, Any] = clean_values(values)
        return cleaned


def _is_junk(value: Any) -> bool:
    try:
        refuse_junk(value)
    except ValueError:
        return True
    return False


api = ShopAPI(
    title="Shop API",
    version="1",
    renderer=WireRenderer(),
    parser=WireParser(),
    urls_namespace="api",
    docs_url="/docs",
    openapi_url="/openapi.json",
    docs_decorator=read_only,
    description="Every answer is {code, msg, result}; see the error catalogue for the codes.",
)
for router in (
    browse_router,
    shelves_router,
    promotion_router,
    content_router,
    accounts_router,
    privacy_router,
    cart_router,
    favourites_router,
    delivery_router,
    ledger_router,
    stock_alerts_router,
    orders_router,
    enquiries_router,
    shipments_router,
    payments_router,
    refunds_router,
    claims_router,
    wallet_router,
):
    api.add_router("", router)


def refuse(request: HttpRequest, error: ShopError) -> HttpResponse:
    """Return a refusal in the envelope."""
    body = refusal(error.err, error.fields, error.why)
    response = api.create_response(request, body, status=error.err.status)
    if error.retry_after is not None:
        response["Retry-After"] = str(error.retry_after)
    return response


@csrf_exempt
def unknown(_request: HttpRequest) -> HttpResponse:
    """Refuse unknown paths of the API, for every method; raises Http404."""
    raise Http404


@api.exception_handler(ShopError)
def on_shop_error(request: HttpRequest, error: Any) -> HttpResponse:
    return refuse(request, error)


@api.exception_handler(ValidationError)
def on_validation_error(request: HttpRequest, error: Any) -> HttpResponse:
    fields = {name for item in error.errors if (name := _field(item["loc"]))}
    return refuse(
        request, ShopError(Err.parameter_error, fields=dict.fromkeys(sorted(fields), "parameter_error"))
    )


def _field(place: Sequence[str | int]) -> str:
    """Return the name of an invalid field; empty if the error belongs to no field.

    `place`: the source, the argument's name if the source is the body, then the path into the value.
    """
    name = next(iter(place[2:] if place[0] == "body" else place[1:2]), "")
    return name if isinstance(name, str) and name.isidentifier() else ""


@api.exception_handler(RequestDataTooBig)
def on_big_body(request: HttpRequest, error: Any) -> HttpResponse:
    return refuse(request, ShopError(Err.body_too_large))


@api.exception_handler(SuspiciousOperation)
def on_bad_form(request: HttpRequest, error: Any) -> HttpResponse:
    return refuse(request, ShopError(Err.parameter_error))


@api.exception_handler(Http404)
def on_missing(request: HttpRequest, error: Any) -> HttpResponse:
    return refuse(request, ShopError(Err.not_found))


@api.exception_handler(HttpError)
def on_bad_body(request: HttpRequest, error: Any) -> HttpResponse:
    return refuse(request, ShopError(Err.parameter_error))


@api.exception_handler(OSError)
@api.exception_handler(Error)
def on_database_or_disk_error(request: HttpRequest, error: Any) -> HttpResponse:
    refused = refusal_of(error)
    if refused is None:
        return on_fault(request, error)
    log.warning("%s: %s", refused, error)
    return refuse(request, refused)


@api.exception_handler(Exception)
def on_fault(request: HttpRequest, error: Any) -> HttpResponse:
    log.exception("unhandled fault", exc_info=error)
    return refuse(request, ShopError(Err.server_error))
