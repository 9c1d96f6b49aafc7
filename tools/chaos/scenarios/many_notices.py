"""A thousand notices of a payment provider, genuine and not (docs/guarantees/money.md#notices)."""

import asyncio
import hashlib
import hmac
import json
import random
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from functools import partial
from typing import Any

from tools.chaos.crowd import API, Answer, Crowd, crowd_at, insist, run_concurrently
from tools.chaos.figures import Figure
from tools.chaos.shops import Shop

NOTICES, COPIES, FORGED_SHARE = 1000, 5, 0.2
# Orders of each kind; those paid twice have two payments. Together they have the genuine notices.
KINDS = {"right": 64, "twice": 16, "early": 16, "canceled": 16, "amount": 16, "currency": 8, "other": 8}
PATH = "/pay/notice/sandbox"
UNPAID, PAID = 1, 2
# Seconds of a notice's age beyond which it is not believed.
TOO_OLD = 400
TWO_PAYMENTS = {"twice": ("5", "2")}
# What becomes of money that was collected, by the kind of its order.
REFUNDS = {"twice": ["paid_twice"], "amount": ["wrong_amount"], "currency": ["wrong_currency"]}
NOT_PAID = {"amount", "currency", "other"}


@dataclass
class Order:
    """An order of one kind, with the references of its payments."""

    kind: str
    buyer: dict[str, Any]
    number: str
    price: str
    references: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Notice:
    """What is sent: a body and the headers that should prove it."""

    body: bytes
    headers: dict[str, str]
    is_forged: bool


def run(shop: Shop) -> Iterator[Figure]:
    """Send 1,000 notices: five copies of each, shuffled, a fifth forged, about all kinds of orders."""
    shop.start()
    made = shop.prepare(customers=sum(KINDS.values()), codes=1, products=1, units=1000)
    yield from asyncio.run(_send_all(shop, made))


async def _send_all(shop: Shop, made: dict[str, Any]) -> list[Figure]:
    choose = random.Random(1)  # noqa: S311  the same notices each time
    kinds = [kind for kind, number in KINDS.items() for _ in range(number)]
    async with crowd_at(shop) as crowd:
        orders = [
            await _order(crowd, kind, buyer, made["products"][0])
            for kind, buyer in zip(kinds, made["buyers"], strict=True)
        ]
        early = await run_concurrently(lambda order: _begin_to_pay(crowd, order, shop), orders)
        for order in orders:
            if order.kind == "canceled":
                path = f"{API}/order/cancel/{order.number}"
                await insist(partial(crowd.call, "PUT", path, token=order.buyer["token"]))
        shop.run("-m", "tools.chaos.gateway", json.dumps(_collected(orders)))
        notices = _genuine(orders, shop) * COPIES
        notices += [_forged(choose, choose.choice(notices), shop) for _ in range(int(NOTICES * FORGED_SHARE))]
        choose.shuffle(notices)
        crowd.answers.clear()
        answers = await run_concurrently(lambda notice: _deliver(crowd, notice), notices)
        p99 = crowd.slowest(0.99)
        sent = Counter(answer.status for answer in crowd.answers)
        wrong = [text for order in orders if (text := await _disagreement(crowd, order))]
    accepted = Counter(
        answer.status for notice, answer in zip(notices, answers, strict=True) if notice.is_forged
    )
    believed = Counter(
        answer.status for notice, answer in zip(notices, answers, strict=True) if not notice.is_forged
    )
    forged = accepted.total()
    faults = sum(number for status, number in sent.items() if status >= 500 and status != 503) + sent[0]
    paid = sum(order.kind not in NOT_PAID for order in orders)
    return [
        Figure(
            "forged notices",
            f"{forged} of {len(notices)}, {sum(early)} genuine ones before their payment is stored",
            f"{accepted[200]} accepted, answers {dict(accepted)}",
            f"0 accepted, all {forged} answered 400",
            accepted == {400: forged},
        ),
        Figure(
            "notices repeated, reordered, of wrong amounts, currencies and orders",
            f"{len(notices) - forged} about {len(orders)} orders, each {COPIES} times, 32 at a time",
            f"{len(wrong)} orders wrong {wrong[:1] or ''}, {faults} faults, answers {dict(believed)}, "
            f"{sent[503]} to send again, p99 {p99:.2f} s",
            f"0 orders wrong: {paid} paid once, {_refunds()} refunds due; 0 faults, all taken",
            not wrong and not faults and believed == {200: len(notices) - forged},
        ),
    ]


def _refunds() -> int:
    return sum(len(reasons) * KINDS[kind] for kind, reasons in REFUNDS.items())


async def _order(crowd: Crowd, kind: str, buyer: dict[str, Any], product: int) -> Order:
    [code] = buyer["codes"]
    placed = (await insist(lambda: crowd.order(buyer, [(product, 1)], code))).body["result"]
    return Order(kind, buyer, placed["orderNo"], str(placed["payAmount"]))


async def _begin_to_pay(crowd: Crowd, order: Order, shop: Shop) -> bool:
    """Begin each payment of an order; an early notice comes while its payment is being written."""
    for number, pay_type in enumerate(TWO_PAYMENTS.get(order.kind, ("5",)), start=1):
        reference = f"{order.number}-{number}"
        order.references.append(reference)
        begun = insist(partial(crowd.pay, order.buyer, order.number, pay_type))
        if order.kind != "early":
            await begun
            continue
        early = await asyncio.gather(_deliver(crowd, _notice(order, reference, shop, event="early")), begun)
        assert early[0].status in {200, 400}
        return True
    return False


def _collected(orders: Sequence[Order]) -> dict[str, dict[str, str]]:
    """Return what the gateway has collected for each payment; nothing for those that claim others' money."""
    collected: dict[str, dict[str, str]] = {}
    for order in orders:
        what = {"amount": str(Decimal(order.price))}
        if order.kind == "amount":
            what = {"amount": str(Decimal(order.price) - Decimal("0.01"))}
        elif order.kind == "currency":
            what = {"amount": "66.00", "currency": "CNY"}
        if order.kind != "other":
            collected |= dict.fromkeys(order.references, what)
    return collected


def _genuine(orders: Sequence[Order], shop: Shop) -> list[Notice]:
    """Make a notice of each payment; of an unpaid order it claims that another order's money is its own."""
    right = [order for order in orders if order.kind == "right"]
    others = iter(right)
    return [
        _notice(next(others) if order.kind == "other" else order, reference, shop)
        for order in orders
        for reference in order.references
    ]


def _notice(claimed: Order, reference: str, shop: Shop, *, event: str = "paid") -> Notice:
    body = json.dumps(
        {
            "reference": reference,
            "state": "paid",
            "order": claimed.number,
            "amount": claimed.price,
            "currency": "AUD",
        }
    ).encode()
    return Notice(body, _signed(body, f"{reference}-{event}", shop), is_forged=False)


def _signed(body: bytes, event_id: str, shop: Shop, *, age: int = 0) -> dict[str, str]:
    """Sign as the gateway does: over time, event and the body as sent."""
    timestamp = str(int(time.time()) - age)
    secret = shop.environment["SANDBOX_SECRET"].encode()
    signature = hmac.new(secret, f"{timestamp}.{event_id}.".encode() + body, hashlib.sha256).hexdigest()
    return {
        "Content-Type": "application/json",
        "X-Sandbox-Timestamp": timestamp,
        "X-Sandbox-Event": event_id,
        "X-Sandbox-Signature": signature,
    }


def _forged(choose: random.Random, genuine: Notice, shop: Shop) -> Notice:
    """Make of a genuine notice one that must not be believed, in one of five ways."""
    body, headers = genuine.body, dict(genuine.headers)
    way = choose.randrange(5)
    if way == 0:
        headers["X-Sandbox-Signature"] = "0" * 64
    elif way == 1:
        body = body.replace(b'"AUD"', b'"USD"')
    elif way == 2:
        headers["X-Sandbox-Event"] += "-again"
    elif way == 3:
        headers = _signed(body, headers["X-Sandbox-Event"], shop, age=TOO_OLD)
    else:
        headers.pop("X-Sandbox-Signature")
    return Notice(body, headers, is_forged=True)


async def _deliver(crowd: Crowd, notice: Notice) -> Answer:
    """Send a notice until it is taken or refused, as a provider does."""
    while True:
        answer = await crowd.call("POST", PATH, content=notice.body, headers=notice.headers)
        if answer.status not in {429, 503}:
            return answer
        await asyncio.sleep(0.2)


async def _disagreement(crowd: Crowd, order: Order) -> str:
    """Return what is wrong with an order; empty if it is as the collected money makes it."""
    detail = await crowd.order_detail(order.buyer, order.number)
    wanted = UNPAID if order.kind in NOT_PAID else PAID
    moves = sum(change["orderStatus"] == PAID for change in detail["history"])
    refunds = [refund["reason"] for refund in detail["refunds"]]
    if (detail["orderStatus"], moves, refunds) == (wanted, int(wanted == PAID), REFUNDS.get(order.kind, [])):
        return ""
    return f"{order.kind} {order.number}: status {detail['orderStatus']}, paid {moves} times, {refunds}"
