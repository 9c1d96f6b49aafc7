"""What schemathesis does around each request to the shop; it imports this by SCHEMATHESIS_HOOKS.

GENERATED_FACTS has JSON: `token` of a customer, empty for a guest; `spare`, the token of another one, for
the call that ends a login; `values` that are really there by the names of their fields; `seen`, the file
into which each answer goes as a line of JSON.
"""

import json
import os
from functools import cache
from itertools import count
from pathlib import Path
from typing import IO, Any

import schemathesis

from tools.chaos.limits import address

_numbers = count()


@cache
def _facts() -> dict[str, Any]:
    facts: dict[str, Any] = json.loads(os.environ["GENERATED_FACTS"])
    return facts


@cache
def _seen() -> IO[str]:
    return Path(_facts()["seen"]).open("a", buffering=1)


@schemathesis.hook
def before_call(_context: Any, case: Any, _keywords: dict[str, Any]) -> None:
    """Let the request come from another network, from a customer, and every second one name what is there."""
    number = next(_numbers)
    case.headers = {**(case.headers or {}), "X-Forwarded-For": address(number)}
    token = _facts()["spare" if case.operation.path.endswith("/logout") else "token"]
    if token:
        case.headers["token"] = token
    if number % 2:
        case.body = _with_known(case.body)
        case.path_parameters = _with_known(case.path_parameters)


@schemathesis.check
def in_the_envelope(_context: Any, response: Any, case: Any) -> None:
    """Raise AssertionError for an answer that is not in the envelope, and note every answer."""
    try:
        body = response.json()
    except ValueError:
        raise AssertionError("no JSON") from None
    _seen().write(json.dumps([case.operation.label, response.status_code, body["code"]]) + "\n")
    assert isinstance(body["msg"], str)
    assert "result" in body
    if body["code"] != 0:
        assert body["result"] is None
        assert body["reason"]


def _with_known(value: Any) -> Any:
    if isinstance(value, dict):
        known = _facts()["values"]
        return {name: known[name] if name in known else _with_known(each) for name, each in value.items()}
    if isinstance(value, list):
        return [_with_known(each) for each in value]
    return value
