"""Lists and ends the logins of a customer's devices (docs/wire.md#devices)."""

from django.db.models import QuerySet
from django.utils import timezone

from commerce.accounts.models import AuthToken, Customer
from core.errors import Err, ShopError


def devices_of(customer: Customer) -> QuerySet[AuthToken]:
    """Return a customer's valid logins, most recently used first; at most MAX_LOGINS."""
    return customer.tokens.filter(expires_at__gt=timezone.now()).order_by("-used_on", "-pk")


def end_login(*, customer: Customer, login_id: int) -> None:
    """End one login; raises ShopError(parameter_error) if it has expired or is not the customer's."""
    if not devices_of(customer).order_by().filter(pk=login_id).delete()[0]:
        raise ShopError(Err.parameter_error)
