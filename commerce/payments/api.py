"""Paying orders, and orders in full: with the payments that orders know nothing of (CONTRACT 4)."""

from typing import Any

from django.http import HttpRequest
from django.templatetags.static import static
from ninja import File, Router
from ninja.files import UploadedFile

from commerce.accounts.auth import customer_of, token_auth
from commerce.orders.find import order_of
from commerce.orders.models import Order
from commerce.orders.out import facts_out
from commerce.orders.status import is_paid
from commerce.payments import certificates, services
from commerce.payments.models import Refund
from commerce.payments.providers.registry import offered
from commerce.payments.schemas import JumpOut, OrderDetail, PayIn, PayResultOut, PayTypeOut, UploadOut
from commerce.payments.site import site_url
from core.client import client_language
from core.wire import Envelope, envelope

router = Router()


@router.get("/v1/pc/payTypes", response=Envelope[list[PayTypeOut]])
def pay_types(request: HttpRequest) -> dict[str, Any]:
    """List the ways to pay that can be used."""
    return envelope(
        [
            {
                "payName": row.pay_name,
                "payCode": row.pay_code,
                "payType": row.code,
                "img": static(row.picture),
            }
            for row in offered()
        ]
    )


@router.post("/v1/pc/order/pay", response=Envelope[JumpOut], auth=token_auth)
def pay(request: HttpRequest, body: PayIn) -> dict[str, Any]:
    """Pay an order, or tell where it is paid."""
    jump_url = services.pay_order(
        customer=customer_of(request),
        order_no=body.orderNo,
        pay_type=body.payType,
        password=body.password or "",
        language=client_language(request),
        site_url=site_url(request),
    )
    return envelope({"jumpUrl": jump_url})


@router.post("/v1/upload/oss/image", response=Envelope[UploadOut], auth=token_auth)
def upload_image(request: HttpRequest, file: File[UploadedFile]) -> dict[str, Any]:
    """Keep the picture that proves a payment."""
    certificate = certificates.keep(customer=customer_of(request), file=file)
    return envelope({"imgUrl": certificates.address(certificate)})


@router.get("/v1/pc/pay/result/{order_no}", response=Envelope[PayResultOut], auth=token_auth)
def pay_result(request: HttpRequest, order_no: str) -> dict[str, Any]:
    """Tell whether an order's money has come."""
    order = services.look_after(customer=customer_of(request), order_no=order_no)
    return envelope(
        {
            "paid": is_paid(order.status),
            "status": order.status,
            "orderNo": order.order_no,
            "payAmount": order.pay_amount,
        }
    )


@router.get("/v1/pc/order/detailed/{order_no}", response=Envelope[OrderDetail], auth=token_auth)
def order_detail(request: HttpRequest, order_no: str) -> dict[str, Any]:
    """Tell everything about one of one's orders."""
    return envelope(_detail_out(order_of(customer_of(request), order_no)))


def _detail_out(order: Order) -> dict[str, Any]:
    refunds = Refund.objects.filter(payment__order=order)
    return facts_out(order) | {
        "payments": [
            {
                "payType": row.pay_type,
                "amount": row.amount,
                "status": row.state,
                "createTime": row.created_at,
            }
            for row in order.payments.all()
        ],
        "refunds": [
            {"amount": row.amount, "reason": row.reason, "status": row.state, "createTime": row.created_at}
            for row in refunds
        ],
    }
