"""The rights of every call of the API, for every caller (docs/guarantees/customers.md#own-objects-only)."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import repeat
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import transaction
from django.test import Client

from commerce.accounts.models import Customer
from commerce.accounts.services import issue_token, revoke_token
from commerce.accounts.tests.builders import PASSWORD
from commerce.claims.models import Claim
from commerce.favourites.services import add_favourite, make_list
from commerce.orders.models import Order
from commerce.orders.tests.builders import Buyer, make_order, make_stocked
from commerce.payments.models import Certificate
from commerce.payments.tests.builders import make_recharge
from config.api import api
from content.models import ShopSettings
from core.ids import new_secret
from tests.valid_requests import ADDRESS, JSON, Call, Known, calls

pytestmark = pytest.mark.django_db

SCHEMA = api.get_openapi_schema()
# Calls that are open to everyone; they contain no data of a customer.
EVERYBODY = {
    "GET /api/v1/pc/exchangeRate",
    "GET /api/v1/pc/home/classify",
    "POST /api/v1/pc/goods/list",
    "POST /api/v1/pc/goods/batch",
    "GET /api/v1/pc/goods/{goods_id}",
    "GET /api/v1/pc/spec/{goods_id}",
    "GET /api/v1/pc/class/brand",
    "GET /api/v1/pc/popularity/brand",
    "GET /api/v1/pc/home/displayClassifyAndGoods",
    "GET /api/v1/pc/suggest",
    "GET /api/v1/pc/actionType/list",
    "GET /api/v1/pc/action/list/{promotion_id}",
    "GET /api/v1/pc/home/carouse",
    "GET /api/v1/pc/home/carouse/{carousel}",
    "GET /api/v1/pc/home/specialArea",
    "GET /api/v1/pc/home/specialAreaList",
    "GET /api/v1/pc/home/specialArea/goods",
    "GET /api/v1/pc/home/specialArea/goods/{area_id}",
    "GET /api/v1/pc/common/captcha",
    "POST /api/v1/pc/common/scc",
    "POST /api/v1/pc/common/sendCode",
    "POST /api/v1/pc/register",
    "POST /api/v1/pc/login",
    "POST /api/v1/pc/login/code",
    "POST /api/v1/pc/resetPassword",
    "GET /api/v1/pc/shops",
    "POST /api/v1/pc/stockNotice",
    "POST /api/v1/pc/stockRequest",
    "GET /api/v1/pc/payTypes",
    "POST /api/v1/pc/common/freight",
    "POST /api/v1/pc/common/arrival",
    "POST /api/v1/pc/common/deliverySlots",
    "POST /api/v1/pc/order/preview",
}
# Calls of a customer about themselves only, and the reason why a right request is refused.
CUSTOMERS = {
    "POST /api/v1/pc/logout": None,
    "PUT /api/v1/pc/setting/login/password": None,
    "PUT /api/v1/pc/setting/pay/password": None,
    "PUT /api/v1/pc/setting/profile": None,
    "GET /api/v1/pc/setting/devices": None,
    "DELETE /api/v1/pc/setting/devices": None,
    "POST /api/v1/pc/setting/deliveryAddressNew": None,
    "POST /api/v1/pc/setting/deliveryAddress": None,
    "GET /api/v1/pc/shoppingCart": None,
    "POST /api/v1/pc/shoppingCart": None,
    "PUT /api/v1/pc/shoppingCart": None,
    "DELETE /api/v1/pc/shoppingCart/{goods_id}": None,
    "DELETE /api/v1/pc/shoppingCart": None,
    "POST /api/v1/pc/shoppingcartUpdate": None,
    "GET /api/v1/pc/setting/consent": None,
    "PUT /api/v1/pc/setting/consent": None,
    "POST /api/v1/pc/setting/myData": None,
    "GET /api/v1/pc/setting/deletion": None,
    "POST /api/v1/pc/setting/deletion": None,
    "GET /api/v1/pc/user/userInfo": None,
    "GET /api/v1/pc/user/balance/detailed": None,
    "GET /api/v1/pc/user/integral/detailed": None,
    "GET /api/v1/pc/user/rewards": None,
    "POST /api/v1/pc/toTrade": None,
    "GET /api/v1/recharge": None,
    "POST /api/v1/recharge": None,
    "POST /api/v1/pc/orderInfo": None,
    "GET /api/v1/pc/order/counts": None,
    "GET /api/v1/pc/favourites": None,
    "GET /api/v1/pc/favourites/goodsIds": None,
    "POST /api/v1/pc/favourites": None,
    "GET /api/v1/pc/claims": None,
    # What is sent here is no picture.
    "POST /api/v1/upload/oss/image": "picture_error",
}
# Calls that name an object of a customer, and the refusal for another customer's or an unknown one.
OWNERS = {
    "PUT /api/v1/pc/setting/deliveryAddress/default": "parameter_error",
    "PUT /api/v1/pc/setting/deliveryAddress": "parameter_error",
    "DELETE /api/v1/pc/setting/deliveryAddress/{address_id}": "parameter_error",
    "DELETE /api/v1/pc/setting/devices/{login_id}": "parameter_error",
    "PUT /api/v1/pc/favourites/{list_id}": "parameter_error",
    "DELETE /api/v1/pc/favourites/{list_id}": "parameter_error",
    "GET /api/v1/pc/favourites/{list_id}/goods": "parameter_error",
    "POST /api/v1/pc/favourites/{list_id}/goods": "parameter_error",
    "PUT /api/v1/pc/favourites/{list_id}/goods/{goods_id}": "parameter_error",
    "DELETE /api/v1/pc/favourites/{list_id}/goods/{goods_id}": "parameter_error",
    "POST /api/v1/pc/favourites/{list_id}/share": "parameter_error",
    "DELETE /api/v1/pc/favourites/{list_id}/share": "parameter_error",
    "POST /api/v1/pc/order": "address_error",
    "PUT /api/v1/pc/order/cancel/{order_no}": "order_not_found",
    "PUT /api/v1/pc/order/receive/{order_no}": "order_not_found",
    "POST /api/v1/pc/order/requestCancel/{order_no}": "order_not_found",
    "POST /api/v1/pc/order/ask/{order_no}": "order_not_found",
    "GET /api/v1/pc/order/logistics/{order_no}": "order_not_found",
    "POST /api/v1/pc/order/pay": "order_not_found",
    "POST /api/v1/pc/savePayCertificates": "order_not_found",
    "GET /api/v1/pc/pay/result/{number}": "order_not_found",
    "GET /api/v1/pc/pay/instructions/{order_no}": "order_not_found",
    "GET /api/v1/pc/order/detailed/{order_no}": "order_not_found",
    "GET /api/v1/pc/order/claimable/{order_no}": "order_not_found",
    "POST /api/v1/pc/claims": "order_not_found",
    "GET /api/v1/pc/claims/{claim_no}": "claim_not_found",
    "POST /api/v1/pc/claims/{claim_no}/reply": "claim_not_found",
    "PUT /api/v1/recharge/continue/{recharge_no}": "recharge_not_found",
}
# What the owner's right request is refused for: the order of the matrix is unpaid.
UNPAID = {
    "PUT /api/v1/pc/order/receive/{order_no}": "not_receivable",
    "POST /api/v1/pc/order/requestCancel/{order_no}": "paid_cannot_cancel",
    "POST /api/v1/pc/setting/deletion": "deletion_blocked",
    "POST /api/v1/pc/claims": "not_claimable",
}
OPERATIONS = [str(call) for call in calls(Known(SCHEMA, {}, ""))]


def known_of(owner: Buyer, code: str) -> Known:
    """Return what is there: an order, an address and a product, and `code` for another order."""
    order = make_order(owner)
    # Questions about orders need a mailbox.
    ShopSettings.objects.update_or_create(pk=1, defaults={"email": "help@example.com"})
    # Only a transfer that has begun is proven while the shop offers none.
    Order.objects.filter(pk=order.pk).update(pay_type="transfer")
    product = make_stocked()
    recharge = make_recharge(owner)
    issue_token(owner.customer)
    favourites = make_list(customer=owner.customer, name="Hotpot")
    add_favourite(customer=owner.customer, list_id=favourites.pk, product_id=product.pk)
    certificate = Certificate.objects.create(customer=owner.customer, name=new_secret())
    claim = Claim.objects.create(
        claim_no=f"C{order.order_no[1:]}", customer=owner.customer, order=order, wish="refund"
    )
    values = {
        "orderNo": order.order_no,
        "imgUrl": f"/pay/certificate/{certificate.name}",
        "soldOutWish": "ask",
        "deliverySlot": "",
        "order_no": order.order_no,
        "claim_no": claim.claim_no,
        "kind": "damaged",
        "wish": "refund",
        "images": [],
        "from": "",
        "to": "",
        "number": order.order_no,
        "recharge_no": recharge.number,
        "list_id": favourites.pk,
        "toListId": 0,
        "rechargeAmount": "50.00",
        "channel": "",
        "addressId": owner.address.pk,
        "address_id": owner.address.pk,
        "deliveryAddressId": owner.address.pk,
        "goodsId": product.pk,
        "goods_id": product.pk,
        "goodsIds": [product.pk],
        "actionGoods": [],
        "shippingType": "2",
        "payType": "5",
        "code": "",
        "oldPassword": PASSWORD,
        "password": PASSWORD,
        "login_id": owner.customer.tokens.latest("pk").pk,
        "language": "en",
        "account": owner.customer.account,
        "country": "",
        **ADDRESS,
        "status": "unpaid",
        "type": "DirectMailCart",
        "format": "json",
    }
    return Known(SCHEMA, values, "", trades=repeat(code))


def ask(call: Call, client: Client, token: str = "") -> Any:
    """Send a right request; `token`: none for a guest."""
    headers = {"token": token} if token else {}
    if call.takes_file:
        parts = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.jpg"\r\n\r\na\r\n--x--\r\n'
        return client.generic(
            call.method, call.target(), parts, "multipart/form-data; boundary=x", headers=headers
        )
    body = call.body()
    data = "" if body is None else json.dumps(body)
    return client.generic(call.method, call.target(), data, JSON, headers=headers)


def outcome_of(response: Any) -> tuple[int, str | None]:
    return response.status_code, response.json().get("reason")


def revoked_token(customer: Customer) -> str:
    token = issue_token(customer)
    revoke_token(token)
    return token


def staff_browser() -> Client:
    browser = Client()
    browser.force_login(User.objects.create_superuser("boss"))
    return browser


def test_every_operation_is_in_the_matrix() -> None:
    assert EVERYBODY.isdisjoint(CUSTOMERS)
    assert {*EVERYBODY, *CUSTOMERS, *OWNERS} == set(OPERATIONS)


def test_the_openapi_asks_for_a_token_where_one_is_needed() -> None:
    protected = {
        f"{method.upper()} {path}"
        for path, methods in SCHEMA["paths"].items()
        for method, operation in methods.items()
        if operation.get("security")
    }
    assert protected == {*CUSTOMERS, *OWNERS}


def test_a_call_about_a_customer_is_for_that_customer_only() -> None:
    owner, other = Buyer(), Buyer()
    mine, browser = known_of(owner, owner.trade()), staff_browser()
    # A code belongs to a customer as well, so each comes with one of their own.
    theirs = replace(mine, trades=repeat(other.trade()))
    revoked = revoked_token(owner.customer)
    before, found = rows_about(owner.customer), {}
    for call, others in zip(calls(mine), calls(theirs), strict=True):
        if str(call) in EVERYBODY:
            continue
        answers = [ask(call, Client()), ask(call, browser), ask(call, Client(), revoked)]
        with rolled_back():
            answers.append(ask(others, Client(), issue_token(other.customer)))
            assert rows_about(owner.customer) == before, call
        with rolled_back():
            answers.append(ask(call, Client(), issue_token(owner.customer)))
        found[str(call)] = [outcome_of(answer) for answer in answers]
    assert rows_about(owner.customer) == before
    guest = [(401, "login_required"), (401, "login_required"), (200, "login_invalid")]
    expected = {
        name: [*guest, (200, reason), (200, UNPAID.get(name, reason))] for name, reason in CUSTOMERS.items()
    }
    expected |= {name: [*guest, (200, reason), (200, UNPAID.get(name))] for name, reason in OWNERS.items()}
    assert found == expected


def test_a_public_call_needs_no_login() -> None:
    owner = Buyer()
    known, browser = known_of(owner, ""), staff_browser()
    revoked, token = revoked_token(owner.customer), issue_token(owner.customer)
    for call in calls(known):
        if str(call) not in EVERYBODY:
            continue
        answers = [ask(call, Client()), ask(call, browser), ask(call, Client(), revoked)]
        answers.append(ask(call, Client(), token))
        statuses = {answer.status_code for answer in answers}
        reasons = {answer.json().get("reason") for answer in answers}
        # Guesses at one account have a limit.
        assert statuses <= {200, 429}, call
        assert not reasons & {"login_required", "login_invalid"}, call


def rows_about(customer: Customer) -> list[Any]:
    """Return every row that belongs to a customer or to an order of theirs."""
    orders = Order.objects.filter(customer=customer)
    found = [Customer.objects.filter(pk=customer.pk)]
    for model, owners in ((Customer, [customer]), (Order, orders)):
        for field in model._meta.related_objects:
            if field.one_to_many:
                related: Any = field.related_model
                found.append(related._base_manager.filter(**{f"{field.field.name}__in": owners}))
    return [list(rows.order_by("pk").values()) for rows in found]


@contextmanager
def rolled_back() -> Iterator[None]:
    """Undo what the block does in the database."""
    block = transaction.atomic()
    # As the block around a test: transactions that refuse to be nested may begin within it.
    block._from_testcase = True  # type: ignore[attr-defined]
    with block:
        yield
        transaction.set_rollback(True)
