"""A right request of each call of the API, made from its OpenAPI and from what is really there."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

JSON = "application/json"
_MARK = "a value to come"
# The fields of an address, and the place of a freight estimate.
ADDRESS = {
    "contacts": "Li Wei",
    "contactPhone": "+61412345678",
    "countryName": "Australia",
    "provinceName": "WA",
    "areaName": "Perth",
    "addressDetail": "1 Hay Street",
    "zipCode": "6000",
    "address": "Australia-WA-Perth-6000",
}


@dataclass(frozen=True)
class Known:
    """What is there: the OpenAPI, a right value for each field, a customer's token, a session of staff."""

    schema: dict[str, Any]
    values: Mapping[str, Any]
    token: str
    # For the calls that end a login or change a password.
    other_token: str = ""
    session: str = ""
    # Codes of orders and tickets work once.
    trades: Iterator[str] = field(default_factory=lambda: iter(()))
    tickets: Iterator[str] = field(default_factory=lambda: iter(()))


class Call:
    """An operation of the OpenAPI, with a right request of it."""

    def __init__(self, known: Known, path: str, method: str, operation: dict[str, Any]) -> None:
        self._known = known
        self.path, self.method = path, method.upper()
        self._definitions = known.schema["components"]["schemas"]
        self.queries = self._names(operation, "query")
        self.path_names = self._names(operation, "path")
        content = operation.get("requestBody", {}).get("content", {})
        self.shape = content.get(JSON, {}).get("schema")
        self.takes_file = "multipart/form-data" in content

    def __str__(self) -> str:
        return f"{self.method} {self.path}"

    def target(self, **hostile: str) -> str:
        """Return the path with its parameters, one of them hostile perhaps."""
        return re.sub(r"{(\w+)}", lambda found: hostile.get(found[1], self._value(found[1])), self.path)

    def headers(self, content_type: str = JSON) -> dict[str, str]:
        """Return the headers of a right request."""
        ends_login = any(name in self.path for name in ("/password", "/logout", "/devices", "/deletion"))
        token = self._known.other_token if ends_login else self._known.token
        given = {"token": token, "Content-Type": content_type if self.method != "GET" else ""}
        return {name: value for name, value in given.items() if value}

    def body(self) -> Any:
        """Return a right body; None where there is none."""
        return self._build(self.shape, "") if self.shape else None

    def places(self) -> Iterator[tuple[str | int, ...]]:
        """Give the way to each value in the body, containers too, and to a field that does not exist."""
        if self.shape:
            yield from _places(self.body(), ())
            yield ("noSuchField",)

    def with_value(self, place: tuple[str | int, ...], text: str) -> bytes:
        """Return the right body but for a text of JSON at one place."""
        whole = self.body()
        if isinstance(whole, dict) and place:
            within: Any = whole
            for step in place[:-1]:
                within = within[step]
            within[place[-1]] = _MARK
        else:
            whole = _MARK
        return json.dumps(whole).replace(f'"{_MARK}"', text).encode("utf-8", "surrogatepass")

    def _names(self, operation: dict[str, Any], kind: str) -> list[str]:
        return [each["name"] for each in operation["parameters"] if each["in"] == kind]

    def _value(self, name: str) -> str:
        return str(self._known.values.get(name, "1"))

    def _build(self, shape: dict[str, Any], name: str) -> Any:
        if name == "transactionCode":
            return next(self._known.trades, "none is left")
        if name == "ticket":
            return next(self._known.tickets, "none is left")
        if name == "voucherCode":
            # A guest may have none, and a voucher works once.
            return ""
        if name == "points":
            # Not every customer has some.
            return 0
        if name == "walletAmount":
            # It may leave nothing to pay by another way.
            return None
        if name in self._known.values:
            return self._known.values[name]
        if "$ref" in shape:
            return self._build(self._definitions[shape["$ref"].rpartition("/")[2]], name)
        if "anyOf" in shape:
            # Of a list and an object the object has more places.
            kinds = sorted(shape["anyOf"], key=lambda kind: "$ref" not in kind)
            return self._build(kinds[0], name)
        if shape.get("type") == "array":
            return [self._build(shape["items"], name)]
        if "properties" in shape:
            return {each: self._build(below, each) for each, below in shape["properties"].items()}
        return {"integer": 1, "boolean": True, "number": 1}.get(shape.get("type", ""), "a")


def _places(value: Any, way: tuple[str | int, ...]) -> Iterator[tuple[str | int, ...]]:
    yield way
    if isinstance(value, dict):
        for name, below in value.items():
            yield from _places(below, (*way, name))
    elif isinstance(value, list) and value:
        yield from _places(value[0], (*way, 0))


def calls(known: Known) -> list[Call]:
    """Return every operation of the API."""
    return [
        Call(known, path, method, operation)
        for path, methods in known.schema["paths"].items()
        for method, operation in methods.items()
    ]
