"""Login and account pages: the same for all visitors, as only the API returns customers' data.

See docs/architecture.md#pages.
"""

from urllib.parse import urlencode

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from catalog.browse.shell import shell
from core.languages import localised
from core.pages.captcha import may_ask_captcha
from core.pages.public import read_only


@read_only
@may_ask_captcha
def login(request: HttpRequest) -> HttpResponse:
    """Show the forms for login, registration and password reset (docs/product.md#pages)."""
    return shell(request, "accounts/login.html", sms_countries=sorted(settings.SMS_COUNTRIES))


@read_only
def sign(request: HttpRequest) -> HttpResponse:
    """Redirect to the registration form and pass on the target page (docs/product.md#pages)."""
    query = urlencode({"redirect": request.GET["redirect"]}) if "redirect" in request.GET else ""
    return redirect(f"{localised('/home/login')}{'?' if query else ''}{query}#register")


@read_only
def account(request: HttpRequest) -> HttpResponse:
    """Redirect to the first page of the account."""
    return redirect(localised("/home/account/accountdetails"))


@read_only
def details(request: HttpRequest) -> HttpResponse:
    """Show the customer's orders by status, profile, balance and points."""
    return shell(request, "accounts/details.html", page="details", heading=_("My account"))


@read_only
def addresses(request: HttpRequest) -> HttpResponse:
    """Show the address book."""
    return shell(request, "accounts/addresses.html", page="addresses", heading=_("Addresses"))


@read_only
@may_ask_captcha
def password(request: HttpRequest) -> HttpResponse:
    """Show the forms for password changes and the logged-in devices."""
    return shell(request, "accounts/password.html", page="password", heading=_("Security"))
