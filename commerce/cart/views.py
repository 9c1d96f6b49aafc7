"""The cart page: a shell that its island fills."""

from django.http import HttpRequest, HttpResponse

from catalog.browse.shell import shell
from core.pages.public import read_only


@read_only
def cart(request: HttpRequest) -> HttpResponse:
    """Show the cart (docs/product.md#pages)."""
    return shell(request, "cart/cart.html")
