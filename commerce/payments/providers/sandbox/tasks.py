"""The sandbox gateway's background work."""

import json
from datetime import timedelta

import httpx
from django.utils import timezone
from huey import crontab

from commerce.payments.providers.sandbox.models import SandboxCharge
from commerce.payments.providers.sandbox.signing import signed_headers
from core.due_rows import delete_in_batches
from core.gateways import open_http
from core.queues import AT_NIGHT, payments, upkeep

TIMEOUT = httpx.Timeout(4.0, connect=2.0)
# The shop polls a payment for about a day.
RETENTION = timedelta(days=30)


@payments.task(retries=5, retry_delay=5)
def send_notice(charge_id: int) -> None:
    """Send the shop the outcome of a charge; raises httpx.HTTPError, which causes a retry."""
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
    with open_http(TIMEOUT) as http:
        http.post(charge.notify_url, content=body, headers=headers).raise_for_status()


@upkeep.periodic(crontab(hour="5", minute="0"), longest=AT_NIGHT)
def delete_old_charges() -> None:
    """Delete charges that are over a month old, each night."""
    delete_in_batches(SandboxCharge.objects.filter(created_at__lt=timezone.now() - RETENTION))
