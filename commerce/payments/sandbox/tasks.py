"""The sandbox gateway's background work."""

import json

import httpx

from commerce.payments.sandbox.models import SandboxCharge
from commerce.payments.sandbox.signing import signed_headers
from core.queues import payments

TIMEOUT = httpx.Timeout(4.0, connect=2.0)


@payments.task(retries=5, retry_delay=5)
def send_notice(charge_id: int) -> None:
    """Send the shop the outcome of a charge; raises httpx.HTTPError, after which it is retried."""
    charge = SandboxCharge.objects.get(pk=charge_id)
    body = json.dumps(
        {
            "reference": charge.reference,
            "state": charge.state,
            "amount": str(charge.amount),
            "currency": charge.currency,
        }
    ).encode()
    headers = signed_headers(f"{charge.reference}-{charge.state}", body)
    headers["Content-Type"] = "application/json"
    httpx.post(charge.notify_url, content=body, headers=headers, timeout=TIMEOUT).raise_for_status()
