"""A customer's favourites as their own data: what is handed out, and how it is forgotten."""

from typing import Any

from commerce.accounts.models import Customer
from commerce.accounts.services import lock_customer
from commerce.favourites.models import Favourite
from core.transactions import in_callers_transaction


def export_favourites(customer: Customer) -> list[dict[str, Any]]:
    """Return all lists of a customer with the products' numbers and names, as plain values; two queries."""
    rows = customer.favourite_lists.all()
    in_list: dict[int, list[dict[str, Any]]] = {row.pk: [] for row in rows}
    favourites = Favourite.objects.filter(list__customer=customer).select_related("product")
    for each in favourites:
        in_list[each.list_id].append(
            {"sku": each.product.sku, "name": each.product.name_en, "added": each.created_at.isoformat()}
        )
    return [
        {
            "name": row.name,
            "made": row.created_at.isoformat(),
            "isShared": row.share_token is not None,
            "shareTitle": row.share_title,
            "products": in_list[row.pk],
        }
        for row in rows
    ]


@in_callers_transaction
def forget_favourites(customer: Customer) -> None:
    """Delete all lists of a customer, and with them their links. Locks: the customer's row."""
    lock_customer(customer)
    customer.favourite_lists.all().delete()
