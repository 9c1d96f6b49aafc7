"""Browsers that have logged in to a customer's account before, with limits of their own.

See docs/guarantees/customers.md#passwords.
"""

from django.http import HttpRequest, HttpResponse

from commerce.accounts.models import Customer
from core.known_browsers import KnownBrowsers

# The calls that read or write the cookie share no longer path.
BROWSERS = KnownBrowsers("customer_browser", path="/api/v1/pc")


def known_browser(request: HttpRequest, account: str) -> str:
    """Return the id of a browser that is known to a normalised account; empty for any other browser."""
    if BROWSERS.cookie not in request.COOKIES:
        return ""
    password = Customer.objects.filter(account=account).values_list("password", flat=True).first()
    return BROWSERS.id_for(request, account, password or "")


def remember_browser(request: HttpRequest, response: HttpResponse, customer: Customer) -> None:
    """Make the browser known to a customer who has just authenticated, until the password changes."""
    BROWSERS.remember(request, response, customer.account, customer.password)
