"""Fields that a request may not set are ignored, whatever they are called (docs/wire.md#envelope)."""

import json
from datetime import datetime
from typing import Any

import pytest
from django.contrib.auth.models import User

from catalog.goods.models import Product
from commerce.accounts.services import issue_token
from commerce.orders.tests.builders import Buyer, top_up
from tests.test_authorisation import known_of, outcome_of, rolled_back, rows_about
from tests.valid_requests import JSON, Call, calls

pytestmark = pytest.mark.django_db

# What differs between two equal requests: keys, and what is made by chance.
BY_CHANCE = {
    *("id", "order_id", "trade_id", "payment_id", "address", "order_no", "number", "reference"),
    *("token_hash", "share_token", "payload_hash", "password", "pay_password", "code"),
}


def extra_fields(other: Buyer) -> dict[str, Any]:
    """Return names that a careless shop might copy into its rows, with values that would be noticed."""
    of_other = ("id", "pk", "customer", "customerId", "customer_id", "user", "user_id", "owner")
    amounts = ("price", "memberPrice", "marketPrice", "actionPrice", "freight", "payAmount", "orderAmount")
    more = ("balance", "integral", "amount", "discount", "gst", "units", "taken", "quota", "sold")
    return {
        **dict.fromkeys(of_other, other.customer.pk),
        **dict.fromkeys(amounts, 0.01),
        **dict.fromkeys(more, 1_000_000),
        **dict.fromkeys(("level", "levelId", "level_id"), 9),
        **dict.fromkeys(("orderStatus", "status", "state", "order_status"), 3),
        **dict.fromkeys(("paid", "isPaid", "isStaff", "is_staff", "is_superuser", "isAdmin", "used"), True),
        **dict.fromkeys(("is_active", "isActive"), False),
        **dict.fromkeys(("createTime", "created_at", "expireTime", "expires_at"), "2099-01-01T00:00:00Z"),
        **dict.fromkeys(("account", "nickname", "token", "payload_hash", "order_no", "role"), "changed"),
        **dict.fromkeys(("limitAmount", "goodsStockAmount", "stockType", "on_hand", "reserved"), 0),
        "exchangeRate": 99,
        "password_hash": "x",
        "permissions": ["*"],
        "_state": {"adding": True},
        "__class__": "Customer",
        "__proto__": {"isAdmin": True},
    }


def with_extra(value: Any, extra: dict[str, Any]) -> Any:
    """Add fields to every object of a body; those that it has stay as they are."""
    if isinstance(value, dict):
        return extra | {name: with_extra(below, extra) for name, below in value.items()}
    if isinstance(value, list):
        return [with_extra(below, extra) for below in value]
    return value


def books_of(buyer: Buyer) -> list[Any]:
    """Return the rows of a customer without what is made by chance."""
    return [
        [
            {
                name: value
                for name, value in row.items()
                if name not in BY_CHANCE and not isinstance(value, datetime)
            }
            for row in rows
        ]
        for rows in rows_about(buyer.customer)
    ]


def test_extra_fields_of_a_write_change_neither_its_answer_nor_its_rows() -> None:
    buyer, other = Buyer(), Buyer()
    top_up(buyer.customer, 50)
    known, token = known_of(buyer, buyer.trade()), issue_token(buyer.customer)
    extra = extra_fields(other)
    others = rows_about(other.customer)
    products = list(Product.objects.values())
    before, written = books_of(buyer), 0

    def send(call: Call, body: Any) -> Any:
        return buyer.client.generic(
            call.method, call.target(), json.dumps(body), JSON, headers={"token": token}
        )

    for call in calls(known):
        body = call.body()
        if call.method == "GET" or body is None:
            continue
        outcomes = []
        for sent in (body, with_extra(body, extra)):
            with rolled_back():
                answer = send(call, sent)
                outcomes.append((outcome_of(answer), books_of(buyer)))
                if sent != body:
                    assert rows_about(other.customer) == others, call
                    assert list(Product.objects.values()) == products, call
                    assert not User.objects.exists()
        assert outcomes[1] == outcomes[0], call
        written += outcomes[0][1] != before
    # Addresses, carts, orders and payments are really written.
    assert written >= 8
