"""The views of the buttons on the pages of providers' lists and differences."""

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

from django.contrib import messages
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db.models import Model
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from commerce.statements.forms import TickOffForm
from commerce.statements.models import Statement, StatementDifference
from commerce.statements.services import fetch_again, tick_off
from core.errors import ShopError, text_of

MAY_TICK_OFF = "statements.tick_off_difference"

M = TypeVar("M", bound=Model)
Press = Callable[[HttpRequest, M, User], str]


def _pressing(model: type[M], page: str) -> Callable[[Press[M]], Callable[[HttpRequest, int], HttpResponse]]:
    """Return a decorator for a button of permitted staff, which redirects to the row's page."""

    def decorate(press: Press[M]) -> Callable[[HttpRequest, int], HttpResponse]:
        @wraps(press)
        @require_POST
        def view(request: HttpRequest, pk: int) -> HttpResponse:
            if not isinstance(request.user, User) or not request.user.has_perm(MAY_TICK_OFF):
                raise PermissionDenied
            row: Any = get_object_or_404(model, pk=pk)
            try:
                messages.success(request, press(request, row, request.user))
            except ShopError as error:
                messages.error(request, text_of(error))
            return redirect(page, pk)

        return view

    return decorate


@_pressing(StatementDifference, "statement_differences:inspect")
def tick(request: HttpRequest, difference: StatementDifference, user: User) -> str:
    """Tick off a difference."""
    form = TickOffForm(request.POST)
    note = form.cleaned_data["note"] if form.is_valid() else ""
    tick_off(difference=difference, staff=user, note=note)
    return _("The difference was ticked off.")


@_pressing(Statement, "statements:inspect")
def fetch(request: HttpRequest, statement: Statement, user: User) -> str:
    """Fetch a list again."""
    fetch_again(statement=statement)
    return _("The list is fetched again within ten minutes.")
