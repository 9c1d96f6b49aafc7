"""What no honest client sends, everywhere (docs/wire.md#envelope)."""

import asyncio
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from http import HTTPStatus
from itertools import chain
from typing import Any

from config.storm import hostile_requests as hostile
from config.storm.crowd import all_at_once, crowd_at
from config.storm.engines import HOST
from config.storm.figures import Figure
from config.storm.hostile_requests import Request
from config.storm.limits import SETTINGS as WITHOUT_LIMITS
from config.storm.limits import without_limits
from config.storm.raw_http import RawAnswer, exchange
from config.storm.right_requests import ADDRESS, Known
from config.storm.shops import Shop
from core.errors import Err

# No more than the threads that write, so that none waits for another.
AT_ONCE = 6
TRIES = 5
MIN_INPUTS = 2_000
WRONG_PARAMETER = Err.parameter_error.code
VALUES_IN_A_FIELD = 4
# So that orders are made until the end.
SETTINGS = WITHOUT_LIMITS | {
    "MAX_UNPAID_ORDERS": "100000",
    "MAX_UNPAID_ORDERS_A_DAY": "100000",
    "MAX_UNPAID_AMOUNT": "1000000000",
    "MAX_UNPAID_UNITS": "1000000000",
    "WEB_BODY_SECONDS": "5",
}
# What a refused request may write: how often it was tried, what was searched for, that a ticket was spent,
# and what the clock changes meanwhile.
MAY_CHANGE = (
    "rate_limits_ratelimitcounter",
    "search_failedsearch",
    "accounts_captchaproof",
    "accounts_verificationcode",
    "accounts_authtoken",
    "core_lease",
    "django_session",
)


def run(shop: Shop) -> Iterator[Figure]:
    """Put every hostile value everywhere, then see that what was refused has changed nothing."""
    shop.start()
    with without_limits(shop):
        first = _known(shop)
        requests = [
            *_calls(first),
            *hostile.in_pages(first),
            *hostile.notices(first),
            *hostile.back_office_lists(first, VALUES_IN_A_FIELD),
        ]
        answers = asyncio.run(_send(shop, requests))
        yield _figure(shop, "hostile values everywhere", requests, answers)
        # Saves of the same row would only wait for each other.
        forms = asyncio.run(_forms(shop, first))
        saves = asyncio.run(_send(shop, forms, width=1))
        yield _figure(shop, "hostile values in forms of the back office", forms, saves, minimum=500)
        broken = list(hostile.broken_http(first, f"{HOST}:{shop.port}"))
        answered = asyncio.run(_send(shop, broken))
        yield _figure(shop, "what is no request of HTTP", broken, answered, minimum=100)
        yield _nothing_changed(shop, answers)


def _known(shop: Shop) -> Known:
    """Make customers and staff, and say what is right for each field."""
    made = shop.prepare(
        customers=2, products=1, units=1_000_000, dollars=100, codes=3_000, staff=1, tickets=3_000
    )
    buyer, other = made["buyers"]
    [product] = made["products"]
    schema, order_no = asyncio.run(_schema_and_order(shop, buyer, product))
    values = {
        "goodsId": product,
        "goods_id": product,
        "goodsIds": [product],
        "goodsAmount": 1,
        "type": "DirectMailCart",
        "account": "nobody@example.com",
        "email": "nobody@example.com",
        "country": "AU",
        "password": "888888",
        "oldPassword": "888888",
        "code": "000000",
        "purpose": "register",
        "provider": "altcha",
        "payload": "e30=",
        "shippingType": "2",
        "deliveryAddressId": buyer["address"],
        "addressId": buyer["address"],
        "address_id": buyer["address"],
        "order_no": order_no,
        "orderNo": order_no,
        "payType": "0",
        **ADDRESS,
        "actionGoods": [],
        "page": 1,
        "size": 24,
        "status": "unpaid",
        "storage": "ambient",
        "stockType": "1",
        "orderBy": "price",
        "language": "en",
        "format": "json",
        "from": "",
        "to": "",
        "kind": "damaged",
        "wish": "refund",
        "images": [],
    }
    return Known(
        schema,
        values,
        buyer["token"],
        other["token"],
        made["staff"][0],
        iter(buyer["codes"]),
        iter(made["tickets"]),
    )


async def _schema_and_order(shop: Shop, buyer: dict[str, Any], product: int) -> tuple[dict[str, Any], str]:
    async with crowd_at(shop) as crowd:
        schema = (await crowd.call("GET", "/api/openapi.json")).body
        placed = await crowd.order(buyer, [(product, 1)], buyer["codes"].pop())
        return schema, placed.body["result"]["orderNo"]


def _calls(known: Known) -> Iterator[Request]:
    return chain(
        hostile.in_fields(known),
        hostile.in_urls(known),
        hostile.whole_bodies(known),
        hostile.in_headers(known),
        hostile.odd_methods(known),
    )


async def _forms(shop: Shop, known: Known) -> list[Request]:
    """Find a form to add and one to change in each part of the back office."""
    cookie = {"Cookie": f"sessionid={known.session}"}
    found: list[Request] = []
    for name in hostile.BACK_OFFICE:
        listed = await _page(shop, f"/admin/{name}/", cookie)
        for path in hostile.form_paths(f"/admin/{name}/", listed):
            fields = hostile.fields_of_form(await _page(shop, path, cookie))
            found += hostile.in_form(known, path, fields, VALUES_IN_A_FIELD)
    return found


async def _page(shop: Shop, path: str, headers: dict[str, str]) -> str:
    wire = Request(path, "GET", path, headers).wire(f"{HOST}:{shop.port}", 0)
    answer = await exchange(shop.port, wire)
    return answer.body.decode("utf-8", "replace") if answer.status == 200 else ""


async def _send(shop: Shop, requests: Sequence[Request], *, width: int = AT_ONCE) -> list[RawAnswer]:
    host = f"{HOST}:{shop.port}"

    async def one(numbered: tuple[int, Request]) -> RawAnswer:
        number, request = numbered
        answer = RawAnswer(0)
        for _ in range(TRIES):
            answer = await exchange(shop.port, request.wire(host, number))
            if answer.status != HTTPStatus.TOO_MANY_REQUESTS:
                break
            await asyncio.sleep(1)
        return answer

    return await all_at_once(one, list(enumerate(requests)), width=width)


def _figure(
    shop: Shop,
    fault: str,
    requests: Sequence[Request],
    answers: Sequence[RawAnswer],
    *,
    minimum: int = MIN_INPUTS,
) -> Figure:
    pairs = list(zip(requests, answers, strict=True))
    wrong = {
        "faults": [pair for pair in pairs if pair[1].status >= HTTPStatus.INTERNAL_SERVER_ERROR],
        # Whoever sends no HTTP may find the connection closed.
        "lost": [pair for pair in pairs if not pair[1].status and not pair[0].raw],
        "never let in": [pair for pair in pairs if pair[1].status == HTTPStatus.TOO_MANY_REQUESTS],
        "outside the envelope": [
            pair for pair in pairs if pair[0].is_call and pair[1].status and not is_envelope(pair[1])
        ],
    }
    said = [f"{kind}: {_said(*pair)}" for kind, found in wrong.items() for pair in found]
    (shop.folder / f"{fault.replace(' ', '-')}.txt").write_text("\n".join(said), "utf-8")
    statuses = dict(sorted(Counter(answer.status for answer in answers).items()))
    return Figure(
        fault,
        f"{len(requests)} inputs",
        ", ".join(f"{len(found)} {kind}" for kind, found in wrong.items())
        + f"; statuses {statuses}"
        + "".join(f"; {each}" for each in said[:3]),
        f"≥ {minimum} inputs, {', '.join(f'0 {kind}' for kind in wrong)}",
        not said and len(requests) >= minimum,
    )


def _said(request: Request, answer: RawAnswer) -> str:
    return f"{request.why[:200]} → {answer.status} {answer.body[:200]!r}"


def is_envelope(answer: RawAnswer) -> bool:
    """Tell whether an answer is JSON of code, msg and result, and a refusal has no result but a reason."""
    try:
        body = json.loads(answer.body)
    except ValueError:
        return False
    if not isinstance(body, dict) or not {"code", "msg", "result"} <= body.keys():
        return False
    return body["code"] == 0 or (body["result"] is None and bool(body.get("reason")) and bool(body["msg"]))


def _nothing_changed(shop: Shop, answers: Sequence[RawAnswer]) -> Figure:
    """Send what was refused for its values once more, for other customers, and compare all tables."""
    # The inputs are the same for them but for what is theirs.
    again = zip(_calls(_known(shop)), answers, strict=False)
    refused = [request for request, answer in again if _names_what_is_wrong(answer)]
    before = _rows(shop)
    outcomes = asyncio.run(_send(shop, refused))
    after = _rows(shop)
    taken = [
        _said(request, answer)
        for request, answer in zip(refused, outcomes, strict=True)
        if answer.status == 200 and json.loads(answer.body)["code"] == 0
    ]
    changed = sorted(table for table in before if before[table] != after[table])
    return Figure(
        "what was refused for its values, once more",
        f"{len(refused)} inputs, {AT_ONCE} at a time",
        f"changed tables {changed}, {len(taken)} accepted this time"
        + "".join(f"; {said}" for said in taken[:5]),
        "no table changed, 0 accepted",
        not changed and not taken and len(refused) >= MIN_INPUTS,
    )


def _names_what_is_wrong(answer: RawAnswer) -> bool:
    """Tell whether a request was refused for a value in it, so that it will be refused again."""
    if not is_envelope(answer):
        return False
    body = json.loads(answer.body)
    is_wrong: bool = body["code"] == WRONG_PARAMETER
    return is_wrong and ("fields" in body or body["reason"] != Err.parameter_error.name)


def _rows(shop: Shop) -> dict[str, str]:
    digests: dict[str, str] = json.loads(shop.run("-m", "config.storm.rows", json.dumps(MAY_CHANGE)))
    return digests
