from decimal import Decimal
from typing import Any

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from commerce.accounts.models import Customer, MemberLevel
from commerce.accounts.tests.builders import auth_headers, make_customer
from commerce.ledger.models import LedgerAccount, LedgerEntry
from commerce.ledger.services import post
from core.tests.rows import rolled_back

Kind, Reason = LedgerAccount.Kind, LedgerEntry.Reason

pytestmark = [pytest.mark.both_databases, pytest.mark.django_db]

USER_INFO = "/api/v1/pc/user/userInfo"
INTEGRAL = "/api/v1/pc/user/integral/detailed"


def move(
    customer: Customer, kind: LedgerAccount.Kind, amount: str, reason: LedgerEntry.Reason, ref: str
) -> None:
    post(customer=customer, kind=kind, amount=Decimal(amount), reason=reason, reference=ref)


def get(client: Client, customer: Customer, path: str) -> dict[str, Any]:
    response = client.get(path, headers=auth_headers(customer))
    assert response.status_code == 200
    answer: dict[str, Any] = response.json()
    return answer


def test_user_info_has_the_customer_and_their_balances(
    client: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    gold = MemberLevel.objects.create(number=77, name_zh="金卡", name_en="Gold")
    customer = make_customer(account="a@example.com", nickname="小明", language="zh-hans", level=gold)
    move(customer, Kind.wallet, "12.35", Reason.opening, "1")
    move(customer, Kind.points, "40", Reason.adjustment, "1")
    move(make_customer(), Kind.wallet, "99", Reason.opening, "1")
    headers = auth_headers(customer)

    with django_assert_max_num_queries(5):
        body = client.get(USER_INFO, headers=headers).json()

    assert body == {
        "code": 0,
        "msg": "",
        "result": {
            "account": "a@example.com",
            "nickname": "小明",
            "language": "zh",
            "level": 77,
            "levelName": "金卡",
            "levelNameEn": "Gold",
            "balance": 12.35,
            "integral": 40,
            "hasPayPassword": True,
        },
    }


def test_user_info_of_a_newcomer_is_empty(client: Client) -> None:
    result = get(client, make_customer(pay_password=""), USER_INFO)["result"]
    assert (result["balance"], result["integral"], result["hasPayPassword"]) == (0, 0, False)


def test_points_history_is_in_whole_points(client: Client) -> None:
    customer = make_customer()
    move(customer, Kind.wallet, "100", Reason.recharge, "R1")
    move(customer, Kind.points, "7", Reason.earned, "P1")
    (row,) = get(client, customer, INTEGRAL)["result"]["list"]
    assert (row["integral"], row["balance"], row["reason"], row["orderNo"]) == (
        7,
        7,
        "订单金额赠送积分",
        "P1",
    )


def test_an_invalid_page_or_size_is_a_parameter_error(client: Client, subtests: pytest.Subtests) -> None:
    for query in ("page=0", "size=101", "size=0", "page=x", "page=99999999999999999999", "page=%00"):
        with subtests.test(query=query), rolled_back():
            body = get(client, make_customer(), f"{INTEGRAL}?{query}")
            assert (body["code"], body["reason"]) == (1002, "parameter_error")


def test_only_a_valid_token_gives_access_to_an_account(client: Client, subtests: pytest.Subtests) -> None:
    for path in (USER_INFO, INTEGRAL):
        with subtests.test(path=path):
            assert client.get(path).status_code == 401
            body = client.get(path, headers={"token": "junk"}).json()
            assert (body["code"], body["reason"]) == (1001, "login_invalid")
