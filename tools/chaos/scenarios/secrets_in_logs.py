"""A customer's secrets in the logs of web server and consumers (docs/guarantees/customers.md#secrets)."""

import asyncio
import json
import re
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Any

import altcha
import psycopg

from tools.chaos.crowd import API, Answer, Crowd, crowd_at
from tools.chaos.engines import Postgres
from tools.chaos.figures import Figure, ScenarioError
from tools.chaos.shops import Shop

# A captcha is solved immediately.
SETTINGS = {"CAPTCHA_COST": "1"}
PHONE, NAME, STREET = "+61491570156", "Wilhelmina Featherstonehaugh", "77 Numbulwar Crescent"
# The example of the standard for them, of no person; its digits without the last, which is a letter.
ID_CARD = "11010519491231002X"
PASSWORD, WRONG_PASSWORD, PAY_PASSWORD = "correct-horse-battery", "wrong-horse-battery", "739154"
# Where every new row is refused for a while, so that the database quotes it in its error.
TABLES = (
    "accounts_captchaproof",
    "accounts_verificationcode",
    "messaging_message",
    "accounts_customer",
    "accounts_authtoken",
    "accounts_address",
    "cart_cartitem",
    "orders_trade",
    "orders_order",
    "orders_orderline",
    "orders_recipientidcard",
    "payments_payment",
    "ledger_ledgerentry",
)
CODE_SECONDS = 30


def run(shop: Shop) -> Iterator[Figure]:
    """Register, log in, order and pay, each step first with a database that refuses, and read the logs."""
    shop.start()
    [product] = shop.prepare(products=1, units=100)["products"]
    customer = Customer(shop, product)
    asyncio.run(customer.live())
    secrets = {
        "tokens": customer.tokens,
        "passwords": [PASSWORD, WRONG_PASSWORD, PAY_PASSWORD],
        "codes": customer.codes,
        "ID card": [ID_CARD.removesuffix("X")],
        "telephone number": [PHONE.removeprefix("+61")],
        "name and street": [NAME, STREET],
    }
    lines = [_without_times(line) for line in shop.log.read_text("utf-8", "replace").splitlines()]
    found = {
        kind: sum(
            bool(re.search(rf"(?<!\d){re.escape(text)}(?!\d)", line)) for text in texts for line in lines
        )
        for kind, texts in secrets.items()
    }
    faults = sum('"unhandled fault"' in line for line in lines)
    yield Figure(
        "a database that refuses rows and quotes them",
        f"{customer.calls} calls of a customer, {faults} faults in {len(lines)} lines of the log",
        ", ".join(f"{kind}: {times}" for kind, times in found.items()),
        "faults, and 0 of each",
        not any(found.values()) and faults >= len(TABLES) // 2 and all(secrets.values()),
    )


class Customer:
    """A customer who does everything once while it fails, and once while it works."""

    def __init__(self, shop: Shop, product: int) -> None:
        self._shop = shop
        self._product = product
        self.tokens: list[str] = []
        self.codes: list[str] = []
        self.calls = 0

    async def live(self) -> None:
        """Register, log in, keep an address, order and pay."""
        async with crowd_at(self._shop) as crowd:
            code = await self._code(crowd, "register")
            await self._both(
                crowd, "POST", "register", {"account": PHONE, "password": PASSWORD, "code": code}
            )
            for tried in (WRONG_PASSWORD, PASSWORD):
                await self._both(crowd, "POST", "login", {"account": PHONE, "password": tried})
            code = await self._code(crowd, "pay")
            pay_password = {"code": code, "password": PAY_PASSWORD}
            await self._both(crowd, "PUT", "setting/pay/password", pay_password)
            address = await self._both(crowd, "POST", "setting/deliveryAddress", ADDRESS)
            abroad = await self._both(crowd, "POST", "setting/deliveryAddress", ADDRESS_ABROAD)
            line = {"goodsId": self._product, "goodsAmount": 1}
            await self._both(crowd, "POST", "shoppingCart", line)
            trade = await self._both(crowd, "POST", "toTrade", {})
            order = {
                "transactionCode": trade.body["result"]["transactionCode"],
                "orderGoods": [line],
                "shippingType": "2",
                "deliveryAddressId": address.body["result"]["addressId"],
                "remark": f"Call {PHONE}",
            }
            placed = await self._both(crowd, "POST", "order", order)
            number = placed.body["result"]["orderNo"]
            trade = await self._call(crowd, "POST", "toTrade", {})
            to_china = order | {
                "transactionCode": trade.body["result"]["transactionCode"],
                "shippingType": "1",
                "deliveryAddressId": abroad.body["result"]["addressId"],
                "idCard": ID_CARD,
            }
            sent = await self._both(crowd, "POST", "order", to_china)
            if sent.body["code"]:
                raise ScenarioError(f"the order to China is refused: {sent.body['reason']}")
            attempts: tuple[tuple[str, str | None], ...] = (("0", "000000"), ("0", PAY_PASSWORD), ("5", None))
            for pay_type, password in attempts:
                pay = {"orderNo": number, "payType": pay_type, "password": password}
                await self._both(crowd, "POST", "order/pay", pay)
            await self._both(crowd, "GET", f"pay/result/{number}", None)
            self.calls = len(crowd.answers)

    async def _both(self, crowd: Crowd, method: str, path: str, body: Any) -> Answer:
        """Call while every new row is refused, then again; returns the second answer."""
        with _refusing_rows(self._shop):
            await self._call(crowd, method, path, body)
        return await self._call(crowd, method, path, body)

    async def _call(self, crowd: Crowd, method: str, path: str, body: Any) -> Answer:
        token = self.tokens[-1] if self.tokens else ""
        answer = await crowd.call(method, f"{API}/{path}", token=token, json=body)
        result = answer.body.get("result")
        if isinstance(result, dict) and "token" in result:
            self.tokens.append(result["token"])
        return answer

    async def _code(self, crowd: Crowd, purpose: str) -> str:
        """Have a code sent by SMS and read it, after an attempt that fails."""
        for is_working in (False, True):
            ticket = await self._ticket(crowd)
            body = {"account": PHONE, "purpose": purpose, "ticket": ticket}
            if is_working:
                self._forget_limits()
                await self._call(crowd, "POST", "common/sendCode", body)
            else:
                with _refusing_rows(self._shop):
                    await self._call(crowd, "POST", "common/sendCode", body)
        self.codes.append(self._newest_code())
        return self.codes[-1]

    async def _ticket(self, crowd: Crowd) -> str:
        given = await self._call(crowd, "GET", "common/captcha", None)
        challenge = altcha.Challenge.from_dict(given.body["result"]["challenge"])
        solution = altcha.solve_challenge(challenge)
        if solution is None:
            raise ScenarioError("the captcha cannot be solved")
        body = {"provider": "altcha", "payload": altcha.Payload(challenge, solution).to_base64()}
        answer = await self._both(crowd, "POST", "common/scc", body)
        return str(answer.body["result"]["ticket"])

    def _newest_code(self) -> str:
        until = time.monotonic() + CODE_SECONDS
        while time.monotonic() < until:
            sent = [json.loads(file.read_text("utf-8")) for file in sorted(self._outbox())]
            codes = [message["code"] for message in sent if message["code"]]
            if len(codes) > len(self.codes):
                return str(codes[-1])
            time.sleep(0.2)
        raise ScenarioError("no code was sent")

    def _outbox(self) -> list[Any]:
        return list((self._shop.folder / "outbox").glob("*.json"))

    def _forget_limits(self) -> None:
        _execute(self._shop, "DELETE FROM rate_limits_ratelimitcounter")


ADDRESS = {
    "contacts": NAME,
    "contactPhone": PHONE,
    "countryName": "Australia",
    "provinceName": "WA",
    "areaName": "Perth",
    "addressDetail": STREET,
    "zipCode": "6000",
}
ADDRESS_ABROAD = ADDRESS | {
    "countryName": "China",
    "provinceName": "上海市",
    "areaName": "浦东新区",
    "zipCode": "200120",
}


@contextmanager
def _refusing_rows(shop: Shop) -> Iterator[None]:
    """Have the database refuse every new row of TABLES while the block runs."""
    is_postgres = isinstance(shop.engine, Postgres)
    for table in TABLES:
        if is_postgres:
            _execute(shop, f"ALTER TABLE {table} ADD CONSTRAINT scenario CHECK (false) NOT VALID")
        else:
            _execute(
                shop,
                f"CREATE TRIGGER fault_{table} BEFORE INSERT ON {table} "
                "BEGIN SELECT RAISE(ABORT, 'refused by the scenario'); END",
            )
    try:
        yield
    finally:
        for table in TABLES:
            drop = (
                f"ALTER TABLE {table} DROP CONSTRAINT scenario"
                if is_postgres
                else f"DROP TRIGGER fault_{table}"
            )
            _execute(shop, drop)


def _execute(shop: Shop, sql: str) -> None:
    if isinstance(shop.engine, Postgres):
        with psycopg.connect(shop.engine.url(shop.folder), autocommit=True) as postgres:
            postgres.execute(sql)
        return
    with closing(sqlite3.connect(shop.folder / "shop.sqlite3", isolation_level=None, timeout=20)) as sqlite:
        sqlite.execute(sql)


def _is_in(text: str, line: str) -> bool:
    # A code may occur by chance within a longer number.
    return re.search(rf"(?<!\d){re.escape(text)}(?!\d)", line) is not None


def _without_times(line: str) -> str:
    """Return a line of the log without the digits of its time and id, which may look like a code."""
    return re.sub(r'"(timestamp|request_id|ms)": ("[^"]*"|[\d.]+)', "", line)
