"""The API for registration, login and account management (docs/wire.md#account)."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from ninja import Router

from commerce.accounts import geetest, services
from commerce.accounts.address_api import router as address_router
from commerce.accounts.auth import customer_of, token_auth
from commerce.accounts.devices import device_from
from commerce.accounts.identity import can_be_reached, normalised
from commerce.accounts.known_browsers import known_browser, remember_browser
from commerce.accounts.models import CodePurpose
from commerce.accounts.profile_api import router as profile_router
from commerce.accounts.schemas import (
    AccountIn,
    Captcha,
    CodeLoginIn,
    CodeWanted,
    LoginIn,
    LoginOut,
    LoginPasswordChange,
    PasswordReset,
    PayPasswordChange,
    Registration,
    SolvedCaptcha,
    TicketOut,
)
from commerce.accounts.serializers import login_out
from commerce.accounts.services.captcha import PROVIDER as CAPTCHA_PROVIDER
from core.client import asked_language, client_network
from core.errors import Err, ShopError
from core.wire import Envelope, envelope

router = Router()
router.add_router("", address_router)
router.add_router("", profile_router)


@router.get("/v1/pc/common/captcha", response=Envelope[Captcha])
def get_captcha(request: HttpRequest, provider: str = "") -> dict[str, Any]:
    """Return a captcha to solve: GeeTest's if it is configured and works, unless `provider` is `altcha`."""
    if provider != CAPTCHA_PROVIDER and geetest.is_asked_for():
        return envelope(
            {
                "provider": geetest.PROVIDER,
                "captchaId": settings.GEETEST_CAPTCHA_ID,
                "challenge": {"script": settings.GEETEST_SCRIPT_URL},
            }
        )
    challenge = services.new_challenge()
    return envelope(
        {
            "provider": CAPTCHA_PROVIDER,
            "captchaId": challenge["parameters"]["nonce"],
            "challenge": challenge,
        }
    )


@router.post("/v1/pc/common/scc", response=Envelope[TicketOut])
def check_captcha(request: HttpRequest, body: SolvedCaptcha) -> dict[str, Any]:
    """Exchange a solved captcha for a ticket."""
    payload = body.payload
    if body.provider == CAPTCHA_PROVIDER and isinstance(payload, str):
        return envelope({"ticket": services.issue_ticket(payload)})
    if body.provider == geetest.PROVIDER and geetest.is_configured():
        if not isinstance(payload, str):
            return envelope({"ticket": services.issue_geetest_ticket(payload.solved())})
    elif body.provider != CAPTCHA_PROVIDER:
        raise _wrong("provider")
    raise _wrong("payload")


@router.post("/v1/pc/common/sendCode", response=Envelope[int])
def send_code(request: HttpRequest, body: CodeWanted) -> dict[str, Any]:
    """Send a verification code; the answer is the same whether or not the account exists."""
    account = _account(body)
    caller = services.customer_of_token(request.headers.get("token", ""))
    is_own = caller is not None and caller.account == account
    if body.purpose == CodePurpose.pay and caller is not None and not is_own:
        raise _wrong("account")
    if not can_be_reached(account):
        raise ShopError(Err.sms_country, fields={"account": Err.sms_country.name})
    services.send_code(
        account=account,
        purpose=body.purpose,
        ticket=body.ticket,
        network=client_network(request),
        language=asked_language(request),
        is_owner=is_own or bool(known_browser(request, account)),
    )
    return envelope(1)


@router.post("/v1/pc/register", response=Envelope[LoginOut])
def register(request: HttpRequest, response: HttpResponse, body: Registration) -> dict[str, Any]:
    """Create an account and log in."""
    _refuse_empty(body.account, body.password)
    login = services.register(
        account=_account(body),
        password=body.password,
        code=body.code,
        nickname=body.nickname,
        language=asked_language(request),
        device=device_from(request.headers.get("User-Agent", "")),
        marketing=body.marketing,
    )
    remember_browser(request, response, login.customer)
    return envelope(login_out(login.customer, login.token))


@router.post("/v1/pc/login", response=Envelope[LoginOut])
def log_in(request: HttpRequest, response: HttpResponse, body: LoginIn) -> dict[str, Any]:
    """Log in with account and password."""
    _refuse_empty(body.account, body.password)
    account = normalised(body.account, body.country) or body.account
    login = services.log_in(
        account=account,
        password=body.password,
        ticket=body.ticket,
        network=client_network(request),
        browser=known_browser(request, account),
        language=asked_language(request),
        device=device_from(request.headers.get("User-Agent", "")),
    )
    remember_browser(request, response, login.customer)
    return envelope(login_out(login.customer, login.token))


@router.post("/v1/pc/login/code", response=Envelope[LoginOut])
def log_in_with_code(request: HttpRequest, response: HttpResponse, body: CodeLoginIn) -> dict[str, Any]:
    """Log in with a code that was sent to the account, without a password."""
    account = _account(body)
    login = services.log_in_with_code(
        account=account,
        code=body.code,
        is_owner=bool(known_browser(request, account)),
        language=asked_language(request),
        device=device_from(request.headers.get("User-Agent", "")),
    )
    remember_browser(request, response, login.customer)
    return envelope(login_out(login.customer, login.token))


@router.post("/v1/pc/logout", response=Envelope[int], auth=token_auth)
def log_out(request: HttpRequest) -> dict[str, Any]:
    """Log out: end the login of the sent token."""
    services.revoke_token(request.headers["token"])
    return envelope(1)


@router.post("/v1/pc/resetPassword", response=Envelope[int])
def reset_password(request: HttpRequest, response: HttpResponse, body: PasswordReset) -> dict[str, Any]:
    """Set a new login password by code; all logins of the account end."""
    _refuse_empty(body.account, body.password)
    account = _account(body)
    customer = services.reset_password(
        account=account,
        password=body.password,
        code=body.code,
        network=client_network(request),
        is_owner=bool(known_browser(request, account)),
    )
    remember_browser(request, response, customer)
    return envelope(1)


@router.put("/v1/pc/setting/login/password", response=Envelope[int], auth=token_auth)
def change_login_password(
    request: HttpRequest, response: HttpResponse, body: LoginPasswordChange
) -> dict[str, Any]:
    """Replace the login password; all other logins of the account end."""
    customer = customer_of(request)
    services.change_login_password(
        customer=customer,
        old_password=body.oldPassword,
        password=body.password,
        token=request.headers["token"],
    )
    remember_browser(request, response, customer)
    return envelope(1)


@router.put("/v1/pc/setting/pay/password", response=Envelope[int], auth=token_auth)
def change_pay_password(request: HttpRequest, body: PayPasswordChange) -> dict[str, Any]:
    """Set the pay password by code, or replace it with proof of the old one."""
    customer = customer_of(request)
    if body.code or not customer.pay_password:
        services.set_pay_password(customer=customer, code=body.code, password=body.password)
    elif not body.oldPassword:
        raise _wrong("oldPassword")
    else:
        services.change_pay_password(customer=customer, old_password=body.oldPassword, password=body.password)
    return envelope(1)


def _account(body: AccountIn) -> str:
    account = normalised(body.account, body.country)
    if account is None:
        raise _wrong("account")
    return account


def _refuse_empty(account: str, password: str) -> None:
    if not account or not password:
        raise ShopError(Err.account_or_password_empty)


def _wrong(field: str) -> ShopError:
    return ShopError(Err.parameter_error, fields={field: Err.parameter_error.name})
