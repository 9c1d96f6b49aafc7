"""The cart's page: a shell that its island fills."""

from django.http import HttpRequest, HttpResponse

from catalog.browse.shell import shell
from core.publicpages import read_only


@read_only
def cart(request: HttpRequest) -> HttpResponse:
    """Show the cart (SPEC 2, `/home/cart`)."""
    return shell(request, "cart/cart.html")
