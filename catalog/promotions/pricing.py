"""What a good costs whom: the one function behind card, cart, freight, order and invoice (ARCHITECTURE 4)."""

from decimal import Decimal

from catalog.goods.models import Product


def member_price(product: Product) -> Decimal:
    """Return the ordinary price of one unit in dollars, GST included (CONTRACT 2, `memberPrice`)."""
    return product.price
