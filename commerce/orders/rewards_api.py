"""A customer's level and points (docs/wire.md#userrewards)."""

from typing import Any

from django.http import HttpRequest
from ninja import Router

from commerce.accounts.auth import customer_of, token_auth
from commerce.orders.rewards import rewards_of
from commerce.orders.schemas import RewardsOut
from commerce.orders.serializers import rewards_out
from core.wire import Envelope, envelope

router = Router()


@router.get("/v1/pc/user/rewards", response=Envelope[RewardsOut], auth=token_auth)
def rewards(request: HttpRequest) -> dict[str, Any]:
    """Return a customer's points, level, and what is missing to the next one."""
    return envelope(rewards_out(rewards_of(customer_of(request))))
