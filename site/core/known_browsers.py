"""Browsers in which an account has logged in before, known by a signed cookie.

See docs/adr/0050-attempts-count-in-widening-networks.md.
"""

import re
from dataclasses import dataclass
from datetime import timedelta

from django.conf import settings
from django.core import signing
from django.http import HttpRequest, HttpResponse
from django.utils.crypto import get_random_string

KNOWN_FOR = timedelta(days=180)
# The maximum number of accounts that one browser is known to.
MAX_ACCOUNTS = 5
# A signed id: see `django.core.signing`.
_VALUE = re.compile(r"[\w-]{1,50}:[0-9A-Za-z]{1,11}:[\w-]{43}", re.ASCII)


@dataclass(frozen=True)
class KnownBrowsers:
    """The cookie by which one kind of login knows browsers; it only selects limits of attempts.

    `path`: the browser sends the cookie below this path only.
    """

    cookie: str
    path: str

    def id_for(self, request: HttpRequest, account: str, secret: str = "") -> str:
        """Return the id of a browser in which the account has logged in; empty for any other browser.

        `secret`: a change of it, such as of the password's hash, forgets all browsers of the account.
        """
        return self._read(request, account, secret)[0]

    def remember(self, request: HttpRequest, response: HttpResponse, account: str, secret: str = "") -> None:
        """Make the browser known to an account that has just authenticated; its id stays the same."""
        known, others = self._read(request, account, secret)
        mine = signing.dumps(known or get_random_string(22), salt=self._salt(account, secret))
        response.set_cookie(
            self.cookie,
            ".".join([mine, *others][:MAX_ACCOUNTS]),
            max_age=KNOWN_FOR,
            path=self.path,
            secure=settings.SESSION_COOKIE_SECURE,
            httponly=True,
            samesite="Strict",
        )

    def _read(self, request: HttpRequest, account: str, secret: str) -> tuple[str, list[str]]:
        """Return the id for an account, and the values that are not valid for it."""
        salt, known, others = self._salt(account, secret), "", []
        for value in _VALUE.findall(request.COOKIES.get(self.cookie, ""))[:MAX_ACCOUNTS]:
            try:
                known = signing.loads(value, salt=salt, max_age=KNOWN_FOR)
            except signing.BadSignature:
                others.append(value)
        return known, others

    def _salt(self, account: str, secret: str) -> str:
        return f"{self.cookie} {account} {secret}"
