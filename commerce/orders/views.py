"""Checkout and order pages: shells that their islands fill."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from catalog.browse.shell import shell
from core.languages import localised
from core.pages.captcha import may_ask_captcha
from core.pages.public import read_only


@read_only
def to_order_details(request: HttpRequest, order_no: str) -> HttpResponse:
    """Redirect to the page of an order."""
    return redirect(localised(f"/home/account/orderdetails/{order_no}"))


@read_only
def create_order(request: HttpRequest) -> HttpResponse:
    """Redirect to the first step of the checkout (docs/product.md#pages)."""
    return redirect(localised("/home/createOrder/delivery"))


@read_only
@may_ask_captcha
def delivery(request: HttpRequest) -> HttpResponse:
    """Show the delivery step of the checkout."""
    return _checkout(request, "delivery", _("Delivery"))


@read_only
@may_ask_captcha
def pay_type(request: HttpRequest) -> HttpResponse:
    """Show the payment step of the checkout."""
    return _checkout(request, "payType", _("Payment"))


def _checkout(request: HttpRequest, step: str, step_name: str) -> HttpResponse:
    limits = {"id_card_days": settings.ID_CARD_DAYS, "points_per_dollar": settings.POINTS_PER_DOLLAR}
    return shell(request, "orders/checkout.html", step=step, step_name=step_name, **limits)


@read_only
def pay_result(request: HttpRequest, number: str) -> HttpResponse:
    """Show the result of a payment; `number`: of the order or top-up."""
    return shell(request, "orders/pay_result.html", number=number)


@read_only
def orders(request: HttpRequest) -> HttpResponse:
    """Show the customer's orders."""
    return shell(request, "orders/orders.html", page="orders", heading=_("My orders"))


@read_only
def logistics(request: HttpRequest) -> HttpResponse:
    """Show the tracking of the customer's parcels."""
    return shell(request, "orders/logistics.html", page="logistics", heading=_("My parcels"))


@read_only
def reorder(request: HttpRequest) -> HttpResponse:
    """Show the products that the customer has bought before."""
    return shell(request, "orders/reorder.html", page="reorder", heading=_("Buy again"))


@read_only
def rewards(request: HttpRequest) -> HttpResponse:
    """Show the customer's points and level."""
    return shell(request, "orders/rewards.html", page="rewards", heading=_("Rewards"))


@read_only
@may_ask_captcha
def order_details(request: HttpRequest, order_no: str) -> HttpResponse:
    """Show one order."""
    heading = _("Order %(number)s") % {"number": order_no}
    return shell(request, "orders/order_details.html", page="orders", heading=heading, order_no=order_no)
