"""Login and the account pages: public shells; who may see what is the API's business (ARCHITECTURE 4)."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from catalog.browse.shell import shell
from core.languages import localised


def login(request: HttpRequest) -> HttpResponse:
    """Show login, registration and the forgotten password (SPEC 2, `/home/login`)."""
    return shell(request, "accounts/login.html")


def account(request: HttpRequest) -> HttpResponse:
    """Lead into the account area."""
    return redirect(localised("/home/account/accountdetails"))


def details(request: HttpRequest) -> HttpResponse:
    """Show who is logged in, with balance and points."""
    return shell(request, "accounts/details.html", page="details", heading=_("Account details"))


def addresses(request: HttpRequest) -> HttpResponse:
    """Show the address book."""
    return shell(request, "accounts/addresses.html", page="addresses", heading=_("Addresses"))


def password(request: HttpRequest) -> HttpResponse:
    """Show the forms that change passwords."""
    return shell(request, "accounts/password.html", page="password", heading=_("Passwords"))
