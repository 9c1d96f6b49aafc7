"""Changes a customer's profile (docs/wire.md#profile)."""

from commerce.accounts.models import Customer
from commerce.accounts.services.lock import lock_customer
from core.transactions import in_transaction


@in_transaction
def change_profile(*, customer: Customer, nickname: str | None = None, language: str | None = None) -> None:
    """Change the nickname, which may be empty, and the language, a code of LANGUAGES; None changes nothing.

    Locks: the customer's row. Raises ShopError(login_invalid) if the account was deleted.
    """
    lock_customer(customer)
    own = Customer.objects.filter(pk=customer.pk)
    if nickname is not None:
        own.update(nickname=nickname)
    if language is not None:
        own.update(language=language)
