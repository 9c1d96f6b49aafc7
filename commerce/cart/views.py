"""The cart's page: a shell that its island fills."""

from django.http import HttpRequest, HttpResponse

from catalog.browse.shell import shell


def cart(request: HttpRequest) -> HttpResponse:
    """Show the cart (SPEC 2, `/home/cart`)."""
    return shell(request, "cart/cart.html")
