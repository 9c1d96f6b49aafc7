"""The cart's page: a shell that its island fills."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from catalog.goods.rates import rate_now


def cart(request: HttpRequest) -> HttpResponse:
    """Show the cart (SPEC 2, `/home/cart`)."""
    return render(request, "cart/cart.html", {"rate": rate_now(), "noindex": True})
