"""More payments than a wallet covers (docs/guarantees/money.md#wallet-and-points)."""

import asyncio
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from tools.chaos.crowd import API, Crowd, crowd_at, insist, order_unit, run_concurrently
from tools.chaos.figures import Figure
from tools.chaos.shops import Shop

DOLLARS, PAYMENTS = 100, 200
CUSTOMERS, ORDERS_EACH, DOLLARS_EACH, TOP_UPS_EACH = 8, 25, 60, 20
PAID, CANCELED = 2, 10
# One customer has many orders to pay.
SETTINGS = {"MAX_UNPAID_ORDERS": "1000", "MAX_UNPAID_ORDERS_A_DAY": "1000"}

Buyer = dict[str, Any]


@dataclass
class Order:
    """An order that is to be paid, and what became of the calls about it."""

    buyer: Buyer
    number: str
    price: Decimal
    paid: str = ""
    canceled: str = ""


def run(shop: Shop) -> Iterator[Figure]:
    """Pay 200 orders from a wallet of $100; then pay, cancel, top up and refund eight wallets
    concurrently."""
    shop.start()
    made = shop.prepare(customers=1, products=1, units=PAYMENTS, dollars=DOLLARS, codes=PAYMENTS)
    yield asyncio.run(_overdraw(shop, made))
    made = shop.prepare(
        customers=CUSTOMERS,
        products=1,
        units=CUSTOMERS * ORDERS_EACH,
        dollars=DOLLARS_EACH,
        codes=ORDERS_EACH,
    )
    yield asyncio.run(_mix(shop, made))


async def _overdraw(shop: Shop, made: dict[str, Any]) -> Figure:
    [buyer], [product] = made["buyers"], made["products"]
    async with crowd_at(shop) as crowd, crowd_at(shop) as others:
        orders = await run_concurrently(lambda one: _order(others, one, product), [buyer] * PAYMENTS)
        await run_concurrently(lambda order: _pay(crowd, order), orders)
        balance = await _balance(others, buyer)
    outcomes = Counter(order.paid for order in orders)
    [price] = {order.price for order in orders}
    covered = int(DOLLARS / price)
    left = DOLLARS - covered * price
    p99 = crowd.slowest(0.99)
    return Figure(
        "a wallet that pays for few",
        f"{PAYMENTS} orders of {price} from {DOLLARS} dollars, 32 at a time, {len(crowd.answers)} calls",
        f"{dict(outcomes)}, {balance} left, {crowd.faults()} faults, p99 {p99:.2f} s",
        f"{covered} ok, {left} left, 0 faults",
        outcomes == Counter(ok=covered, balance_insufficient=PAYMENTS - covered)
        and balance == left
        and not crowd.faults(),
    )


async def _mix(shop: Shop, made: dict[str, Any]) -> Figure:
    [product] = made["products"]
    async with crowd_at(shop) as crowd, crowd_at(shop) as others:
        orders = await run_concurrently(
            lambda buyer: _order(others, buyer, product), made["buyers"] * ORDERS_EACH
        )
        wanted = {"customers": [buyer["id"] for buyer in made["buyers"]], "times": TOP_UPS_EACH}
        topping_up = asyncio.to_thread(shop.do, "move_money", json.dumps(wanted))
        entries, *_ = await asyncio.gather(
            topping_up, run_concurrently(lambda order: _settle(crowd, order), orders)
        )
        # What was topped up after a refusal pays now.
        refused = [order for order in orders if order.paid == "balance_insufficient"]
        await run_concurrently(lambda order: _pay(crowd, order), refused)
        wrong = [
            text
            for buyer in made["buyers"]
            if (text := await _disagreement(others, buyer, [one for one in orders if one.buyer is buyer]))
        ]
    paid = Counter(order.paid for order in orders)
    is_complete = int(entries) == 2 * TOP_UPS_EACH * CUSTOMERS
    return Figure(
        "payments, cancellations, top-ups and refunds concurrently",
        f"{len(orders)} orders of {CUSTOMERS} wallets, 32 at a time, during {entries} entries of others",
        f"{len(wrong)} wallets wrong {wrong[:1] or ''}, {crowd.faults()} faults; payments {dict(paid)}, "
        f"cancellations {dict(Counter(order.canceled for order in orders))}",
        "0 wallets wrong, 0 faults",
        not wrong
        and not crowd.faults()
        and is_complete
        and set(paid) <= {"ok", "order_cancelled", "balance_insufficient"},
    )


async def _disagreement(crowd: Crowd, buyer: Buyer, orders: Sequence[Order]) -> str:
    """Return what is wrong with a wallet and its orders; empty if all agree."""
    balance = await _balance(crowd, buyer)
    spent = Decimal(0)
    for order in orders:
        status = (await crowd.order_detail(buyer, order.number))["orderStatus"]
        spent += order.price if status == PAID else 0
        if (status == PAID, status == CANCELED) != (order.paid == "ok", order.canceled == "ok"):
            return f"{order} has status {status}"
    put_in = DOLLARS_EACH + 2 * TOP_UPS_EACH
    if balance + spent != put_in:
        return f"{balance} left and {spent} spent of {put_in}"
    could_pay = any(order.paid == "balance_insufficient" and order.price <= balance for order in orders)
    return f"{balance} left, and an order was refused" if could_pay else ""


async def _settle(crowd: Crowd, order: Order) -> None:
    """Pay an order; each third one is canceled at the same moment."""
    if int(order.number[-1], 36) % 3:
        await _pay(crowd, order)
    else:
        await asyncio.gather(_pay(crowd, order), _cancel(crowd, order))


async def _pay(crowd: Crowd, order: Order) -> None:
    # The limit of guesses lets five concurrent calls compare one customer's pay password; the others retry.
    answer = await insist(lambda: crowd.pay(order.buyer, order.number))
    order.paid = answer.outcome


async def _cancel(crowd: Crowd, order: Order) -> None:
    order.canceled = (await insist(lambda: crowd.cancel(order.buyer, order.number))).outcome


async def _order(crowd: Crowd, buyer: Buyer, product: int) -> Order:
    order = await order_unit(crowd, buyer, product)
    return Order(buyer, order["orderNo"], Decimal(str(order["payAmount"])))


async def _balance(crowd: Crowd, buyer: Buyer) -> Decimal:
    answer = await crowd.call("GET", f"{API}/user/userInfo", token=buyer["token"])
    return Decimal(str(answer.body["result"]["balance"]))
