"""A thousand concurrent messages about orders (docs/guarantees/delivery.md#messages-about-orders)."""

import asyncio
import time
from collections.abc import Iterator
from uuid import uuid4

from tools.chaos.crowd import API, Crowd, buy_unit, crowd_at
from tools.chaos.figures import Figure, ScenarioError
from tools.chaos.mail_server import MailServer, mail_server_at_work
from tools.chaos.shops import Shop

MESSAGES, CODES = 1000, 10
MAX_SECONDS, MAX_CODE_SECONDS = 60, 5
# A thousand messages take such a server longer than a customer waits for a code.
SLOW_SECONDS = 0.2
# The clock writes messages each minute, and what it began takes its time.
MAX_WAIT_SECONDS = 240
# Each copy of a paid order has two moves: it was placed, and paid.
_SET_DUE = (
    "import django; django.setup(); from commerce.orders.models import OrderStatusChange; "
    "OrderStatusChange.objects.filter(order__order_no__startswith='{}').update(message_due={})"
)


def run(shop: Shop) -> Iterator[Figure]:
    """Make a thousand status changes due for messages; again with a slow server and codes in between."""
    with mail_server_at_work() as mail:
        shop.choose(EMAIL_URL=mail.url)
        shop.start()
        _buyer, order_no = buy_unit(shop)
        shop.stop()
        shop.copy_order(order_no, MESSAGES // 2)
        # No message about them, or about the first one, may be sent before they are counted.
        shop.run("-c", _SET_DUE.format("", False))
        shop.start()
        yield _notify_many(shop, mail)
        yield asyncio.run(_ask_for_codes(shop, mail, shop.prepare(tickets=CODES)["tickets"]))


def _notify_many(shop: Shop, mail: MailServer) -> Figure:
    _make_due(shop, mail)
    mail.wait_for(MESSAGES, MAX_WAIT_SECONDS)
    times = [taken for _to, taken in mail.taken]
    seconds = max(times) - min(times)
    return Figure(
        "many concurrent messages about orders",
        f"{MESSAGES} status changes, a local mail server",
        f"{len(times)} messages within {seconds:.1f} s",
        f"{MESSAGES} within {MAX_SECONDS} s",
        len(times) == MESSAGES and seconds <= MAX_SECONDS,
    )


async def _ask_for_codes(shop: Shop, mail: MailServer, tickets: list[str]) -> Figure:
    mail.pause = SLOW_SECONDS
    _make_due(shop, mail)
    # Those that are being sent now were written together with many others.
    mail.wait_for(10, MAX_WAIT_SECONDS)
    async with crowd_at(shop) as crowd:
        asked = {await _ask_for_code(crowd, ticket): time.monotonic() for ticket in tickets}
    until = time.monotonic() + MAX_WAIT_SECONDS
    while not asked.keys() <= {to for to, _ in mail.taken} and time.monotonic() < until:
        await asyncio.sleep(0.1)
    waits = [taken - asked[to] for to, taken in mail.taken if to in asked]
    left = MESSAGES + len(waits) - len(mail.taken)
    mail.pause = 0
    mail.wait_for(MESSAGES + len(waits), MAX_WAIT_SECONDS)
    slowest = max(waits, default=MAX_WAIT_SECONDS)
    return Figure(
        "codes during many messages about orders",
        f"{CODES} codes, {MESSAGES} status changes, {SLOW_SECONDS} s of the mail server for each message",
        f"{len(waits)} codes within {slowest:.1f} s, before {left} others",
        f"{CODES} within {MAX_CODE_SECONDS} s",
        len(waits) == CODES and slowest <= MAX_CODE_SECONDS,
    )


def _make_due(shop: Shop, mail: MailServer) -> None:
    mail.taken.clear()
    shop.run("-c", _SET_DUE.format("C", True))
    if not mail.wait_for(1, MAX_WAIT_SECONDS):
        raise ScenarioError("no message has left")


async def _ask_for_code(crowd: Crowd, ticket: str) -> str:
    """Ask for a code for a new account; returns the account."""
    account = f"{uuid4().hex}@example.com"
    body = {"account": account, "purpose": "register", "ticket": ticket}
    answer = await crowd.call("POST", f"{API}/common/sendCode", json=body)
    if answer.outcome != "ok":
        raise ScenarioError(f"the code is refused: {answer.outcome}")
    return account
