"""Builders for tests of privacy."""

from django.contrib.auth.models import Permission, User
from django.test import Client

from commerce.orders.models import Order
from commerce.orders.tests.builders import Buyer
from commerce.shipments.tests.builders import make_shipment


def staff(name: str, *permissions: str) -> Client:
    """Log in a member of staff who may look at customers, with some further rights."""
    user = User.objects.create_user(name, f"{name}@example.com", "secret")
    granted = ("access_admin", "view_customer", *permissions)
    user.user_permissions.set(Permission.objects.filter(codename__in=granted))
    browser = Client()
    browser.force_login(user)
    return browser


def receive(buyer: Buyer, order: Order) -> None:
    """Send a paid order, and let its customer receive it."""
    order.refresh_from_db()
    make_shipment(order)
    assert buyer.send("PUT", f"/order/receive/{order.order_no}")["code"] == 0
