"""API calls for the customer's wallet: top-ups and entries.

See docs/wire.md#recharge.
"""

from typing import Any

from django.http import HttpRequest, HttpResponse
from ninja import Query, Router

from commerce.accounts.auth import customer_of, language_for, token_auth
from commerce.ledger.models import LedgerAccount, LedgerEntry
from commerce.payments import services
from commerce.payments.devices import device_of
from commerce.payments.models import Recharge
from commerce.payments.schemas import (
    BalanceEntryOut,
    RechargeIn,
    RechargeOut,
    RechargesQuery,
    StartedRechargeOut,
)
from commerce.payments.serializers import RECHARGE_STATUS, recharge_out, statement_out
from commerce.payments.site import site_url
from core.wire import Envelope, Page, PageQuery, answer, envelope, paged

router = Router()


@router.post("/v1/recharge", response=Envelope[StartedRechargeOut], auth=token_auth)
def recharge(request: HttpRequest, body: RechargeIn) -> HttpResponse:
    """Start a top-up of the wallet, and return the URL at which the customer pays it."""
    started, jump_url = services.start_recharge(
        customer=customer_of(request),
        amount=body.rechargeAmount,
        pay_type=body.pay_type(),
        source=body.source,
        language=language_for(request),
        site_url=site_url(request),
        device=device_of(request),
    )
    return answer({"rechargeNo": started.number, "jumpUrl": jump_url})


@router.put("/v1/recharge/continue/{recharge_no}", response=Envelope[StartedRechargeOut], auth=token_auth)
def continue_recharge(request: HttpRequest, recharge_no: str) -> HttpResponse:
    """Return the URL at which a started top-up is paid, as long as that is possible."""
    jump_url = services.continue_recharge(
        customer=customer_of(request),
        number=recharge_no,
        site_url=site_url(request),
        device=device_of(request),
    )
    return answer({"rechargeNo": recharge_no, "jumpUrl": jump_url})


@router.get("/v1/recharge", response=Envelope[Page[RechargeOut]], auth=token_auth)
def recharges(request: HttpRequest, query: Query[RechargesQuery]) -> dict[str, Any]:
    """List the customer's top-ups, newest first."""
    mine = Recharge.objects.filter(customer=customer_of(request))
    if query.status:
        states = [state for state, status in RECHARGE_STATUS.items() if status == query.status]
        mine = mine.filter(payments__state__in=states)
    page = paged(mine.prefetch_related("payments"), query)
    page["list"] = [recharge_out(each) for each in page["list"]]
    return envelope(page)


@router.get("/v1/pc/user/balance/detailed", response=Envelope[Page[BalanceEntryOut]], auth=token_auth)
def statement(request: HttpRequest, query: Query[PageQuery]) -> dict[str, Any]:
    """List the entries of the wallet, newest first, with their orders and top-ups."""
    wallet = LedgerEntry.objects.filter(
        account__customer=customer_of(request), account__kind=LedgerAccount.Kind.wallet
    )
    page = paged(wallet, query)
    page["list"] = statement_out(page["list"])
    return envelope(page)
