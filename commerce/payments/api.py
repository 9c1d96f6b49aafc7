"""Paying orders, and the pictures and results of payments.

See docs/wire.md#orderpay.
"""

from dataclasses import replace
from typing import Any

from django.http import HttpRequest, HttpResponse
from ninja import File, Query, Router
from ninja.files import UploadedFile

from commerce.accounts.auth import caller, customer_of, language_for, token_auth
from commerce.orders.services import find_order
from commerce.payments import services
from commerce.payments.devices import device_of
from commerce.payments.hold_times import is_held_for_staff
from commerce.payments.providers.registry import offered_pay_types
from commerce.payments.restrictions import purchase_of
from commerce.payments.schemas import (
    CertificateIn,
    InstructionsOut,
    JumpOut,
    PayIn,
    PayResultOut,
    PayTypeOut,
    PayTypesQuery,
    UploadOut,
)
from commerce.payments.serializers import (
    instructions_out,
    pay_result_out,
    pay_type_out,
    recharge_result_out,
)
from commerce.payments.services.certificates import certificate_url, prove_transfer, store_certificate
from commerce.payments.services.left_to_pay import left_to_pay
from commerce.payments.site import site_url
from core.client import client_network
from core.errors import Err, ShopError
from core.shop import pay_contact
from core.wire import Envelope, answer, envelope

router = Router()


@router.get("/v1/pc/payTypes", response=Envelope[list[PayTypeOut]])
def pay_types(request: HttpRequest, query: Query[PayTypesQuery]) -> dict[str, Any]:
    """List the pay types that can be used, for an order or for another purchase."""
    purchase = query.purchase()
    if query.orderNo:
        customer = caller(request)
        if customer is None:
            raise ShopError(Err.order_not_found)
        order = find_order(customer=customer, order_no=query.orderNo)
        amount = left_to_pay(order) if purchase.amount is None else purchase.amount
        booked = order.pickup_slot or order.delivery_slot
        starts_at = booked.starts_at if booked else None
        purchase = replace(purchase_of(order, amount), starts_at=starts_at)
    return envelope([pay_type_out(pay_type, purchase) for pay_type in offered_pay_types(purchase)])


@router.post("/v1/pc/order/pay", response=Envelope[JumpOut], auth=token_auth)
def pay(request: HttpRequest, body: PayIn) -> HttpResponse:
    """Pay an order: complete the payment, or return the URL at which the customer pays."""
    jump_url = services.pay_order(
        customer=customer_of(request),
        order_no=body.orderNo,
        pay_type=body.payType,
        password=body.password or "",
        language=language_for(request),
        site_url=site_url(request),
        device=device_of(request),
        wallet_amount=body.walletAmount,
    )
    return answer({"jumpUrl": jump_url})


@router.post("/v1/upload/oss/image", response=Envelope[UploadOut], auth=token_auth)
def upload_image(request: HttpRequest, file: File[UploadedFile]) -> dict[str, Any]:
    """Store a picture that proves a payment."""
    certificate = store_certificate(
        customer=customer_of(request), picture=file.read(), network=client_network(request)
    )
    return envelope({"imgUrl": certificate_url(certificate)})


@router.post("/v1/pc/savePayCertificates", response=Envelope[int], auth=token_auth)
def save_certificate(request: HttpRequest, body: CertificateIn) -> dict[str, Any]:
    """Prove the transfer of an order by an uploaded picture."""
    prove_transfer(customer=customer_of(request), order_no=body.orderNo, image_url=body.imgUrl)
    return envelope(1)


@router.get("/v1/pc/pay/result/{number}", response=Envelope[PayResultOut], auth=token_auth)
def pay_result(request: HttpRequest, number: str) -> dict[str, Any]:
    """Return whether the money of an order or a top-up has been received."""
    customer = customer_of(request)
    recharge = services.refresh_recharge(customer=customer, number=number)
    if recharge is not None:
        return envelope(recharge_result_out(recharge))
    return envelope(pay_result_out(services.refresh_order(customer=customer, order_no=number)))


@router.get("/v1/pc/pay/instructions/{order_no}", response=Envelope[InstructionsOut | None], auth=token_auth)
def pay_instructions(request: HttpRequest, order_no: str) -> dict[str, Any]:
    """Return how to pay staff for an order; null if staff collect nothing for it now."""
    order = find_order(customer=customer_of(request), order_no=order_no)
    return envelope(instructions_out(order, pay_contact()) if is_held_for_staff(order) else None)
