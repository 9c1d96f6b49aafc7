"""A client of the API for tests: it calls, solves captchas and reads the messages sent."""

import json
from typing import Any

import altcha
from django.test import Client

from commerce.accounts.services import captcha
from commerce.messaging.tests.outbox import messages


def solved(given: dict[str, Any]) -> str:
    """Solve a captcha's challenge; returns the payload."""
    challenge = altcha.Challenge.from_dict(given)
    solution = altcha.solve_challenge(challenge)
    assert solution is not None
    return altcha.Payload(challenge, solution).to_base64()


class ApiClient:
    """Calls as a browser does; `token` is sent once it is set."""

    def __init__(self, client: Client, on_commit: Any = None) -> None:
        self.client = client
        self.on_commit = on_commit
        self.token = ""
        self.lang = "en"

    def call(self, method: str, path: str, body: Any = None, **extra: Any) -> Any:
        """Call the API; returns the response with the envelope as `.body`."""
        sent = {"lang": self.lang, "token": self.token}
        headers = {name: value for name, value in sent.items() if value}
        response: Any = self.client.generic(
            method,
            f"/api/v1/pc/{path}",
            b"" if body is None else body if isinstance(body, bytes) else json.dumps(body).encode(),
            content_type="application/json",
            headers=headers,
            **extra,
        )
        response.body = response.json()
        return response

    def solve(self) -> str:
        """Solve a fresh captcha; returns the payload."""
        return solved(self.call("GET", "common/captcha").body["result"]["challenge"])

    def ticket(self) -> str:
        """Get a ticket as a solved captcha does, without the calls, which `test_captcha.py` makes."""
        return captcha.issue_ticket(solved(captcha.new_challenge()))

    def ask_code(self, account: str, purpose: str, **extra: Any) -> Any:
        """Ask for a code, with a new ticket."""
        body = {"account": account, "purpose": purpose, "ticket": self.ticket()}
        if self.on_commit is None:
            return self.call("POST", "common/sendCode", body, **extra)
        with self.on_commit(execute=True):
            return self.call("POST", "common/sendCode", body, **extra)

    def code(self, account: str, purpose: str) -> str:
        """Ask for a code and read it."""
        assert self.ask_code(account, purpose).body["code"] == 0
        return str(messages()[-1]["code"])
