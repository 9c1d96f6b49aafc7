"""A gateway that does not send money back as it should (docs/guarantees/money.md#refunds)."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from unittest.mock import patch

from commerce.payments.models import Refund
from commerce.payments.providers.base import RefundOutcome, UnavailableError
from commerce.payments.providers.sandbox.models import SandboxRefund
from commerce.payments.providers.sandbox.provider import SandboxProvider
from core.gateways import gateway

# A gateway that fails is left alone for a minute; the books do not contain that.
_NEVER_LEFT_ALONE = 10**6


@dataclass
class Gateway:
    """The sandbox gateway in a mood, one of `MOODS`; `slow`: the references that it takes its time for."""

    mood: str = "well"
    slow: set[str] = field(default_factory=set)

    @contextmanager
    def answering(self) -> Iterator[None]:
        """Answer in the sandbox's place when the shop asks for money back."""
        breaker = gateway(f"payments by {SandboxProvider.name}").breaker
        failures, breaker.fail_max = breaker.fail_max, _NEVER_LEFT_ALONE
        self._refund, self._query = SandboxProvider.refund, SandboxProvider.query_refund
        try:
            with (
                patch.object(
                    SandboxProvider, "refund", lambda provider, refund: self._send(provider, refund)
                ),
                patch.object(
                    SandboxProvider, "query_refund", lambda provider, refund: self._look_up(provider, refund)
                ),
            ):
                yield
        finally:
            breaker.fail_max = failures

    def _send(self, provider: SandboxProvider, refund: Refund) -> RefundOutcome:
        if self.mood == "away":
            raise UnavailableError("away")
        if self.mood == "refuses":
            return RefundOutcome(Refund.State.failed, detail="refused")
        outcome = self._refund(provider, refund=refund)
        if self.mood == "silent":
            raise UnavailableError("its answer is lost")
        if self.mood == "slow":
            self.slow.add(refund.reference)
            return RefundOutcome(Refund.State.sending)
        return outcome

    def _look_up(self, provider: SandboxProvider, refund: Refund) -> RefundOutcome | None:
        if self.mood == "away":
            raise UnavailableError("away")
        if refund.reference not in self.slow or self.mood in ("well", "silent"):
            self.slow.discard(refund.reference)
            return self._query(provider, refund=refund)
        if self.mood == "slow":
            return RefundOutcome(Refund.State.sending)
        self.slow.discard(refund.reference)
        SandboxRefund.objects.filter(reference=refund.reference).delete()
        return RefundOutcome(Refund.State.failed, detail="refused after some time")
