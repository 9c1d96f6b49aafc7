"""Personal data in carts (docs/guarantees/customers.md#privacy)."""

from collections.abc import Iterator

from django.utils.translation import gettext_lazy as _

from commerce.accounts.models import Customer
from commerce.accounts.personal import Holding, Row, Section, by_pages
from commerce.cart.models import CartItem, CartType

_NAMES = {CartType.direct_mail.value: _("Cart"), CartType.bulk.value: _("Bulk buying")}


def _items(customer: Customer) -> Iterator[Row]:
    for item in by_pages(customer.cart_items.select_related("product")):
        yield {
            "cart": item.type,
            "sku": item.product.sku,
            "product": item.product.name,
            "amount": item.amount,
            "added": item.created_at,
        }


def _forget(customer: Customer) -> None:
    CartItem.objects.filter(customer=customer).delete()


PERSONAL = Holding(
    tables=frozenset({"cart.CartItem"}),
    sections=(
        Section(
            "carts",
            _("Carts"),
            {
                "cart": _("cart"),
                "sku": _("SKU"),
                "product": _("product"),
                "amount": _("Units"),
                "added": _("Time"),
            },
            _items,
            {"cart": _NAMES.__getitem__},
        ),
    ),
    forget=_forget,
)
