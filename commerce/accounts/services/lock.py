"""Makes changes of what belongs to one customer follow each other."""

from commerce.accounts.models import Customer


def lock_customer(customer: Customer) -> None:
    """Lock a customer's row until the transaction ends; rows locked meanwhile must come after it.

    SQLite has no row locks and needs none: a transaction there is the only writer from its start.
    """
    Customer.objects.select_for_update(no_key=True).only("pk").get(pk=customer.pk)
