"""Compares the price of an order with its preview; without models, for chaos tests, which run outside it."""

from collections.abc import Iterator
from decimal import Decimal
from typing import Any

_OF_LINES = ("goodsId", "goodsAmount", "price", "discount", "lineAmount", "actionTypeId", "why", "whyEn")
_OF_ORDERS = (
    "orderAmount",
    "discount",
    "freight",
    "gst",
    "freightGst",
    "points",
    "pointsAmount",
    "payAmount",
)


def disagreements(shown: dict[str, Any], ordered: dict[str, Any]) -> list[str]:
    """Name what differs between the result of a preview and the details of its order, or does not add up."""
    return list(_disagreements(shown, ordered))


def _disagreements(shown: dict[str, Any], ordered: dict[str, Any]) -> Iterator[str]:
    if len(shown["goods"]) != len(ordered["goods"]):
        yield "number of lines"
    for ours, theirs in zip(shown["goods"], ordered["goods"], strict=False):
        yield from (f"{name} of a line" for name in _OF_LINES if ours[name] != theirs[name])
    yield from (name for name in _OF_ORDERS if shown[name] != ordered[name])
    for name, result in (("preview", shown), ("order", ordered)):
        if _sum(result["goods"], "lineAmount") != _cents(result["orderAmount"]):
            yield f"lines of the {name}"
        in_money = _cents(result["orderAmount"]) - _cents(result["pointsAmount"])
        if in_money + _cents(result["freight"]) != _cents(result["payAmount"]):
            yield f"total of the {name}"
    if _sum(shown["goods"], "gst") != _cents(ordered["gst"]):
        yield "tax of the lines"


def _sum(lines: list[dict[str, Any]], name: str) -> Decimal:
    return sum((_cents(line[name]) for line in lines), Decimal(0))


def _cents(amount: float) -> Decimal:
    return Decimal(str(amount))
