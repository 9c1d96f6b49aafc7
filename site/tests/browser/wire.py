"""The shop's API, by which tests check what pages show."""

import json
import urllib.request
from decimal import Decimal
from typing import Any

from playwright.sync_api import StorageState

from tests.browser import secrets_used

DEMO, DEMO2, PASSWORD = "demo@example.com", "demo2@example.com", "888888"
Goods = dict[str, Any]


class Wire:
    """Calls of one customer, or of a guest while `token` is empty."""

    def __init__(self, shop_url: str) -> None:
        self._origin = shop_url
        self._base = f"{shop_url}/api/v1/pc"
        self._session: dict[str, Any] = {}
        self.token = ""

    def send(self, method: str, path: str, body: object = None) -> dict[str, Any]:
        """Call the API and return the envelope, amounts as Decimal."""
        secrets_used.note([body, {"token": self.token}])
        headers = {"Content-Type": "application/json"} | ({"token": self.token} if self.token else {})
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self._base + path, data, headers, method=method)  # noqa: S310
        with urllib.request.urlopen(request, timeout=30) as answer:  # noqa: S310 - the shop's own address
            envelope: dict[str, Any] = json.loads(answer.read(), parse_float=Decimal)
        return envelope

    def call(self, method: str, path: str, body: object = None) -> Any:
        """Call the API and return what it answers; every refusal fails."""
        envelope = self.send(method, path, body)
        assert envelope["code"] == 0, envelope
        return envelope["result"]

    # ── What a customer has ─────────────────────────────────────────────────────────────────────────────

    def log_in(self, account: str, password: str = PASSWORD) -> "Wire":
        """Log in as a customer."""
        self._session = self.call("POST", "/login", {"account": account, "password": password})
        self.token = self._session["token"]
        secrets_used.note(self._session)
        return self

    def storage_state(self) -> StorageState:
        """Return the storage of a browser in which this customer has logged in."""
        stored: list[Any] = [
            {"name": name, "value": str(self._session[name])}
            for name in ("nickname", "level", "account", "token")
        ]
        return {"cookies": [], "origins": [{"origin": self._origin, "localStorage": stored}]}

    def cart(self) -> dict[int, int]:
        """Return the amounts in the cart by product."""
        lines = self.call("GET", "/shoppingCart")["list"]
        return {line["goodsId"]: line["goodsAmount"] for line in lines}

    def empty_cart(self) -> "Wire":
        """Empty both carts."""
        for kind in ("DirectMailCart", "BulkCart"):
            for line in self.call("GET", f"/shoppingCart?type={kind}")["list"]:
                self.call("DELETE", f"/shoppingCart/{line['goodsId']}?type={kind}")
        return self

    def balance(self) -> Decimal:
        """Return the wallet's balance, in AUD."""
        return Decimal(self.call("GET", "/user/userInfo")["balance"])

    def order_numbers(self) -> list[str]:
        """Return the newest orders, at most 100, newest first."""
        return [row["orderNo"] for row in self.call("POST", "/orderInfo", {"size": 100})["list"]]

    def order(self, order_no: str) -> dict[str, Any]:
        """Return an order in full."""
        detail: dict[str, Any] = self.call("GET", f"/order/detailed/{order_no}")
        return detail

    def place_order(self, product: Goods, amount: int = 1) -> str:
        """Place an order of some units for the first address; returns its number."""
        [address, *_] = self.call("POST", "/setting/deliveryAddressNew", {})["list"]
        body = {
            "transactionCode": self.call("POST", "/toTrade")["transactionCode"],
            "orderGoods": [{"goodsId": product["goodsId"], "goodsAmount": amount}],
            "actionGoods": [],
            "shippingType": 2,
            "deliveryAddressId": address["addressId"],
        }
        order_no: str = self.call("POST", "/order", body)["orderNo"]
        return order_no

    # ── What the shop has ───────────────────────────────────────────────────────────────────────────────

    def plentiful(self, count: int, units: int = 20) -> list[Goods]:
        """Return products of the list's first page that anyone can buy now, sent or from the first shop.

        None of them comes by van, whose window would have to be chosen.
        """
        found = []
        for product in self.call("POST", "/goods/list", {"stockType": "1"})["list"]:
            ordinary = (
                product["limitAmount"] == 0 and product["minAmount"] == 1 and not product["actionTypeId"]
            )
            variants = self.call("GET", f"/spec/{product['goodsId']}")["specs"]
            if (
                ordinary
                and product["storage"] == "ambient"
                and not variants
                and product["goodsStockAmount"] >= units
                and self._in_first_shop(product)
            ):
                found.append(product)
            if len(found) == count:
                return found
        raise AssertionError(f"fewer than {count} goods to walk with")

    def _in_first_shop(self, product: Goods) -> bool:
        in_shop: bool = self.shops(product["goodsId"], 9)[0]["available"]
        return in_shop

    def stock(self, product: Goods) -> int:
        """Return how many units a delivery order can buy now."""
        units: int = self.call("GET", f"/goods/{product['goodsId']}")["goodsStockAmount"]
        return units

    def shops(self, goods_id: int, amount: int = 1) -> list[dict[str, Any]]:
        """Return the pick-up shops, each with whether it has so many units."""
        found: list[dict[str, Any]] = self.call("GET", f"/shops?goods={goods_id}:{amount}")
        return found

    def stock_of_shop(self, product: Goods, shop_id: int) -> int:
        """Return the most units that can be picked up in a shop now."""
        low, high = 0, 1024
        while high - low > 1:
            middle = (low + high) // 2
            shop = next(row for row in self.shops(product["goodsId"], middle) if row["shopId"] == shop_id)
            low, high = (middle, high) if shop["available"] else (low, middle)
        return low

    def places_left(self, shop_id: int, slot: str) -> int:
        """Return how many customers may still come to a shop at a time (dd/MM/yyyy HH:mm)."""
        slots = next(row["slots"] for row in self.call("GET", "/shops") if row["shopId"] == shop_id)
        left: int = next(row["left"] for row in slots if row["terminalDateTime"] == slot)
        return left
