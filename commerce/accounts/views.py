"""Login and the account pages: public shells; the API checks the customer's rights.

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
    """Show login, registration and the forgotten password (docs/product.md#pages)."""
    return shell(request, "accounts/login.html", sms_countries=sorted(settings.SMS_COUNTRIES))


@read_only
def sign(request: HttpRequest) -> HttpResponse:
    """Redirect to the registration (docs/product.md#pages); the target is passed on."""
    query = urlencode({"redirect": request.GET["redirect"]}) if "redirect" in request.GET else ""
    return redirect(f"{localised('/home/login')}{'?' if query else ''}{query}#register")


@read_only
def account(request: HttpRequest) -> HttpResponse:
    """Redirect into the account area."""
    return redirect(localised("/home/account/accountdetails"))


@read_only
def details(request: HttpRequest) -> HttpResponse:
    """Show the logged-in customer, with balance and points."""
    return shell(request, "accounts/details.html", page="details", heading=_("Account details"))


@read_only
def addresses(request: HttpRequest) -> HttpResponse:
    """Show the address book."""
    return shell(request, "accounts/addresses.html", page="addresses", heading=_("Addresses"))


@read_only
@may_ask_captcha
def password(request: HttpRequest) -> HttpResponse:
    """Show the forms that change passwords, and where the customer is logged in."""
    return shell(request, "accounts/password.html", page="password", heading=_("Security"))
