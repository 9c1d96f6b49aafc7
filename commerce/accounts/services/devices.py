"""The logins of a customer's browsers and phones (docs/wire.md#devices)."""

from django.db.models import QuerySet
from django.utils import timezone

from commerce.accounts.models import AuthToken, Customer
from core.errors import Err, ShopError


def devices_of(customer: Customer) -> QuerySet[AuthToken]:
    """Return the logins that a customer's token still opens, the one used last first: MAX_LOGINS at most."""
    return customer.tokens.filter(expires_at__gt=timezone.now()).order_by("-used_on", "-pk")


def end_login(*, customer: Customer, login_id: int) -> None:
    """End one login of a customer; raises ShopError(parameter_error) for one that is not theirs, or over."""
    if not devices_of(customer).order_by().filter(pk=login_id).delete()[0]:
        raise ShopError(Err.parameter_error)
