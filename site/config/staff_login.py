"""The staff login, with rate limits (docs/guarantees/back-office.md#logins-of-staff)."""

import math
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from django import forms
from django.conf import settings
from django.contrib.auth.forms import AuthenticationForm
from django.core.exceptions import ValidationError
from django.db import transaction
from django.http import HttpResponse
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.decorators import method_decorator
from django.utils.translation import gettext, ngettext
from django.views.decorators.cache import never_cache
from wagtail.admin.forms.auth import LoginForm, PasswordResetForm
from wagtail.admin.views.account import LoginView, PasswordResetView

from commerce.accounts.services import returned_if_refused, spend_ticket
from commerce.messaging.services import write_message
from commerce.messaging.tasks import send_message
from commerce.rate_limits.services import (
    Count,
    RateLimit,
    consume_in_transaction,
    refunded_if_busy,
    refunded_if_refused,
    reset,
)
from config.paths import ADMIN
from core.client import client_network
from core.enqueue import enqueue_after_commit
from core.errors import Err, ShopError
from core.known_browsers import KnownBrowsers
from core.transactions import in_durable_transaction, in_transaction

A_DAY, AN_HOUR, LOCK = timedelta(days=1), timedelta(hours=1), timedelta(minutes=15)
LOGIN_HERE = RateLimit("staff here", maximum=10, window=A_DAY, lock=LOCK, free_attempts=3, by_network=True)
LOGIN_ACCOUNT = RateLimit("staff account", maximum=30, window=A_DAY, lock=LOCK, free_attempts=3)
LOGIN_NETWORK = RateLimit(
    "staff network", maximum=100, window=AN_HOUR, lock=LOCK, free_attempts=30, by_network=True
)
LOGIN_BROWSER = RateLimit("staff browser", maximum=10, window=A_DAY, lock=LOCK, free_attempts=3)
RESET_SOON = RateLimit("staff reset soon", maximum=1, window=timedelta(minutes=1))
RESET_ACCOUNT = RateLimit("staff reset", maximum=5, window=A_DAY)
RESET_NETWORK = RateLimit("staff reset net", maximum=20, window=A_DAY, by_network=True)
BROWSERS = KnownBrowsers("staff_browser", path=ADMIN)


class StaffLoginForm(LoginForm):
    """A login form that counts each guess before the password is compared.

    A browser in which the user has logged in before has its own limits, so that failures elsewhere cannot
    lock staff out of it.
    """

    ticket = forms.CharField(max_length=100, required=False, widget=forms.HiddenInput())
    needs_security_check = False

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # The label of Wagtail's own field is not translated.
        self.fields["password"].label = AuthenticationForm.base_fields["password"].label

    def clean(self) -> dict[str, Any]:
        """Log in with the right password; raises ValidationError for a wrong one or too many guesses.

        Raises ShopError(too_frequent) if other logins occupy the hashing for too long; then nothing is
        counted.
        """
        name = self.cleaned_data.get("username")
        if name is None or not self.cleaned_data.get("password"):
            return {}
        network = client_network(self.request)
        counts = self._counts(name, network)
        ticket = self.cleaned_data.get("ticket", "")
        # A ticket can be used once, so after a failure the page requests another one.
        self.needs_security_check = bool(ticket)
        try:
            spent = _count_guess(counts, ticket)
        except ShopError as refusal:
            raise self._refused(refusal) from refusal
        with refunded_if_refused(*counts), returned_if_refused(spent):
            cleaned: dict[str, Any] = super().clean()
        with refunded_if_busy(*counts):
            _forget_guesses(counts)
        return cleaned

    def _counts(self, name: str, network: str) -> list[Count]:
        browser = BROWSERS.id_for(self.request, name)
        if browser:
            return [(LOGIN_BROWSER, f"{name} {browser}")]
        return [(LOGIN_HERE, f"{name} {network}"), (LOGIN_ACCOUNT, name), (LOGIN_NETWORK, network)]

    def _refused(self, refusal: ShopError) -> ValidationError:
        self.needs_security_check = refusal.err is Err.captcha_required
        if self.needs_security_check:
            text = gettext("Your browser now does a short security check. Then enter your password again.")
            return ValidationError(text, code=refusal.err.name)
        return _too_frequent(refusal)


@in_durable_transaction
def _count_guess(counts: Sequence[Count], ticket: str) -> str:
    """Count a guess before it is compared; return the ticket that it used, empty if none."""
    # A ticket stays valid if the guess is refused before it is compared.
    spent = ticket if spend_ticket(ticket) else ""
    consume_in_transaction(*counts, proven=bool(spent))
    return spent


def _forget_guesses(counts: Sequence[Count]) -> None:
    of_network = [count for count in counts if count[0] == LOGIN_NETWORK]
    reset(*(count for count in counts if count not in of_network), refunded=of_network)


class StaffLoginView(LoginView):
    """The login page, which remembers the browser of each user who has logged in."""

    def form_valid(self, form: StaffLoginForm) -> HttpResponse:
        """Log in, and mark the browser as known, which gives it its own limits for this user."""
        response: HttpResponse = super().form_valid(form)
        BROWSERS.remember(self.request, response, form.cleaned_data["username"])
        return response


@method_decorator(never_cache, name="dispatch")
class StaffPasswordResetView(PasswordResetView):
    """The page that requests a link to set a new password."""

    @method_decorator(in_transaction)
    def form_valid(self, form: "StaffPasswordResetForm") -> HttpResponse:
        """Send the link, unless there were too many requests; only a request with a sent link counts."""
        form.count_request(client_network(self.request))
        answer = super().form_valid if form.is_valid() else self.form_invalid
        response: HttpResponse = answer(form)
        return response


class StaffPasswordResetForm(PasswordResetForm):
    """Requests a link to set a new password; answer and time do not reveal whether the address is known."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._is_known = False

    def count_request(self, network: str) -> None:
        """Count the request; add an error if there were too many."""
        email = self.cleaned_data["email"].lower()
        try:
            consume_in_transaction((RESET_SOON, email), (RESET_ACCOUNT, email), (RESET_NETWORK, network))
        except ShopError as refusal:
            self.add_error(None, _too_frequent(refusal))

    def save(self, **options: Any) -> None:
        """Store a message to each user of the address; for an unknown address an empty one."""
        super().save(**options)
        if not self._is_known:
            self._write("", "", self.cleaned_data["email"])

    def send_mail(
        self,
        subject_template_name: str,
        email_template_name: str,
        context: dict[str, Any],
        from_email: str | None,
        to_email: str,
        html_email_template_name: str | None = None,
    ) -> None:
        """Store a message for a task to send: waiting for the mail server would reveal known addresses."""
        self._is_known = True
        subject = render_to_string(subject_template_name, context)
        self._write(subject, render_to_string(email_template_name, context), to_email)

    def _write(self, subject: str, text: str, to: str) -> None:
        expires_at = timezone.now() + timedelta(seconds=settings.PASSWORD_RESET_TIMEOUT)
        with transaction.atomic():
            message = write_message(to=to, subject=subject, text=text, code="", expires_at=expires_at)
            # The periodic job sends it if the queue cannot be reached.
            enqueue_after_commit(send_message, message.pk)


def _too_frequent(refusal: ShopError) -> ValidationError:
    minutes = math.ceil((refusal.retry_after or 0) / 60)
    text = ngettext(
        "Too many attempts. Try again in %(minutes)d minute.",
        "Too many attempts. Try again in %(minutes)d minutes.",
        minutes,
    )
    return ValidationError(text % {"minutes": minutes}, code=refusal.err.name)
